import { decodeHtmlEntities, htmlEntity } from '../values/htmlEntities';

/** Replacement for words of the service that contain a secret. */
export const redactedText =
	'What the service said is redacted, because it holds a secret of the credential';

/** Length from which a fragment of a secret is redacted, in characters. Shorter secrets are redacted as a whole. */
const minFragmentLength = 8;

/** Maximum number of nested layers of escapes that are removed. */
const maxLayers = 4;

/** Percent escapes, JSON escapes and HTML entities. */
const escapes = [/(?:%[\da-f]{2})+/, /\\(?:u[\da-f]{4}|.)/, htmlEntity];

/** A pattern for each combination of kinds of escapes. */
const escapeSets = escapes
	.reduce<string[][]>((sets, { source }) => [...sets, ...sets.map((set) => [...set, source])], [[]])
	.slice(1)
	.map((sources) => new RegExp(sources.join('|'), 'gi'));

/** Finds any key, session ID or password in an address, and any key in a header (specification, "Authentication"). */
const secretPlace = /[?&](?:amp;)?(?:APIKey|sid|p)=[^&\s"'<>#\\]|authorization\W+Basic\s+\S/i;

/** Returns a function that replaces, in a text, each of the quoted words that contains a secret with `redactedText`. */
export function redacting(
	words: readonly string[],
	secrets: readonly string[],
): (text: string) => string {
	// Longest first, because one quotation may contain another.
	const redacted = words
		.filter(secretDetector(secrets))
		.sort((left, right) => right.length - left.length);
	return (text) =>
		redacted.reduce((result, quoted) => result.split(quoted).join(redactedText), text);
}

/**
 * Returns a function that checks whether a text contains one of the secrets, eight consecutive characters of one, or any key,
 * session ID or password in an address or header. Recognizes secrets in any letter case, with mixed or nested percent escapes,
 * JSON escapes and HTML entities, and in or decoded from base64.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const trimmed = secrets.map((secret) => secret.trim()).filter(Boolean);
	const parts = [...new Set(trimmed.flatMap(fragmentsOf))];
	return (text) =>
		[...readingsOf(text)].some((reading) => {
			const compared = comparable(reading);
			return secretPlace.test(reading) || parts.some((part) => compared.includes(part));
		});
}

/** Returns all fragments of eight characters of a secret in any of its spellings. Returns shorter spellings as a whole. */
function fragmentsOf(secret: string): string[] {
	const readings = [...readingsOf(secret)].map(comparable);
	if (secret.length < minFragmentLength) return readings;
	const short = readings.filter((reading) => reading.length < minFragmentLength);
	const runs = [...readings, ...base64Forms(secret)].flatMap((form) => {
		const count = Math.max(0, form.length - minFragmentLength + 1);
		return Array.from({ length: count }, (_, start) =>
			form.slice(start, start + minFragmentLength),
		);
	});
	return [...short, ...runs];
}

/** Returns the secret in base64, at each of the three possible byte offsets, and decoded from base64. */
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
 * Returns the text itself and, for each combination of kinds of escapes, the text after each of `maxLayers` rounds of decoding.
 * Several readings are needed because literal text can look like an escape, also in secrets.
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

/**
 * Returns the text in a form for comparisons. Folds letter case in two steps, because some letters have several upper or lower
 * case forms. Maps a blank to `+`, as forms do, and `-` and `_` of the URL-safe base64 alphabet to `+` and `/`.
 */
function comparable(text: string): string {
	return text.toLowerCase().toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}
