import { InputError } from './inputError';
import { percentDecoded } from './text';

/** An address as it may be pasted: its scheme may be missing, and a sheet may follow the host. */
const pastedAddress =
	/^(?:https:\/\/)?(?![a-z][a-z\d+.-]*:[/\\])([^/?#@\s\\]+)(?:\/([^/?#\s]*)(?:[/?#]\S*)?)?$/i;

/** Returns the origin of a service address, `https://host[:port]`, whatever path follows. Throws InputError for what is no such address. */
export function serviceOrigin(baseUrl: string): string {
	const address = baseUrl.trim();
	const host = pastedAddress.exec(address)?.[1];
	const origin = host === undefined ? undefined : originOf(`https://${host}`);
	if (origin !== undefined) return origin;
	const message = /^http:/i.test(address)
		? 'The base URL begins with http: the service answers HTTPS only'
		: 'The base URL in the credential is not an address of the form https://host';
	throw new InputError(message, undefined, 'setBaseUrl');
}

/** Returns the account in a pasted address, the first part of its path; empty when there is none. */
export function accountIn(baseUrl: string): string {
	const account = pastedAddress.exec(baseUrl.trim())?.[2] ?? '';
	return percentDecoded(account) ?? account;
}

/** Throws InputError when a request goes to another address than the credential's own. */
export function requireServiceAddress(
	{ url, uri, baseURL }: { url?: string; uri?: string; baseURL?: string },
	baseUrl: string,
): void {
	// In one place (n8n's HTTP Request node says `uri`), and whole: joined with a base, nobody knows what counts.
	const isOne = baseURL === undefined && (url === undefined || uri === undefined);
	if (isOne && originOf(url ?? uri ?? '') === serviceOrigin(baseUrl)) return;
	throw new InputError(
		'The credential is for another host: its secrets are only sent to its own base URL',
		'Check the address of the request.',
		'checkBaseUrl',
	);
}

/** Returns the origin of an address, if any. */
export function originOf(address: string): string | undefined {
	return urlOf(address)?.origin;
}

/** Returns an address, if it is one. Not by `URL.canParse`: some versions of Node.js refuse letters beyond ASCII. */
export function urlOf(address: string, base?: string): URL | undefined {
	try {
		return new URL(address, base);
	} catch {
		return undefined;
	}
}
