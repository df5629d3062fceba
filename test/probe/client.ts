import { codeOf, isObject, jsonOf, type ServiceAnswer } from './answer';
import { withoutSecrets } from './table';

/** Clock of the probe. Tests replace it. */
interface ProbeClock {
	/** Current time in ms, relative to an arbitrary moment. */
	now(): number;
	wait(milliseconds: number): Promise<void>;
}

export interface Connection {
	/** Begins with `https://`. */
	baseUrl: string;
	account: string;
	apiKey: string;
	/** Login for the questions about sessions. */
	login?: { email: string; password: string } | undefined;
	clock: ProbeClock;
	/** Minimum time between the starts of two requests. */
	intervalMilliseconds: number;
}

/**
 * Authentication of a request. `keyWithCookie` sends the key with the cookie that a read with the key has set, and `cookie`
 * sends only this cookie. `nobody` sends no authentication.
 */
export type Caller =
	'key' | 'keyInQuery' | 'keyWithCookie' | 'cookie' | 'nobody' | 'wrongKey' | 'unknownSession';

type Body = URLSearchParams | FormData | string;

/** Thrown if the service does not respond. */
export class NoAnswer extends Error {}

const timeLimitMilliseconds = 120_000;
const maxRestMilliseconds = 30_000;

/** An invalid key in the format of a key. */
const wrongKey = 'c2hlZXQtcmVjb3Jkcy1wcm9iZS9ub2JvZHkrMDAwMDAwMA==';
const unknownSession = 'sheetRecordsProbeUnknownSession';

/** Sends requests to the service over HTTPS, one at a time, with a minimum interval. Hides secrets in responses. */
export class ProbeClient {
	/** Number of requests, of overload responses and of temporary rejections, and the longest response time in ms. */
	readonly effort = { requests: 0, overloads: 0, passingRefusals: 0, slowest: 0 };

	private readonly secrets: string[];

	private keyCookie: string | undefined;

	private nextAt = -Infinity;

	constructor(private readonly connection: Connection) {
		const { baseUrl, apiKey, login } = connection;
		if (!baseUrl.startsWith('https://')) throw new Error('The base URL must begin with https://');
		this.secrets = [apiKey, ...(login ? [login.password, login.email] : [])];
	}

	/** Returns the URL of a path of the account. */
	addressOf(path: string): string {
		const { baseUrl, account } = this.connection;
		const segments = [account, ...path.split('/').filter(Boolean)].map(encodeURIComponent);
		return `${baseUrl}/${segments.join('/')}`;
	}

	get account(): string {
		return this.connection.account;
	}

	get clock(): ProbeClock {
		return this.connection.clock;
	}

	get hasLogin(): boolean {
		return this.connection.login !== undefined;
	}

	/** Returns the text without secrets. */
	visible(text: string): string {
		return withoutSecrets(text, this.secrets);
	}

	/**
	 * Sends a read. A path that begins with `/` is not relative to the account. Retries after an overload response, and after
	 * code 106, which may be temporary.
	 */
	async get(path: string, query: string, caller: Caller = 'key'): Promise<ServiceAnswer> {
		const read = async () => await this.ask('GET', path, query, caller);
		let answer = await read();
		for (let trial = 1; trial <= 2 && isOverload(answer); trial += 1) {
			this.effort.overloads += 1;
			const seconds = Number(answer.retryAfter ?? 2);
			const rest = Number.isFinite(seconds) ? seconds * 1000 : 2000;
			await this.clock.wait(Math.min(rest, maxRestMilliseconds));
			answer = await read();
		}
		return caller === 'key' ? await this.askAgain(answer, read) : answer;
	}

	/** Sends a write. Retries it only after code 106, because the service did not carry out the write. */
	async send(
		method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
		path: string,
		query: string,
		body?: Body,
	): Promise<ServiceAnswer> {
		const write = async () => await this.ask(method, path, query, 'key', body);
		return await this.askAgain(await write(), write);
	}

	private async askAgain(
		first: ServiceAnswer,
		ask: () => Promise<ServiceAnswer>,
	): Promise<ServiceAnswer> {
		if (codeOf(first) !== 106) return first;
		await this.clock.wait(500);
		const second = await ask();
		if (codeOf(second) !== 106) this.effort.passingRefusals += 1;
		return second;
	}

