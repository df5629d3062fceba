/** What stands in place of words of the service that hold a secret. */
export const redactedText =
	'What the service said is redacted, because it holds a secret of the credential';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;
/** Fewer characters of a short secret in another form are found in any text. */
const shortestForm = 4;

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
 * Returns a test of whether a text contains one of the secrets, or eight characters of it in a row: as they are, in
 * base64 or decoded from it, in escapes, and in either letter case.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const parts = new Set(
		secrets
			.map((text) => text.trim())
			.filter(Boolean)
			.flatMap(partsOf),
	);
	const holdsPart = (text: string) => [...parts].some((part) => text.includes(part));
	return (text) =>
		[text, ...escapes.map(([escape, read]) => text.replace(escape, read))].some(
			(reading) => secretPlace.test(reading) || holdsPart(comparable(reading)),
		);
}

/** The parts that reveal a secret in any of its forms: every eight characters in a row, or the whole of a shorter secret. */
function partsOf(secret: string): string[] {
	const isLong = secret.length >= tellingLength;
	return formsOf(secret, isLong).flatMap((form) => {
		if (form.length < shortestForm && form !== comparable(secret)) return [];
		const length = isLong ? tellingLength : form.length;
		const starts = Array.from({ length: form.length - length + 1 }, (_, start) => start);
		return starts.map((start) => form.slice(start, start + length));
	});
}

/** The secret as it is, in base64 behind zero to two other bytes, and decoded from base64. */
function formsOf(secret: string, isLong: boolean): string[] {
	const inBase64 = [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return all.toString('base64').slice(start, end);
	});
	const decoded = Buffer.from(isLong ? secret : '', 'base64');
	return [secret, ...inBase64, decoded.toString(), decoded.toString('latin1')].map(comparable);
}

/** In one letter case: some capitals are not those of their small letters. Addresses have their own blank and base64. */
function comparable(text: string): string {
	return text.toLowerCase().toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}

const named: ReadonlyMap<string, string> = new Map(
	Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);
const entities: ReadonlyMap<string, string> = new Map(
	Object.entries({ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }),
);

/** The escapes of addresses, of programs and of pages, each with what reads it. */
const escapes: ReadonlyArray<[RegExp, (written: string, code?: string, name?: string) => string]> =
	[
		[/(?:%[0-9a-f]{2})+/gi, (written) => Buffer.from(written.replace(/%/g, ''), 'hex').toString()],
		[
			/\\(?:u([0-9a-f]{4})|(.))/gi,
			(_, code, letter = '') =>
				code ? String.fromCharCode(Number(`0x${code}`)) : (named.get(letter) ?? letter),
		],
		[
			/&(?:#(x[0-9a-f]{1,6}|\d{1,7})|(amp|apos|gt|lt|quot));/gi,
			(written, code, name = '') => {
				if (code === undefined) return entities.get(name.toLowerCase()) ?? written;
				const point = Number(`0${code}`);
				return point <= 0x10ffff ? String.fromCodePoint(point) : written;
			},
		],
	];
