import {
	NodeHelpers,
	type ICredentialType,
	type IDataObject,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
} from 'n8n-workflow';

type NodeTypesByName = Record<string, INodeType | IVersionedNodeType>;
type CredentialTypesByName = Record<string, ICredentialType>;

/** The node types (by full name, `package.node`) and credential types that a run can use. */
export class TypeLibrary implements INodeTypes {
	constructor(
		private readonly nodes: NodeTypesByName,
		private readonly credentials: CredentialTypesByName = {},
	) {}

	/** A library that has these types too. */
	with(more: { nodes?: NodeTypesByName; credentials?: CredentialTypesByName }): TypeLibrary {
		return new TypeLibrary(
			{ ...this.nodes, ...more.nodes },
			{ ...this.credentials, ...more.credentials },
		);
	}

	getByName(name: string): INodeType | IVersionedNodeType {
		const type = this.nodes[name];
		if (!type)
			throw new Error(`No node type "${name}". Known: ${Object.keys(this.nodes).join(', ')}`);
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes(): IDataObject {
		return Object.fromEntries(Object.keys(this.nodes).map((name) => [name, {}]));
	}

	credential(name: string): ICredentialType {
		const type = this.credentials[name];
		if (!type) throw new Error(`No credential type "${name}"`);
		return type;
	}

	/** Full names of the node types that name this credential type in their description. */
	nodesUsing(credential: string): string[] {
		return Object.keys(this.nodes).filter((name) =>
			this.getByNameAndVersion(name).description.credentials?.some(
				(used) => used.name === credential,
			),
		);
	}
}
