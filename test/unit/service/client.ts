import { readFileSync } from 'node:fs';
import { Agent, request, type Dispatcher } from 'undici';
import type { Identity, ReferenceService, SheetAddress } from '../../service';

/** An answer as it came, read as JSON on demand. */
export class Reply {
	constructor(
		readonly status: number,
		readonly headers: Record<string, string | string[] | undefined>,
		readonly text: string,
	) {}

	json(): unknown {
		return JSON.parse(this.text);
	}

	/**
	 * The record ids in the order of the text, which `JSON.parse` would lose. Ask with `subtables=0`.
	 */
	ids(): number[] {
		return [...this.text.matchAll(/"(\d+)":\{"_(?:svc|ragic)Id":/g)].map((match) =>
			Number(match[1]),
		);
	}
}

export interface RequestOptions {
	headers?: Record<string, string>;
	body?: Dispatcher.RequestOptions['body'];
	signal?: AbortSignal;
}

/** A plain client of the reference service that trusts its certificate authority. */
export class Client {
	private readonly agent: Agent;

	constructor(private readonly service: ReferenceService) {
		const ca = readFileSync(service.caCertificatePath, 'utf8');
		this.agent = new Agent({ connect: { ca } });
	}

	/** Sends a request as an identity, or as nobody. */
	async send(
		method: Dispatcher.HttpMethod,
		address: string,
		identity: Identity | undefined,
		{ headers = {}, ...options }: RequestOptions = {},
	): Promise<Reply> {
		const authorization = identity ? { authorization: `Basic ${identity.apiKey}` } : {};
		const answer = await request(`${this.service.baseUrl}${address}`, {
			...options,
			method,
			dispatcher: this.agent,
			headers: { ...authorization, ...headers },
		});
		return new Reply(answer.statusCode, answer.headers, await answer.body.text());
	}

	/** Reads as the member, who may read and write. */
	async get(address: string, options?: RequestOptions): Promise<Reply> {
		return await this.send('GET', address, this.service.identities.member, options);
	}

	async postJson(address: string, body: unknown, method: Dispatcher.HttpMethod = 'POST') {
		return await this.send(method, address, this.service.identities.member, {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	}

	async postForm(address: string, fields: Array<[string, string]>): Promise<Reply> {
		return await this.send('POST', address, this.service.identities.member, {
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams(fields).toString(),
		});
	}

	async close(): Promise<void> {
		await this.agent.destroy();
	}
}

/** The address of a sheet or record as an API request, with more of a query if given. */
export function addressOf({ path, index }: SheetAddress, recordId?: number, query = ''): string {
	const folders = path.split('/').map(encodeURIComponent).join('/');
	const record = recordId === undefined ? '' : `/${recordId}`;
	return `/acme/${folders}/${index}${record}?api${query && `&${query}`}`;
}
