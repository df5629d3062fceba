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
	const runs = new Set(secrets.flatMap(plainForms).flatMap(runsOf));
	const found = [
		...secrets.flatMap(escapedForms).filter((form) => text.includes(form)),
		...runsOf(text).filter((run) => runs.has(run) && !except.includes(run)),
	];
	return [...new Set(found)];
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

/** As it is, in base64 alone and behind what stands in front, in hex, and decoded from base64. */
function plainForms(secret: string): string[] {
	const decoded = Buffer.from(secret, 'base64');
	const inBase64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.from(`${' '.repeat(before)}${secret}:`).toString('base64');
		// The first and the last of them tell of what is around.
		return encoded.slice(2 * before).replace(/.=*$/, '');
	});
	const hex = [Buffer.from(secret), decoded].map((bytes) => bytes.toString('hex'));
	const texts = [secret, decoded.toString(), decoded.toString('latin1')];
	return [...texts, ...inBase64, ...hex, ...hex.map((digits) => digits.toUpperCase())];
}

/** Once and twice. */
function escapedForms(secret: string): string[] {
	const forms = [encodeURI, ...Object.values(escapings)].map((escape) => escape(secret));
	const again = forms.map((form) => JSON.stringify(form).slice(1, -1));
	return [...new Set([...forms, ...again])];
}

function runsOf(text: string): string[] {
	const count = Math.max(0, text.length - tellingLength + 1);
	return Array.from({ length: count }, (_, start) => text.slice(start, start + tellingLength));
}
