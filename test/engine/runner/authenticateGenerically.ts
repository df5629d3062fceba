import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	Workflow,
} from 'n8n-workflow';

import { emptyWorkflow, idleNode } from './credentialExpressions';
import type { TypeLibrary } from './typeLibrary';

interface Surroundings {
	types: TypeLibrary;
	workflow?: Workflow;
	node?: INode;
}

/**
 * The declared form of `authenticate`: entries for header, query, body and Basic identity whose keys
 * and values may be expressions over `$credentials`. Changes the request that it is given, as n8n does.
 */
export function authenticateGenerically(
	{ properties }: IAuthenticateGeneric,
	request: IHttpRequestOptions,
	credentials: ICredentialDataDecryptedObject,
	{ types, workflow = emptyWorkflow(types), node = idleNode }: Surroundings,
): IHttpRequestOptions {
	const resolve = (text: string): string => {
		if (!text.startsWith('=')) return text;
		const keys = { $credentials: credentials };
		const value = workflow.expression.getSimpleParameterValue(node, text, 'internal', keys);
		return value ? String(value) : '';
	};
	const resolveAll = (entries: IDataObject): Record<string, string> =>
		Object.fromEntries(
			Object.entries(entries).map(([key, value]) => [resolve(key), resolve(String(value))]),
		);

	const { auth, body, headers, qs } = properties;
	if (headers) request.headers = Object.assign(request.headers ?? {}, resolveAll(headers));
	if (qs) request.qs = Object.assign(request.qs ?? {}, resolveAll(qs));
	if (body) request.body = Object.assign(request.body ?? {}, resolveAll(body));
	if (auth) {
		request.auth = { ...auth, username: resolve(auth.username), password: resolve(auth.password) };
	}
	return request;
}
