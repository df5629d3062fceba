import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';
import type { CredentialStore } from './credentialStore';
import { packageName, type TypeLibrary } from './typeLibrary';

export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

export interface NodeOptions {
	/** Node of this package, or the full name (`package.node`) of another node in `types`. */
	node: string;
	parameters: INodeParameters;
	/** Credentials that are added to the store if it has none of their type. */
	credentials?: CredentialsByType;
}

/** Returns the node as part of a workflow, with all credentials in the store that the node can use. */
export function nodeUnderTest(
	{ node, parameters, credentials = {} }: NodeOptions,
	types: TypeLibrary,
	store: CredentialStore,
): INode {
	const type = node.includes('.') ? node : `${packageName}.${node}`;
	const { description } = types.getByNameAndVersion(type);
	for (const [credentialType, data] of Object.entries(credentials)) {
		if (!store.firstOf(credentialType)) store.add(credentialType, data);
	}
	const references = (description.credentials ?? []).flatMap(({ name }) => {
		const reference = store.firstOf(name);
		return reference ? [[name, reference] as const] : [];
	});
	return {
		id: 'node-under-test',
		name: description.defaults.name ?? description.displayName,
		type,
		typeVersion: description.defaultVersion ?? [description.version].flat().at(-1) ?? 1,
		position: [200, 0],
		parameters,
		credentials: references.length > 0 ? Object.fromEntries(references) : undefined,
	};
}
