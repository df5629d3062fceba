import { readFileSync } from 'node:fs';
import { Agent, FormData, request, type Dispatcher } from 'undici';
import type { IdentityName, ReferenceService, SheetAddress } from '../../service';

/** A raw answer that can be parsed as JSON. */
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
	 * Returns the record IDs in the order of the text, which `JSON.parse` would lose. Works for requests with `subtables=0`.
	 */
	ids(): number[] {
		return [...this.text.matchAll(/"(\d+)":\{"_(?:svc|ragic)Id":/g)].map((match) =>
			Number(match[1]),
		);
	}
}

/** Identity whose key is sent. */
export type Caller = IdentityName | 'nobody';

/** A field of a form, or a file if it has a file name. */
export type Part = [name: string, content: string | Blob, fileName?: string];

export interface RequestOptions {
	headers?: Record<string, string>;
	body?: Dispatcher.RequestOptions['body'];
}

/** A plain client of the reference service that trusts its certificate authority. */
export class Client {
	private readonly agent: Agent;

	constructor(private readonly service: ReferenceService) {
		const ca = readFileSync(service.caCertificatePath, 'utf8');
		this.agent = new Agent({ connect: { ca } });
	}

	/** Sends a request. The default caller is the member, who may read and write. */
	async send(
		method: Dispatcher.HttpMethod,
		address: string,
		caller: Caller = 'member',
		{ headers = {}, ...options }: RequestOptions = {},
	): Promise<Reply> {
		const key = caller === 'nobody' ? undefined : this.service.identities[caller].apiKey;
		const answer = await request(`${this.service.baseUrl}${address}`, {
			...options,
			method,
			dispatcher: this.agent,
			headers: { ...(key === undefined ? {} : { authorization: `Basic ${key}` }), ...headers },
		});
		return new Reply(answer.statusCode, answer.headers, await answer.body.text());
	}

	async get(address: string, caller?: Caller, options?: RequestOptions): Promise<Reply> {
		return await this.send('GET', address, caller, options);
	}

	async postJson(
		address: string,
		body: unknown,
		caller?: Caller,
		method: Dispatcher.HttpMethod = 'POST',
	): Promise<Reply> {
		return await this.send(method, address, caller, {
			headers: { 'content-type': 'application/json' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	async postForm(
		address: string,
		fields: Array<[string, string]>,
		caller?: Caller,
	): Promise<Reply> {
		return await this.send('POST', address, caller, {
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams(fields).toString(),
		});
	}

	async postParts(address: string, parts: readonly Part[], caller?: Caller): Promise<Reply> {
		const body = new FormData();
		for (const [name, content, fileName] of parts) {
			if (fileName === undefined) body.append(name, content);
			else body.append(name, new Blob([content]), fileName);
		}
		return await this.send('POST', address, caller, { body });
	}

	async close(): Promise<void> {
		await this.agent.destroy();
	}
}

/** Returns the address of a sheet or record for an API request, with additional query parameters. */
export function addressOf({ path, index }: SheetAddress, recordId?: number, query = ''): string {
	const folders = path.split('/').map(encodeURIComponent).join('/');
	const record = recordId === undefined ? '' : `/${recordId}`;
	return `/acme/${folders}/${index}${record}?api${query && `&${query}`}`;
}

/** Returns the address of a mass operation. */
export function massAddressOf({ path, index }: SheetAddress, type: string, query: string): string {
	return `/acme/${path}/${index}/massOperation/${type}?api${query && `&${query}`}`;
}

/** An error response with this code and any message. */
export const refused = (code: number) => ({ status: 'ERROR', code, msg: expect.any(String) });
