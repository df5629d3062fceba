import { decodeHtmlEntities, htmlEntity } from '../values/htmlEntities';

/** Replacement for words of the service that contain a secret. */
export const redactedText =
	'What the service said is redacted, because it holds a secret of the credential';

/** Length from which a fragment of a secret is redacted, in characters. Shorter secrets are redacted as a whole. */
const minFragmentLength = 8;

/** The same for fragments of letters and digits, between which other characters are ignored. */
const letterFragmentLength = 12;

const maxCodePoint = 0x10ffff;

/** Maximum number of nested layers of escapes that are removed. */
const maxLayers = 4;

/** HTML entity. Browsers accept a number without a semicolon. */
const entity = new RegExp(`${htmlEntity.source}|&#(?:\\d+|x[\\da-f]+)`);

/** Percent escapes, JSON escapes and HTML entities. */
const escapes = [
	/(?:%[\da-f]{2})+|%u[\da-f]{4}/,
	/\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|.)/,
	entity,
];

/** Characters that a reader does not see: colors of a terminal, control and format characters, fillers, selectors and accents. */
const invisible = /(?:[^\P{Cc}\s]\[[\d;]*m|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{M}])+/gu;

/** HTML tags, comments and entities without a known character, which a page does not show. */
const markup = /<[^<>]*>|&[a-z][a-z\d]*;/gi;

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
 * session ID or password in an address or header. Recognizes secrets in any letter case and width, with mixed or nested percent
 * escapes, JSON escapes and HTML entities, in or decoded from base64, and in hexadecimal digits. Ignores invisible characters between the characters of
 * a secret and, for secrets with at least eight letters and digits, also blanks, punctuation and tags. Ignores them between
 * hexadecimal digits, too.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const trimmed = secrets.map((secret) => secret.trim()).filter(Boolean);
	const parts = [...new Set(trimmed.flatMap(fragmentsOf))];
	const letterParts = [...new Set(trimmed.flatMap(letterFragmentsOf))];
	return (text) =>
		[...readingsOf(text)].some((reading) => {
			const compared = comparable(reading);
			if (secretPlace.test(reading) || parts.some((part) => compared.includes(part))) return true;
			const letters = [lettersOf(compared), lettersOf(compared.replace(markup, ''))];
			return letterParts.some((part) => letters.some((written) => written.includes(part)));
		});
}

/** Returns all fragments of eight characters of a secret in any of its spellings. Returns shorter spellings as a whole. */
function fragmentsOf(secret: string): string[] {
	const readings = [...readingsOf(secret)].map(comparable).filter(Boolean);
	if (secret.length < minFragmentLength) return readings;
	const short = readings.filter((reading) => reading.length < minFragmentLength);
	const runs = [...readings, ...base64Forms(secret)].flatMap((form) => runsOf(form));
	return [...short, ...runs];
}

/** Returns all fragments of eight bytes of a secret in hexadecimal digits. */
function hexFragments(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const count = Math.max(0, bytes.length - minFragmentLength + 1);
	return Array.from({ length: count }, (_, start) =>
		comparable(bytes.subarray(start, start + minFragmentLength).toString('hex')),
	);
}

/**
 * Returns all fragments of twelve letters and digits of a secret, without the characters between them; the whole of a shorter
 * secret, and none of one with fewer than eight. They are longer than other fragments, because punctuation between words of a
 * text does not separate them. Also returns the fragments in hexadecimal digits.
 */
function letterFragmentsOf(secret: string): string[] {
	const ofLetters = [...readingsOf(secret)].flatMap((reading) => {
		const letters = lettersOf(comparable(reading));
		const length = Math.min(letters.length, letterFragmentLength);
		return length < minFragmentLength ? [] : runsOf(letters, length);
	});
	return [...ofLetters, ...hexFragments(secret)];
}

/** Returns all runs of consecutive characters of a text. */
function runsOf(text: string, length = minFragmentLength): string[] {
	const count = Math.max(0, text.length - length + 1);
	return Array.from({ length: count }, (_, start) => text.slice(start, start + length));
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
 * Several readings are needed because literal text can look like an escape, also in secrets. The same again without invisible
 * characters, because one may be within an escape.
 */
function readingsOf(text: string): Set<string> {
	const readings = new Set<string>();
	for (const clean of [(reading: string) => reading, visible]) {
		readings.add(clean(text));
		for (const escape of escapeSets) {
			let reading = clean(text);
			for (let layer = 0; layer < maxLayers; layer++) {
				const decoded = clean(reading.replace(escape, withoutEscape));
				if (decoded === reading) break;
				readings.add(decoded);
				reading = decoded;
			}
		}
	}
	return readings;
}

/** Returns the characters that an escape of any kind stands for. */
function withoutEscape(escape: string): string {
	if (escape.startsWith('&')) return decodeHtmlEntities(escape.replace(/;?$/, ';'));
	if (/^%[^u]/i.test(escape)) return Buffer.from(escape.replace(/%/g, ''), 'hex').toString();
	const [, code] = /^.(?:u\{?|x)([\da-f]+)\}?$/i.exec(escape) ?? [];
	const number = code === undefined ? Infinity : parseInt(code, 16);
	return number <= maxCodePoint ? String.fromCodePoint(number) : escape.slice(1);
}

/**
 * Returns the text in a form for comparisons. Removes invisible characters, and accents from their letters. Folds letter case
 * in two steps, because some letters have several upper or lower case forms. Maps a blank to `+`, as forms do, and `-` and `_`
 * of the URL-safe base64 alphabet to `+` and `/`.
 */
function comparable(text: string): string {
	const folded = visible(visible(text).toLowerCase().toUpperCase());
	return folded.replace(/[ -]/g, '+').replace(/_/g, '/');
}

function lettersOf(text: string): string {
	return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the text without invisible characters, in the usual width. */
function visible(text: string): string {
	return text.normalize('NFKD').replace(invisible, '');
}
