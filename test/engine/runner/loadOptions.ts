import { deepCopy, Workflow, type ILoadOptionsFunctions } from 'n8n-workflow';
import { additionalDataFor } from './additionalData';
import { LoadOptionsContext } from './core';
import { CredentialStore } from './credentialStore';
import { nodeUnderTest, type NodeOptions } from './nodeUnderTest';
import { packageTypes, type TypeLibrary } from './typeLibrary';

export interface LoadOptionsOptions extends NodeOptions {
	method: { kind: 'loadOptions' | 'listSearch' | 'resourceMapping'; name: string };
	/** Text that the user typed into the list (`listSearch`). */
	filter?: string;
	/** From the page before (`listSearch`). */
	paginationToken?: string;
	/** Path of the parameter that asks, for relative look-ups (`&sibling`). Default `parameters`. */
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
	// Fills in the defaults, which the editor sends along too.
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
