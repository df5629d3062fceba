import { decodeHtmlEntities, htmlEntity } from '../values/htmlEntities';

/** What stands in place of words of the service that hold a secret. */
export const redactedText =
	'What the service said is redacted, because it holds a secret of the credential';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;

/** Maximum number of escapings within another that are removed. */
const maxLayers = 4;

/** Percent-escapes, escapes of JSON and entities of HTML. */
const escapes = [/(?:%[\da-f]{2})+/, /\\(?:u[\da-f]{4}|.)/, htmlEntity];

/** For each selection of the kinds of escapes, what finds them in a text. */
const escapeSets = escapes
	.reduce<string[][]>((sets, { source }) => [...sets, ...sets.map((set) => [...set, source])], [[]])
	.slice(1)
	.map((sources) => new RegExp(sources.join('|'), 'gi'));

/** What is secret by its place: a key, session or password in an address, and a key in a header (specification, "Authentication"). */
const secretPlace = /[?&](?:amp;)?(?:APIKey|sid|p)=[^&\s"'<>#\\]|authorization\W+Basic\s+\S/i;

/** Returns what puts `redactedText` in place of each of the words, in texts that repeat them, that holds a secret. */
export function redacting(
	words: readonly string[],
	secrets: readonly string[],
): (text: string) => string {
	// One of them may hold another.
	const redacted = words
		.filter(secretDetector(secrets))
		.sort((left, right) => right.length - left.length);
	return (text) => redacted.reduce((left, said) => left.split(said).join(redactedText), text);
}

/**
 * Returns a test of whether a text holds one of the secrets, or eight characters of it in a row: in any letter case, with
 * percent-escapes, JSON escapes or HTML entities, mixed or within another, and in base64 or decoded from it.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const trimmed = secrets.map((secret) => secret.trim()).filter(Boolean);
	const parts = [...new Set(trimmed.flatMap(partsOf))];
	return (text) =>
		[...readingsOf(text)].some((reading) => {
			const compared = comparable(reading);
			return secretPlace.test(reading) || parts.some((part) => compared.includes(part));
		});
}

/** Returns every eight characters in a row of a secret in any of its forms, and the whole of what is shorter. */
function partsOf(secret: string): string[] {
	const readings = [...readingsOf(secret)].map(comparable);
	if (secret.length < tellingLength) return readings;
	const short = readings.filter((reading) => reading.length < tellingLength);
	const runs = [...readings, ...base64Forms(secret)].flatMap((form) => {
		const count = Math.max(0, form.length - tellingLength + 1);
		return Array.from({ length: count }, (_, start) => form.slice(start, start + tellingLength));
	});
	return [...short, ...runs];
}

/** Returns the secret in base64 behind zero to two other bytes, and decoded from base64. */
function base64Forms(secret: string): string[] {
	const inBase64 = [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return all.toString('base64').slice(start, end);
	});
	const decoded = Buffer.from(secret, 'base64');
	return [...inBase64, decoded.toString(), decoded.toString('latin1')].map(comparable);
}

/**
 * Returns the text as it is, and after each step of removing a layer of escapes, for each selection of their kinds: what
 * looks like an escape of another kind may be meant as it is. So a secret that looks like one has several readings, too.
 */
function readingsOf(text: string): Set<string> {
	const readings = new Set([text]);
	for (const escape of escapeSets) {
		let reading = text;
		for (let layer = 0; layer < maxLayers; layer++) {
			reading = reading.replace(escape, withoutEscape);
			readings.add(reading);
		}
	}
	return readings;
}

/** Returns the characters that an escape of any kind stands for. */
function withoutEscape(escape: string): string {
	if (escape.startsWith('&')) return decodeHtmlEntities(escape);
	if (escape.startsWith('%')) return Buffer.from(escape.replace(/%/g, ''), 'hex').toString();
	return /^.u./i.test(escape)
		? String.fromCharCode(parseInt(escape.slice(2), 16))
		: escape.slice(1);
}

/** In one letter case: some capitals are not those of their small letters. Addresses have their own blank and base64. */
function comparable(text: string): string {
	return text.toLowerCase().toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}
