import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { Client } from '../../../nodes/api/http/client';
import type { CredentialType } from '../../../nodes/api/http/connection';
import { storedSession } from '../../../nodes/api/http/session';
import type { SheetAddress } from '../../../nodes/api/values/sheetAddress';

/** Credential, sheet and node: the components on which a cached value can depend. */
export interface Situation {
	type: CredentialType;
	credential: ICredentialDataDecryptedObject;
	sheet: SheetAddress;
	workflowId: string;
	nodeName: string;
}

const credential = {
	baseUrl: 'https://one.example',
	account: 'acme',
	apiKey: 'key-of-the-first-user',
	email: '',
	password: '',
	allowUnauthorizedCerts: false,
	serviceDialect: 'automatic',
	requestsPerSecond: 0,
};

export const usual: Situation = {
	type: 'sheetRecordsApi',
	credential,
	sheet: { folders: ['sales'], sheetIndex: 1 },
	workflowId: 'workflow 1',
	nodeName: 'node 1',
};

const withCredential = (changes: object): Situation => ({
	...usual,
	credential: { ...credential, ...changes },
});

/** Returns a session credential of the first user with these changes. */
export function withSession(changes: object = {}): Situation {
	const login = { apiKey: '', email: 'first@acme.example', password: 'secret of the first' };
	const data = { ...credential, ...login, ...changes };
	return {
		...usual,
		type: 'sheetRecordsSessionApi',
		credential: { ...data, sessionId: storedSession(data, 'session') },
	};
}

/** Situations that differ from the usual one in one component. */
export const changed = {
	account: withCredential({ account: 'other' }),
	address: withCredential({ baseUrl: 'https://two.example' }),
	user: withCredential({ apiKey: 'key-of-the-second-user' }),
	credentialType: withSession(),
	trust: withCredential({ allowUnauthorizedCerts: true }),
	dialect: withCredential({ serviceDialect: 'standard' }),
	rate: withCredential({ requestsPerSecond: 3 }),
	sheet: { ...usual, sheet: { folders: ['sales'], sheetIndex: 2 } },
	folder: { ...usual, sheet: { folders: ['sales', 'more'], sheetIndex: 1 } },
	workflow: { ...usual, workflowId: 'workflow 2' },
	node: { ...usual, nodeName: 'node 2' },
} satisfies Record<string, Situation>;

export type Component = keyof typeof changed;
export const components = Object.keys(changed).filter(isComponent);

function isComponent(name: string): name is Component {
	return name in changed;
}

/** The answer to a request. A promise that never resolves is a request in progress. */
export type Answer = (url: URL) => unknown;

/** A service that counts requests, and clients in any situation. */
export class CountingService {
	readonly urls: URL[] = [];

	constructor(public answer: Answer = () => ({})) {}

	async connect({ type, credential: data }: Situation): Promise<Client> {
		const send = async ({ url }: IHttpRequestOptions) => {
			this.urls.push(new URL(url));
			const body = await this.answer(new URL(url));
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return { statusCode: 200, headers: {}, body: text };
		};
		const sleep = async () => await new Promise<void>((resolve) => setImmediate(resolve));
		return await Client.connect({ credential: async () => ({ ...data }), send, sleep }, type);
	}

	/** Returns the number of requests that `work` sends whose address has this text. */
	async countDuring(work: () => unknown, text = ''): Promise<number> {
		const before = this.urls.length;
		await work();
		return this.urls.slice(before).filter(({ href }) => href.includes(text)).length;
	}
}
