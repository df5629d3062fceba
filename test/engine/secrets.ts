import type { ReferenceService, SeenRequest } from '../service';
import { amount } from '../amount';

type Form = (text: string) => string;

/** Functions that escape a text. */
export const escapings = {
	'in a query': encodeURIComponent,
	'in a query with plus signs': (text) => new URLSearchParams([['', text]]).toString().slice(1),
	'in a strictly encoded query': strictlyEncoded,
	'in lower-case percent signs': (text) => strictlyEncoded(text).replace(/%../g, lowerCase),
	'in JSON': jsonText,
	'in JSON with escaped slashes': (text) => jsonText(text).replace(/\//g, '\\/'),
	'in JSON with every unit escaped': (text) =>
		everyCharacter(text.split(''), (code) => `\\u${code.toString(16).padStart(4, '0')}`),
	'in HTML': namedEntities,
	'in HTML within HTML': (text) => namedEntities(namedEntities(text)),
	'in HTML with every character as a decimal number': (text) =>
		everyCharacter([...text], (code) => `&#${code};`),
	'in a query with percent signs and Unicode numbers': (text) =>
		everyCharacter(text.split(''), (code) => `%u${code.toString(16).padStart(4, '0')}`),
	'in HTML with decimal numbers without semicolons': (text) =>
		everyCharacter([...text], (code) => `&#${code}`),
	'in HTML with hexadecimal numbers with leading zeros': (text) =>
		everyCharacter([...text], (code) => `&#x${code.toString(16).padStart(6, '0')};`),
} satisfies Record<string, Form>;

/** Formats in which a message of the service may contain a complete secret. */
export const secretForms: Readonly<Record<string, Form>> = {
	'as it is': (secret) => secret,
	...escapings,
	'in base64': (secret) => Buffer.from(secret).toString('base64'),
	'in base64 without padding': (secret) => Buffer.from(secret).toString('base64url'),
	'in base64 behind a name': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
	'in hexadecimal digits with colons': (secret) => bytesOf(secret).join(':'),
	'in quoted-printable': (secret) => `=${bytesOf(secret).join('=')}`,
};

function bytesOf(text: string): string[] {
	return Buffer.from(text).toString('hex').match(/../g) ?? [];
}

function lowerCase(text: string): string {
	return text.toLowerCase();
}

const entityNames: Readonly<Record<string, string>> = {
	...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '/': 'sol' },
	...{ '+': 'plus', '=': 'equals', '%': 'percnt', é: 'eacute', ü: 'uuml' },
};

function namedEntities(text: string): string {
	return [...text]
		.map((character) => (character in entityNames ? `&${entityNames[character]};` : character))
		.join('');
}

