import { InputError } from './inputError';
import { percentDecoded } from './text';

/** A pasted address. The scheme may be missing, and the path of a sheet may follow the host. */
const pastedAddress =
	/^(?:https:\/\/)?(?![a-z][a-z\d+.-]*:[/\\])([^/?#@\s\\]+)(?:\/([^/?#\s]*)(?:[/?#]\S*)?)?$/i;

/** Typing mistakes in a base URL, with the message for each. The first match counts. */
const mistakes: ReadonlyArray<readonly [RegExp, string]> = [
	[
		/^["'`‘’‚“”„«»]|["'`‘’‚“”„«»]$/,
		'The base URL in the credential is not a web address: remove the quotation marks',
	],
	[
		/^https?(?:\/|;|:(?!\/\/)|\s|[^a-z\d:]*\/\/)/i,
		'The base URL in the credential is not a web address: it must begin with https://',
	],
	[/^http:/i, 'The base URL begins with http: the service answers HTTPS only'],
];

/** Host of an origin: a name or an IPv4 address, or an IPv6 address. The URL standard also allows hosts such as `=https`. */
const plainHost = /^https:\/\/(?:[\w-]+(?:\.[\w-]+)*\.?|\[[^\]]+\])(?::\d+)?$/;

/** Returns a pasted text without white space around it, and without invisible characters, which web pages add. */
function visibleAddress(text: string): string {
	return text.replace(/\p{Cf}+/gu, '').trim();
}

/** Returns the origin of a service address (`https://host[:port]`) and ignores its path. Throws InputError for any other text. */
export function serviceOrigin(baseUrl: string): string {
	const address = visibleAddress(baseUrl);
	const [, mistake] = mistakes.find(([pattern]) => pattern.test(address)) ?? [];
	const host = pastedAddress.exec(address)?.[1];
	const origin = host === undefined ? undefined : originOf(`https://${host}`);
	if (origin !== undefined && plainHost.test(origin) && mistake === undefined) return origin;
	throw new InputError(
		mistake ?? 'The base URL in the credential is not an address of the form https://host',
		undefined,
		'setBaseUrl',
	);
}

/** Returns the account in a pasted address (the first segment of its path), or an empty text. */
export function accountIn(baseUrl: string): string {
	const account = pastedAddress.exec(visibleAddress(baseUrl))?.[2] ?? '';
	return percentDecoded(account) ?? account;
}

/** Throws InputError unless a request has one address, with the origin of the credential. */
export function requireServiceAddress(
	{ url, uri, baseURL }: { url?: string; uri?: string; baseURL?: string },
	credentialUrl: string,
): void {
	// Accept only one complete address (n8n's HTTP Request node uses `uri`). With `baseURL`, the final address is uncertain.
	const isOne = baseURL === undefined && (url === undefined || uri === undefined);
	if (isOne && originOf(url ?? uri ?? '') === serviceOrigin(credentialUrl)) return;
	throw new InputError(
		'The credential is for another host: its secrets are only sent to its own base URL',
		'Check the address of the request.',
		'checkBaseUrl',
	);
}

/** Returns the origin of an address, or undefined if it is not a URL. */
export function originOf(address: string): string | undefined {
	return urlOf(address)?.origin;
}

/** Parses an address. Returns undefined if it is not a URL. `URL.canParse` is not used, because some versions of Node.js reject non-ASCII letters. */
export function urlOf(address: string, base?: string): URL | undefined {
	try {
		return new URL(address, base);
	} catch {
		return undefined;
	}
}
