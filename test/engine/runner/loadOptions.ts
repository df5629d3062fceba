import { deepCopy, Workflow, type ILoadOptionsFunctions } from 'n8n-workflow';

import { additionalDataFor } from './additionalData';
import { LoadOptionsContext } from './core';
import { CredentialStore } from './credentialStore';
import { nodeUnderTest, type NodeOptions } from './nodeUnderTest';
import { packageTypes, type TypeLibrary } from './typeLibrary';

export interface LoadOptionsOptions extends NodeOptions {
	method: { kind: 'loadOptions' | 'listSearch' | 'resourceMapping'; name: string };
	/** What the user typed into the list (`listSearch`). */
	filter?: string;
	/** From the page before (`listSearch`). */
	paginationToken?: string;
	/** Path of the parameter that asks, for relative look-ups (`&sibling`). Default `parameters`. */
	path?: string;
	credentialStore?: CredentialStore;
	types?: TypeLibrary;
}

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
	return await callMethod(options, types, context, method);
}

async function callMethod(
	{ filter, paginationToken }: LoadOptionsOptions,
	types: TypeLibrary,
	context: LoadOptionsContext & ILoadOptionsFunctions,
	{ kind, name }: LoadOptionsOptions['method'],
): Promise<unknown> {
	const { methods } = types.getByNameAndVersion(
		context.getNode().type,
		context.getNode().typeVersion,
	);
	switch (kind) {
		case 'loadOptions':
			return await existing(methods?.loadOptions?.[name], name).call(context);
		case 'listSearch':
			return await existing(methods?.listSearch?.[name], name).call(
				context,
				filter,
				paginationToken,
			);
		case 'resourceMapping':
			return await existing(methods?.resourceMapping?.[name], name).call(context);
	}
}

function existing<Method>(method: Method | undefined, name: string): Method {
	if (!method) throw new Error(`The node has no method "${name}" of this kind`);
	return method;
}
