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

/** Write of a credential by the engine, for example of a renewed session. */
export interface CredentialUpdate {
	id: string;
	type: string;
	/** Names of the properties that changed, without their values, so that logs contain no secrets. */
	changed: string[];
	at: number;
}

/** Credentials table of n8n, in memory. */
export class CredentialStore {
	private readonly stored: StoredCredential[] = [];

	readonly updates: CredentialUpdate[] = [];

	/** Adds a credential. Returns the reference for the JSON of a node. */
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
	 * Returns the credential of a node in an imported workflow: by ID or, if the ID is from another n8n, by name, like the editor.
	 */
	resolve(type: string, { id, name }: INodeCredentialsDetails): INodeCredentialsDetails {
		const ofType = this.stored.filter((credential) => credential.type === type);
		const found =
			ofType.find((credential) => credential.id === id) ??
			ofType.find((credential) => credential.name === name);
		return found ? { id: found.id, name: found.name } : { id, name };
	}

	/** Returns a copy of the stored data. */
	read(id: string, type: string): ICredentialDataDecryptedObject {
		return jsonParse<ICredentialDataDecryptedObject>(this.find(id, type).text);
	}

	/** Changes some properties, like a user in the editor. `updates` does not include this change. */
	edit(id: string, type: string, changes: ICredentialDataDecryptedObject): void {
		const credential = this.find(id, type);
		credential.text = jsonStringify({ ...this.read(id, type), ...changes });
	}

	/** Replaces the data, like the engine, and adds the change to `updates`. */
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
