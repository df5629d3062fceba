import type { IHttpRequestOptions } from 'n8n-workflow';
import { Client } from '../../../../nodes/api/http/client';

export interface FakeRequest {
	method: string;
	url: URL;
	body: unknown;
}

export interface FakeAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** A text, or a value that is serialized as JSON. */
	body?: unknown;
	/** A body that is not a text: a stream, or undefined. */
	raw?: unknown;
}

export interface FakeConnection {
	signal?: AbortSignal;
	requestsPerSecond?: number;
	/** Account of the service. Unique by default, because requests of one account wait for each other. */
	account?: string;
	/** Whether the credential is one with a session, which has begun. */
	hasSession?: boolean;
	/** Replaces n8n's sleep in tests of waiting. */
	sleep?: ReturnType<typeof newSleep>;
}

let accounts = 0;

/** Returns a sleep function with separate deadlines. Its timers do not keep the process alive. */
function newSleep() {
	return async (milliseconds: number, signal?: AbortSignal) =>
		await new Promise<void>((resolve, reject) => {
			const timer = setTimeout(resolve, milliseconds).unref();
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		});
}

/** Replaces n8n's HTTP helper. A function returns the answer to each request, or throws. */
export class FakeService {
	readonly requests: FakeRequest[] = [];

	constructor(
		private readonly answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
	) {}

	async connect({
		signal,
		requestsPerSecond = 0,
		account = `account${++accounts}`,
		hasSession = false,
		sleep: sleepFor = newSleep(),
	}: FakeConnection = {}): Promise<Client> {
		const credential = {
			baseUrl: 'https://host',
			account,
			...(hasSession
				? { email: 'a@host.example', password: 'a+secret/word', sessionId: 'a+secret/session' }
				: { apiKey: 'a+secret/key==' }),
			requestsPerSecond,
		};
		const send = this.answered.bind(this);
		const host = { credential: async () => credential, send, sleep: sleepFor, signal };
		return await Client.connect(host, hasSession ? 'sheetRecordsSessionApi' : 'sheetRecordsApi');
	}

	private async answered({ method = 'GET', url, body }: IHttpRequestOptions): Promise<unknown> {
		const request = { method, url: new URL(url), body };
		this.requests.push(request);
		const answer = await this.answer(request);
		const { status = 200, headers = {}, body: answered = {} } = answer;
		const text = typeof answered === 'string' ? answered : JSON.stringify(answered);
		return { statusCode: status, headers, body: 'raw' in answer ? answer.raw : text };
	}
}

/** Answers with these answers in order, and repeats the last one. */
export function inOrder(answers: readonly FakeAnswer[]): () => FakeAnswer {
	let count = 0;
	return () => answers[Math.min(count++, answers.length - 1)] ?? {};
}
