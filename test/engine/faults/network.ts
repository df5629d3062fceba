import type { ClientRequest, RequestOptions } from 'node:http';
import https from 'node:https';
import { closedPort } from '../client/closedPort';

export interface RequestHead {
	method: string;
	rawUrl: string;
	headers: Record<string, string | string[] | undefined>;
}

export type IsRequest = (request: RequestHead) => boolean;

interface Refusal {
	port: string;
	matches: IsRequest;
	left: number;
}

/** Network between the node and its services. It can refuse connections and simulate time-outs. */
export class Network {
	private refusals: Refusal[] = [];

	private readonly refused = new Map<string, number>();

	private readonly open = new Map<string, ClientRequest>();

	private readonly timeouts = new Map<string, number>();

	constructor() {
		const send: typeof https.request = https.request.bind(https);
		jest.spyOn(https, 'request').mockImplementation((...requestArguments: unknown[]) => {
			const [options, callback] = requestArguments;
			if (!isOptions(options) || !isCallback(callback)) throw new Error('An unknown way to send');
			return this.watched(options, send(this.redirected(options), callback));
		});
	}

	/** Refuses connections to a service's port for the next matching requests. */
	refuse(baseUrl: string, matches: IsRequest, times: number): void {
		this.refusals.push({ port: new URL(baseUrl).port, matches, left: times });
	}

	refusedBy(baseUrl: string): number {
		return this.refused.get(new URL(baseUrl).port) ?? 0;
	}

	/** Emits the time-out of the running request to the service at once. */
	timeOut(baseUrl: string): void {
		this.open.get(new URL(baseUrl).port)?.emit('timeout');
	}

	/** Returns the shortest time-out of the requests to the service, in ms. */
	patienceWith(baseUrl: string): number {
		return this.timeouts.get(new URL(baseUrl).port) ?? 0;
	}

	forget(baseUrl: string): void {
		const { port } = new URL(baseUrl);
		this.refusals = this.refusals.filter((refusal) => refusal.port !== port);
		for (const recordsByPort of [this.refused, this.open, this.timeouts])
			recordsByPort.delete(port);
	}

	private redirected(options: RequestOptions): RequestOptions {
		const port = String(options.port);
		const head = headOf(options);
		const refusal = this.refusals.find(
			(fault) => fault.port === port && fault.left > 0 && fault.matches(head),
		);
		if (!refusal) return options;
		refusal.left -= 1;
		this.refused.set(port, (this.refused.get(port) ?? 0) + 1);
		return { ...options, port: closedPort };
	}

	private watched({ port: input }: RequestOptions, request: ClientRequest): ClientRequest {
		const port = String(input);
		this.open.set(port, request);
		const setTimeout = request.setTimeout.bind(request);
		jest.spyOn(request, 'setTimeout').mockImplementation((milliseconds, callback) => {
			const least = Math.min(milliseconds, this.timeouts.get(port) ?? Infinity);
			this.timeouts.set(port, least);
			return setTimeout(milliseconds, callback);
		});
		return request;
	}
}

/** Provides one network for all tests of a file. */
export function useNetwork(): () => Network {
	let network: Network | undefined;
	beforeAll(() => {
		network = new Network();
	});
	return () => {
		if (!network) throw new Error('The network is not watched yet');
		return network;
	};
}

function headOf({ method, path, headers }: RequestOptions): RequestHead {
	const entries = headers && !Array.isArray(headers) ? Object.entries(headers) : [];
	const texts = entries.map(([name, value]) => [name.toLowerCase(), String(value)]);
	return { method: method ?? 'GET', rawUrl: path ?? '/', headers: Object.fromEntries(texts) };
}

function isOptions(value: unknown): value is RequestOptions {
	return typeof value === 'object' && value !== null && 'port' in value;
}

function isCallback(value: unknown): value is () => void {
	return typeof value === 'function';
}
