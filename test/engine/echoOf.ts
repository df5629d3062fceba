import type { SeenRequest } from '../service';
import { secretForms } from './secretForms';

/** The request with everything in it, in every form in which a server may repeat it. */
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
