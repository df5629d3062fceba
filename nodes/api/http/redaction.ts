/** What stands in place of words of the service that hold a secret. */
export const redactedText =
	'What the service said is redacted, because it holds a secret of the credential';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;

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

/** Returns a test of whether a text holds one of the secrets, or eight characters of it in a row: in any letter case, percent-encoded, with escapes, in base64 or decoded. */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const trimmed = secrets.map((secret) => secret.trim()).filter(Boolean);
	const parts = [...new Set(trimmed.flatMap(partsOf))];
	return (text) =>
		[text, withoutPercents(text), withoutBackslashes(text)].some((reading) => {
			const compared = comparable(reading);
			return secretPlace.test(reading) || parts.some((part) => compared.includes(part));
		});
}

/** Every eight characters in a row of a secret in any of its forms, or the whole of a shorter one. */
function partsOf(secret: string): string[] {
	if (secret.length < tellingLength) return [comparable(secret)];
	return formsOf(secret).flatMap((form) => {
		const count = Math.max(0, form.length - tellingLength + 1);
		return Array.from({ length: count }, (_, start) => form.slice(start, start + tellingLength));
	});
}

/** The secret as it is, in base64 behind zero to two other bytes, and decoded from base64. */
function formsOf(secret: string): string[] {
	const inBase64 = [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return all.toString('base64').slice(start, end);
	});
	const decoded = Buffer.from(secret, 'base64');
	return [secret, ...inBase64, decoded.toString(), decoded.toString('latin1')].map(comparable);
}

/** In one letter case: some capitals are not those of their small letters. Addresses have their own blank and base64. */
function comparable(text: string): string {
	return text.toLowerCase().toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}

function withoutPercents(text: string): string {
	return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
		Buffer.from(bytes.replace(/%/g, ''), 'hex').toString(),
	);
}

function withoutBackslashes(text: string): string {
	return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code?: string, letter = '') =>
		code ? String.fromCharCode(parseInt(code, 16)) : letter,
	);
}
