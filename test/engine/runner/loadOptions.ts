import { deepCopy, Workflow, type ILoadOptionsFunctions } from 'n8n-workflow';
import { additionalDataFor } from './additionalData';
import { LoadOptionsContext } from './core';
import { CredentialStore } from './credentialStore';
import { nodeUnderTest, type NodeOptions } from './nodeUnderTest';
import { packageTypes, type TypeLibrary } from './typeLibrary';

export interface LoadOptionsOptions extends NodeOptions {
	method: { kind: 'loadOptions' | 'listSearch' | 'resourceMapping'; name: string };
	/** Search text of the user (`listSearch`). */
	filter?: string;
	/** Token of the previous page (`listSearch`). */
	paginationToken?: string;
	/** Path of the parameter of the list, for relative look-ups (`&sibling`). Default: `parameters`. */
	path?: string;
	credentialStore?: CredentialStore;
	types?: TypeLibrary;
}

type Method = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<unknown>;

export async function loadOptionsOf(options: LoadOptionsOptions): Promise<unknown> {
	const { credentialStore = new CredentialStore(), path = 'parameters', method } = options;
	const types = options.types ?? (await packageTypes());
	const node = nodeUnderTest(
		{ ...options, parameters: deepCopy(options.parameters) },
		types,
		credentialStore,
	);
	// The workflow fills in the defaults, which the editor also sends.
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: types,
	});
	const additionalData = additionalDataFor(types, credentialStore, {
		currentNodeParameters: node.parameters,
	});
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	const { methods } = types.getByNameAndVersion(node.type, node.typeVersion);
	const { kind, name } = method;
	const called: Method | undefined = methods?.[kind]?.[name];
	if (!called) throw new Error(`The node has no method "${name}" of this kind`);
	return await called.call(context, options.filter, options.paginationToken);
}
