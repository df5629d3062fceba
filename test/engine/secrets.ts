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
	const whole = escaped.filter((form) => text.includes(form));
	const parts = runs.flatMap((ofLength) => ofLength.foundIn(text));
	return [...new Set([...whole, ...parts.filter((part) => !except.includes(part))])];
}

interface Traits {
	/** The secrets written with escapes. */
	escaped: string[];
	/** What is telling of the other forms. */
	runs: Runs[];
}

/** Most texts are searched for the same secrets: those of the service's users. */
let latest: { secrets: string; traits: Traits } | undefined;

function traitsOf(secrets: string[]): Traits {
	const name = secrets.join('\n');
	if (latest?.secrets !== name) {
		const plain = new Runs(secrets.flatMap(plainForms), tellingLength);
		const hex = new Runs(secrets.flatMap(hexForms), 2 * tellingLength);
		const traits = { escaped: secrets.flatMap(escapedForms), runs: [plain, hex] };
		latest = { secrets: name, traits };
	}
	return latest.traits;
}

/** All runs of so many characters in some texts. */
class Runs {
	private readonly runs = new Set<string>();

	/** How runs begin: what is recorded of an execution may have megabytes, of which few begin like one. */
	private readonly beginnings = new Uint8Array(1 << 16);

	constructor(
		texts: readonly string[],
		private readonly length: number,
	) {
		for (const text of texts) {
			for (let start = 0; start + length <= text.length; start++) {
				this.runs.add(text.slice(start, start + length));
				this.beginnings[beginningAt(text, start)] = 1;
			}
		}
	}

	foundIn(text: string): string[] {
		const found: string[] = [];
		for (let start = 0; start + this.length <= text.length; start++) {
			if (this.beginnings[beginningAt(text, start)] === 0) continue;
			const run = text.slice(start, start + this.length);
			if (this.runs.has(run)) found.push(run);
		}
		return found;
	}
}

/** A number that is the same wherever the next three characters are the same. */
function beginningAt(text: string, start: number): number {
	const first = text.charCodeAt(start) << 10;
	const second = text.charCodeAt(start + 1) << 5;
	return (first ^ second ^ text.charCodeAt(start + 2)) & 0xffff;
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
