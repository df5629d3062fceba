import type { ReferenceService, SeenRequest } from '../service';
import { escapings } from './secretForms';

/** So many characters of a secret in a row are no accident. */
const tellingLength = 8;

/**
 * What a text holds of the service's secrets, in any form in which they might slip out: whole when it is written with
 * escapes, else eight characters in a row.
 *
 * @param except a text in which the test itself named secrets: those are not looked for
 */
export function secretsFoundIn(text: string, service: ReferenceService, except = ''): string[] {
	const secrets = secretsOf(service).filter((secret) => !except.includes(secret));
	const { escaped, runs } = traitsOf(secrets);
	const found = new Set(escaped.filter((form) => text.includes(form)));
	for (const [length, ofLength] of runs) {
		for (const run of runsOf(text, length)) {
			if (ofLength.has(run) && !except.includes(run)) found.add(run);
		}
	}
	return [...found];
}

interface Traits {
	/** The secrets written with escapes. */
	escaped: string[];
	/** By their length, what is telling of the other forms. */
	runs: Array<[length: number, runs: ReadonlySet<string>]>;
}

/** Most runs have the same secrets: those of the service's users. */
let latest: { secrets: string; traits: Traits } | undefined;

function traitsOf(secrets: string[]): Traits {
	const name = secrets.join('\n');
	if (latest?.secrets !== name) latest = { secrets: name, traits: findTraits(secrets) };
	return latest.traits;
}

function findTraits(secrets: string[]): Traits {
	const runsIn = (
		formsOf: (secret: string) => string[],
		length: number,
	): Traits['runs'][number] => [
		length,
		new Set(secrets.flatMap(formsOf).flatMap((form) => [...runsOf(form, length)])),
	];
	return {
		escaped: secrets.flatMap(escapedForms),
		runs: [runsIn(plainForms, tellingLength), runsIn(hexForms, 2 * tellingLength)],
	};
}

/** All keys and passwords, the sessions that were ever opened, and those that requests named. */
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
	// An expired or invented session of a few letters would be found by accident.
	return [...inQuery, ...inCookies].filter((sessionId) => sessionId.length >= 8);
}

/** As it is, in base64 alone and behind what stands in front, and decoded from base64. */
function plainForms(secret: string): string[] {
	const decoded = Buffer.from(secret, 'base64');
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(`${' '.repeat(before)}${secret}:`).toString('base64');
		// The first and the last of them tell of what is around.
		return encoded.slice(2 * before).replace(/.=*$/, '');
	});
	return [secret, decoded.toString(), decoded.toString('latin1'), ...inBase64];
}

/** Itself, and decoded from base64. */
function hexForms(secret: string): string[] {
	const hex = [Buffer.from(secret), Buffer.from(secret, 'base64')].map((bytes) =>
		bytes.toString('hex'),
	);
	return [...hex, ...hex.map((digits) => digits.toUpperCase())];
}

/** Once and twice. */
function escapedForms(secret: string): string[] {
	const forms = [encodeURI, ...Object.values(escapings)].map((escape) => escape(secret));
	const again = forms.map((form) => JSON.stringify(form).slice(1, -1));
	return [...new Set([...forms, ...again])];
}

/** One after the other: what is recorded of a run may have megabytes. */
function* runsOf(text: string, length: number): Generator<string> {
	for (let end = length; end <= text.length; end++) yield text.slice(end - length, end);
}
