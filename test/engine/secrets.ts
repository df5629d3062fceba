import type { ReferenceService, SeenRequest } from '../service';

/**
 * The secrets of the service that a text holds in any form in which they might slip out.
 *
 * @param except a text in which the test itself named secrets: those are not looked for
 */
export function secretsFoundIn(text: string, service: ReferenceService, except = ''): string[] {
	return secretsOf(service)
		.filter((secret) => !except.includes(secret))
		.flatMap(formsOf)
		.filter((form) => text.includes(form));
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

/** Raw, as part of an address or a form, as base64, and escaped as in JSON, once and twice. */
function formsOf(secret: string): string[] {
	const escaped = JSON.stringify(secret).slice(1, -1);
	const forms = [
		secret,
		encodeURIComponent(secret),
		encodeURI(secret),
		new URLSearchParams([['', secret]]).toString().slice(1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(`${secret}:`).toString('base64'),
		escaped,
		JSON.stringify(escaped).slice(1, -1),
	];
	return [...new Set(forms)];
}
