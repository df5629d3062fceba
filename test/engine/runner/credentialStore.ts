import {
	jsonParse,
	jsonStringify,
	type ICredentialDataDecryptedObject,
	type INodeCredentialsDetails,
} from 'n8n-workflow';

interface StoredCredential {
	id: string;
	name: string;
	type: string;
	/** JSON text, as in n8n's database, so that stored data cannot be changed by accident. */
	text: string;
}

/** One write of a credential by the engine: a renewed session, for example. */
export interface CredentialUpdate {
	id: string;
	type: string;
	/** Names of the properties that changed; values are left out so that a log can show this. */
	changed: string[];
	at: number;
}

/** The credentials table of n8n, in memory. */
export class CredentialStore {
	private readonly stored: StoredCredential[] = [];

	readonly updates: CredentialUpdate[] = [];

	/** Adds a credential and answers what a node's JSON needs to refer to it. */
	add(
		type: string,
		data: ICredentialDataDecryptedObject,
		name = `${type} ${this.stored.length + 1}`,
	): { id: string; name: string } {
		const id = `credential-${this.stored.length + 1}`;
		this.stored.push({ id, name, type, text: jsonStringify(data) });
		return { id, name };
	}

	firstOf(type: string): { id: string; name: string } | undefined {
		const found = this.stored.find((credential) => credential.type === type);
		return found && { id: found.id, name: found.name };
	}

	/**
	 * What a node in an imported workflow refers to: by id, or, when the id is from another n8n, by
	 * name, as the editor does it.
	 */
	resolve(type: string, { id, name }: INodeCredentialsDetails): INodeCredentialsDetails {
		const ofType = this.stored.filter((credential) => credential.type === type);
		const found =
			ofType.find((credential) => credential.id === id) ??
			ofType.find((credential) => credential.name === name);
		return found ? { id: found.id, name: found.name } : { id, name };
	}

	/** A copy of the data that is stored now. */
	read(id: string, type: string): ICredentialDataDecryptedObject {
		return jsonParse<ICredentialDataDecryptedObject>(this.find(id, type).text);
	}

	/** Changes some properties, as a user does in the editor. Not in the log of updates. */
	edit(id: string, type: string, changes: ICredentialDataDecryptedObject): void {
		const credential = this.find(id, type);
		credential.text = jsonStringify({ ...this.read(id, type), ...changes });
	}

	/** Replaces the data, as the engine does, and notes it in the log of updates. */
	update(id: string, type: string, data: ICredentialDataDecryptedObject): void {
		const before = this.read(id, type);
		const changed = Object.keys({ ...before, ...data }).filter(
			(name) => jsonStringify(before[name]) !== jsonStringify(data[name]),
		);
		this.find(id, type).text = jsonStringify(data);
		this.updates.push({ id, type, changed, at: Date.now() });
	}

	private find(id: string, type: string): StoredCredential {
		const found = this.stored.find(
			(credential) => credential.id === id && credential.type === type,
		);
		if (!found) throw new Error(`Credential with ID "${id}" does not exist for type "${type}".`);
		return found;
	}
}
