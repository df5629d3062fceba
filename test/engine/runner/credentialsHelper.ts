import {
	getCredentialOwnRequestAllowedDomains,
	ICredentialsHelper,
	injectDomainRestrictionFields,
	isExpression,
	jsonParse,
	jsonStringify,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type IDataObject,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { Credentials } from './core';
import type { CredentialStore } from './credentialStore';
import type { TypeLibrary } from './typeLibrary';

/** Credentials of n8n as used by its engine, stored in memory. */
export class RunnerCredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly types: TypeLibrary,
		private readonly store: CredentialStore,
	) {
		super();
	}

	/** Returns no types, because no credential type of the package extends another type. */
	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		return injectDomainRestrictionFields(this.types.credential(name));
	}

	async getCredentials(reference: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const id = existingId(reference);
		const credentials = new Credentials({ id, name: reference.name }, type);
		await credentials.setData(this.store.read(id, type));
		return credentials;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		reference: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.store.read(existingId(reference), type);
		if (raw) return stored;
		const data = this.complete(type, stored);
		if (!values || !Object.values(data).some(isExpression)) return data;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		const evaluated = Object.entries(data).map(([name, value]) => [
			name,
			isExpression(value)
				? workflow.expression.resolveSimpleParameterValue(
						value,
						{},
						runExecutionData,
						runIndex,
						itemIndex,
						node.name,
						connectionInputData,
						mode,
						{},
						executeData,
					)
				: value,
		]);
		return asCredentialData(Object.fromEntries(evaluated));
	}

	/** Returns credential data with defaults. */
	complete(type: string, data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const copy = jsonParse<INodeParameters>(jsonStringify(data));
		const properties = this.getCredentialsProperties(type);
		return asCredentialData(
			NodeHelpers.getNodeParameters(properties, copy, true, false, null, null) ?? {},
		);
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.types.credential(typeName);
		if (typeof authenticate !== 'function' || !('url' in request)) {
			throw new Error('The runner authenticates httpRequest only, by a function of the credential');
		}
		return await authenticate(credentials, request);
	}

	/** Logs in if there is no session, or if the engine reports that it expired. Stores the new session for the next run. */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const session = this.getCredentialsProperties(typeName).find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (!session) return undefined;
		const isMissing = credentials[session.name] === '';
		if (!isMissing && !credentialsExpired) return undefined;

		const output = await this.runPreAuthentication(helpers, credentials, typeName);
		if (output?.[session.name] === undefined) return undefined;
		const reference = node.credentials?.[typeName];
		if (reference) {
			const stored = this.store.read(existingId(reference), typeName);
			await this.updateCredentials(reference, typeName, { ...stored, ...output });
		}
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		{ helpers }: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.types.credential(typeName);
		if (!preAuthentication) return undefined;
		const allowedDomains = getCredentialOwnRequestAllowedDomains(credentials);
		const httpRequest: typeof helpers.httpRequest = async (options) =>
			await helpers.httpRequest(allowedDomains ? { ...options, allowedDomains } : options);
		// n8n passes only httpRequest to a login.
		const output = await preAuthentication.call({ helpers: { httpRequest } }, credentials);
		return asCredentialData(output);
	}

	async updateCredentials(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.store.update(existingId(reference), type, data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('The runner has no OAuth');
	}
}

function existingId({ id }: INodeCredentialsDetails): string {
	if (!id) throw new Error('Found credential with no ID.');
	return id;
}

/** Returns data as plain JSON, as stored in n8n's database. */
function asCredentialData(data: IDataObject | INodeParameters): ICredentialDataDecryptedObject {
	return jsonParse<ICredentialDataDecryptedObject>(jsonStringify(data));
}