function jsonText(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function everyCharacter(characters: readonly string[], write: (code: number) => string): string {
	return characters.map((character) => write(character.codePointAt(0) ?? 0)).join('');
}

function strictlyEncoded(text: string): string {
	return encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** Minimum number of consecutive characters of a secret that count as a leak. */
const minFragmentLength = 8;

/**
 * Returns the service's secrets that a text contains, in any format: complete escaped secrets, or fragments of eight
 * characters in other formats.
 *
 * @param except input of the test; secrets in it are ignored
 */
export function secretsFoundIn(text: string, service: ReferenceService, except = ''): string[] {
	const secrets = secretsOf(service).filter((secret) => !except.includes(secret));
	const { escaped, runs } = traitsOf(secrets);
	const whole = [...escaped].filter((form) => text.includes(form));
	const parts = runs.foundIn(text);
	return [...new Set([...whole, ...parts.filter((part) => !except.includes(part))])];
}

/** All fragments of a fixed length in the added texts. */
class Fragments {
	private readonly runs = new Set<string>();

	/** Hashes of the first three characters of the fragments, to skip most positions of large texts quickly. */
	private readonly beginnings = new Uint8Array(1 << 16);

	constructor(private readonly length: number) {}

	add(text: string): void {
		for (let start = 0; start + this.length <= text.length; start++) {
			this.runs.add(text.slice(start, start + this.length));
			this.beginnings[hashAt(text, start)] = 1;
		}
	}

	foundIn(text: string): string[] {
		const found: string[] = [];
		for (let start = 0; start + this.length <= text.length; start++) {
			if (this.beginnings[hashAt(text, start)] === 0) continue;
			const run = text.slice(start, start + this.length);
			if (this.runs.has(run)) found.push(run);
		}
		return found;
	}
}

/** Traits of secrets. */
class Traits {
	readonly secrets = new Set<string>();

	/** Escaped formats of the secrets. */
	readonly escaped = new Set<string>();

	/** Fragments of all other formats. */
	readonly runs = new Fragments(minFragmentLength);

	add(secret: string): void {
		if (this.secrets.has(secret)) return;
		this.secrets.add(secret);
		for (const form of escapedForms(secret)) this.escaped.add(form);
		for (const form of plainForms(secret)) this.runs.add(form);
	}
}

/** Traits of the last searched secrets. Most searches are for the same ones, those of the service's users, and for new sessions. */
let latest = new Traits();

function traitsOf(secrets: string[]): Traits {
	const searched = new Set(secrets);
	if ([...latest.secrets].some((secret) => !searched.has(secret))) latest = new Traits();
	for (const secret of searched) latest.add(secret);
	return latest;
}

/** Returns a hash of the three characters at the position. */
function hashAt(text: string, start: number): number {
	const first = text.charCodeAt(start) << 10;
	const second = text.charCodeAt(start + 1) << 5;
	return (first ^ second ^ text.charCodeAt(start + 2)) & 0xffff;
}

/** Returns all keys, passwords and sessions of the service, and the sessions in requests. */
function secretsOf({ identities, requests, sessionIds }: ReferenceService): string[] {
	const ownSecrets = Object.values(identities).flatMap(({ apiKey, password }) => [
		apiKey,
		password,
	]);
	return [...new Set([...ownSecrets, ...sessionIds, ...requests.all().flatMap(sessionIdsOf)])];
}

function sessionIdsOf({ query, headers }: SeenRequest): string[] {
	const inQuery = query.filter(([name]) => name === 'sid').map(([, value]) => value);
	const cookies = [headers.cookie ?? ''].flat().join('; ').split('; ');
	const inCookies = cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1));
	// A short session ID, such as an expired or invented one, could be found by accident.
	return [...inQuery, ...inCookies].filter((sessionId) => sessionId.length >= 8);
}

/** Returns the secret itself, in base64 on its own and after other characters, and decoded from base64. */
function plainForms(secret: string): string[] {
	const decoded = Buffer.from(secret, 'base64');
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(`${' '.repeat(before)}${secret}:`).toString('base64');
		// The first and the last characters also depend on the surrounding text.
		return encoded.slice(2 * before).replace(/.=*$/, '');
	});
	return [secret, decoded.toString(), decoded.toString('latin1'), ...inBase64];
}

function escapedForms(secret: string): string[] {
	return [encodeURI, ...Object.values(escapings)].map((escape) => escape(secret));
}

/** Returns all parts of the request in every format in which a server may repeat them. */
export function echoOf({ rawUrl, query, headers, body }: SeenRequest): string {
	const identity = [...query.map(([, value]) => value), headers.authorization, headers.cookie]
		.filter((value) => typeof value === 'string')
		.flatMap((value) => [value, value.replace(/^(Basic |[\w-]+=)/, '')]);
	return [
		rawUrl,
		decodeURIComponent(rawUrl),
		encodeURIComponent(rawUrl),
		JSON.stringify(headers),
		JSON.stringify(JSON.stringify(headers)),
		JSON.stringify(body ?? null),
		...identity.map((value) => Buffer.from(value).toString('base64')),
		...identity.map((value) => Buffer.from(`${value}:`).toString('base64')),
		...identity.map((value) => new URLSearchParams([['', value]]).toString()),
		...Object.values(secretForms).flatMap((form) => identity.map(form)),
		...identity.map((value) => Buffer.from(value, 'base64').toString()),
		...identity.map((value) => value.replace(/=+$/, '')),
		...identity.map((value) => `${value.slice(0, 10)}...`),
		...identity,
	].join(' ; ');
}

/** Ways to authenticate a request: the credential, and its place in the request. */
export const ways: Array<[authentication: string, place: string]> = [
	['apiKey', 'header'],
	['apiKey', 'query'],
	['session', 'query'],
	['session', 'cookie'],
];

/**
 * Returns the cases to test with one way of authentication. All requests share the code for authentication, so each case is
 * tested with one way; in long runs with two ways, and in weekly runs with all.
 */
export function casesOf<Case>(way: readonly string[], cases: readonly Case[]): Case[] {
	const wayIndex = ways.findIndex((another) => another.join() === way.join());
	return cases.filter((_, index) =>
		amount(index % ways.length === wayIndex, index % 2 === wayIndex % 2, true),
	);
}