	/** Logs in. Keeps the session ID secret; returns the response, whether it is accepted, and the name of the session cookie. */
	async logIn(): Promise<{
		answer: ServiceAnswer;
		isAccepted: boolean;
		ownCookie?: string | undefined;
	}> {
		const { email, password } = this.connection.login ?? { email: '', password: '' };
		const query = `u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}`;
		const all = `${query}&login_type=sessionId&json=1&api`;
		const { response, text } = await this.fetch('GET', '/AUTH', all, 'nobody');
		const value = jsonOf({ text });
		const sessionId = isObject(value) ? value.sid : text.trim();
		const isAccepted =
			response.ok && typeof sessionId === 'string' && /^[^\s<-][^\s<]*$/.test(sessionId);
		if (isAccepted) this.secrets.push(sessionId);
		const cookies = response.headers.getSetCookie().map(nameAndValue);
		const ownCookie = cookies.find(([, cookieValue]) => cookieValue === sessionId)?.[0];
		return { answer: this.cleaned(response, text), isAccepted, ownCookie };
	}

	private async ask(
		method: string,
		path: string,
		query: string,
		caller: Caller,
		body?: Body,
	): Promise<ServiceAnswer> {
		const { response, text } = await this.fetch(method, path, query, caller, body);
		for (const cookie of response.headers.getSetCookie()) {
			const [pair = ''] = cookie.split(';');
			const [, value] = nameAndValue(cookie);
			// Ignore short values. They do not identify a user, and hiding them would change unrelated texts.
			if (value.length >= 8) this.secrets.push(value);
			if (caller === 'key') this.keyCookie = pair;
		}
		return this.cleaned(response, text);
	}

	private cleaned(response: Response, text: string): ServiceAnswer {
		const { headers, status } = response;
		return {
			status,
			text: this.visible(text),
			contentType: headers.get('content-type') ?? '',
			cookieNames: headers.getSetCookie().map((cookie) => nameAndValue(cookie)[0]),
			retryAfter: headers.get('retry-after') ?? undefined,
		};
	}

	private async fetch(
		method: string,
		path: string,
		query: string,
		caller: Caller,
		body?: Body,
	): Promise<{ response: Response; text: string }> {
		await this.keepPace();
		const { baseUrl } = this.connection;
		const [identity, parameter] = this.identityOf(caller);
		const isJson = typeof body === 'string';
		const headers = { ...identity, ...(isJson && { 'content-type': 'application/json' }) };
		const address = path.startsWith('/') ? `${baseUrl}${path}` : this.addressOf(path);
		const wholeQuery = [query, parameter].filter(Boolean).join('&');
		const url = `${address}${wholeQuery === '' ? '' : `?${wholeQuery}`}`;
		const begun = performance.now();
		try {
			const response = await fetch(url, {
				method,
				headers,
				// Do not follow redirects, so that the key is not sent to another host.
				redirect: 'manual',
				signal: AbortSignal.timeout(timeLimitMilliseconds),
				...(body === undefined ? {} : { body }),
			});
			return { response, text: await response.text() };
		} catch (error) {
			throw new NoAnswer(this.visible(reasonOf(error)));
		} finally {
			this.effort.slowest = Math.max(this.effort.slowest, performance.now() - begun);
		}
	}

	private async keepPace(): Promise<void> {
		this.effort.requests += 1;
		const { clock, intervalMilliseconds } = this.connection;
		const rest = this.nextAt - clock.now();
		if (rest > 0) await clock.wait(rest);
		this.nextAt = clock.now() + intervalMilliseconds;
	}

	private identityOf(caller: Caller): [headers: Record<string, string>, parameter?: string] {
		const { apiKey } = this.connection;
		const key = { authorization: `Basic ${apiKey}` };
		const cookie: Record<string, string> = this.keyCookie ? { cookie: this.keyCookie } : {};
		const identities: Record<Caller, ReturnType<ProbeClient['identityOf']>> = {
			key: [key],
			keyInQuery: [{}, `APIKey=${encodeURIComponent(apiKey)}`],
			keyWithCookie: [{ ...key, ...cookie }],
			cookie: [cookie],
			nobody: [{}],
			wrongKey: [{ authorization: `Basic ${wrongKey}` }],
			unknownSession: [{}, `sid=${unknownSession}`],
		};
		return identities[caller];
	}
}

/** Whether the service rejected the request because of too many requests. */
function isOverload(answer: ServiceAnswer): boolean {
	return codeOf(answer) === 204 || answer.status === 429 || answer.status === 503;
}

function nameAndValue(cookie: string): [name: string, value: string] {
	const [pair = ''] = cookie.split(';');
	const separator = pair.indexOf('=');
	return [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()];
}

/** Returns the reason of a failed request. The cause of a fetch error has a more specific message. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	return cause instanceof Error ? cause.message : error.message;
}
