import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';
import type { CredentialStore } from './credentialStore';
import { packageName, type TypeLibrary } from './typeLibrary';

export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

export interface NodeOptions {
	/** A node of our package, or the full name (`package.node`) of any other in `types`. */
	node: string;
	parameters: INodeParameters;
	/** Added to the store, unless it has credentials of that type already. */
	credentials?: CredentialsByType;
}

/** The node as a workflow holds it, with credentials of every type that the store has for it. */
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
