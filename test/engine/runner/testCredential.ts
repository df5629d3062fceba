import {
	createEmptyRunExecutionData,
	jsonStringify,
	NodeConnectionTypes,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunction,
	type ICredentialTestRequest,
	type INode,
	type INodeCredentialTestResult,
	type INodeType,
} from 'n8n-workflow';

import { additionalDataFor } from './additionalData';
import {
	Container,
	CredentialTestContext,
	ErrorReporter,
	ExecuteContext,
	RoutingNode,
} from './core';
import { connectionTestNode, RunnerCredentialsHelper } from './credentialsHelper';
import { CredentialStore } from './credentialStore';
import { answerOf, failureOf } from './connectionTestVerdict';
import { packageTypes } from './packageTypes';
import { listenToPrinting } from './printed';
import type { TypeLibrary } from './typeLibrary';

export interface TestCredentialOptions {
	/** Default: a store of its own. The editor saves before it tests, so the data are added here. */
	credentialStore?: CredentialStore;
	types?: TypeLibrary;
}

/** What the editor shows after "Test", and everything that was logged meanwhile. */
export interface ConnectionTestResult extends INodeCredentialTestResult {
	recorded: string;
}

/** Tests a credential as the editor does: by its own request, or by a function of a node. */
export async function testCredential(
	type: string,
	data: ICredentialDataDecryptedObject,
	{ credentialStore = new CredentialStore(), types: given }: TestCredentialOptions = {},
): Promise<ConnectionTestResult> {
	const types = given ?? (await packageTypes());
	const reference = credentialStore.add(type, data);
	const helper = new RunnerCredentialsHelper(types, credentialStore);
	const credential: ICredentialsDecrypted = {
		...reference,
		type,
		data: helper.complete(type, data, 'internal'),
	};

	const printed: string[] = [];
	const stop = listenToPrinting((line) => printed.push(line));
	try {
		const test = connectionTestOf(type, types);
		const result =
			typeof test === 'function'
				? await test.call(new CredentialTestContext(), credential)
				: await testByRequest(test, credential, types, credentialStore);
		return { ...result, recorded: [jsonStringify(result), ...printed].join('\n') };
	} finally {
		stop();
	}
}

function connectionTestOf(
	type: string,
	types: TypeLibrary,
): ICredentialTestRequest | ICredentialTestFunction {
	const own = types.credential(type).test;
	if (own) return own;
	for (const name of types.nodesUsing(type)) {
		const { description, methods } = types.getByNameAndVersion(name);
		const testedBy = description.credentials?.find((used) => used.name === type)?.testedBy;
		const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : testedBy;
		if (test) return test;
	}
	throw new Error(`No testing function found for credential "${type}"`);
}

async function testByRequest(
	test: ICredentialTestRequest,
	credential: ICredentialsDecrypted,
	types: TypeLibrary,
	store: CredentialStore,
): Promise<INodeCredentialTestResult> {
	const node: INode = {
		id: 'connection-test',
		name: 'Connection Test',
		type: connectionTestNode.type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
	const nodeType = connectionTestType(test, credential.type, types);
	const nodeTypes = types.with({ nodes: { [connectionTestNode.type]: nodeType } });
	const context = new ExecuteContext(
		new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes }),
		node,
		additionalDataFor(types, store),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ [NodeConnectionTypes.Main]: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	try {
		const output = await new RoutingNode(context, nodeType, credential).runNode();
		return answerOf(output?.[0]?.[0]?.json, test);
	} catch (error) {
		Container.get(ErrorReporter).error(error);
		return failureOf(error, test);
	}
}

function connectionTestType(
	{ request }: ICredentialTestRequest,
	credentialType: string,
	types: TypeLibrary,
): INodeType {
	const { description } = types.getByNameAndVersion(connectionTestNode.type);
	return {
		description: {
			...description,
			credentials: [{ name: credentialType, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: connectionTestNode.parameter,
					type: 'string',
					default: '',
					routing: { request },
				},
			],
		},
	};
}
