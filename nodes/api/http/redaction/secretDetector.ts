import { readingsOf, textOfBytes } from './escapes';
import { getOrInsert } from '../../json/objects';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;

/** The same in hex: with fewer digits, any long number might be a part of it. */
const hexLength = 2 * tellingLength;

/** Fewer characters of a short secret in another form are found in any text. */
const shortestForm = 4;

/** What is secret by its place: a key, session or password in an address, and a key in a header (specification, "Authentication"). */
const secretPlace = /[?&](?:APIKey|sid|p)=[^&\s"'<>#\\]|authorization\W+Basic\s+\S/i;

/** What must not be told, by its length. */
type Parts = Map<number, Set<string>>;

/**
 * Tells whether a text holds one of the secrets, or eight characters of it in a row: as they are, in base64, in hex or
 * decoded from base64, in whatever escapes, and in either letter case. Its time grows with the length of the text only.
 *
 * A secret of ordinary words has such a run in common with texts that do not mean it. They count as
 * well: whoever reads them is told nothing of the secret, not even that it is made of such words.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const parts: Parts = new Map();
	for (const secret of secrets.map((text) => text.trim()).filter(Boolean)) {
		for (const [form, length] of tellingForms(secret)) addParts(parts, form, length);
	}
	return (text) => {
		for (const reading of readingsOf(text)) {
			if (secretPlace.test(reading) || holdsPart(comparable(reading), parts)) return true;
		}
		return false;
	};
}

/** A secret in other forms, each with how many characters of it in a row are too many. */
function* tellingForms(secret: string): Generator<[form: string, length: number]> {
	const isLong = secret.length >= tellingLength;
	const own = Buffer.from(secret);
	const decoded = isLong ? Buffer.from(secret, 'base64') : Buffer.alloc(0);
	const texts = [...readingsOf(secret), decoded.toString('utf8'), textOfBytes(decoded)];
	for (const text of [...texts, ...base64Forms(own), ...base64Forms(decoded)]) {
		// Cut into parts only afterwards: capitals may be more letters.
		const form = comparable(text);
		if (isLong && form.length >= tellingLength) yield [form, tellingLength];
		else if (text === secret || form.length >= shortestForm) yield [form, form.length];
	}
	for (const hex of [own, decoded].map((bytes) => comparable(bytes.toString('hex')))) {
		if (isLong) yield [hex, hexLength];
		else if (hex.length >= shortestForm) yield [hex, hex.length];
	}
}

/** At each of the three places where they may begin among others, without what depends on these. */
function base64Forms(bytes: Buffer): string[] {
	return [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), bytes]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return all.toString('base64').slice(start, end);
	});
}

/**
 * In one letter case, by way of small letters, since some capitals are not those of their small letters; `+` is a
 * blank in addresses, and addresses have a base64 of their own.
 */
function comparable(text: string): string {
	return text.toLowerCase().toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}

function addParts(parts: Parts, form: string, length: number): void {
	const ofLength = getOrInsert(parts, length, () => new Set());
	for (const part of partsOf(form, length)) ofLength.add(part);
}

function holdsPart(text: string, parts: Parts): boolean {
	for (const [length, ofLength] of parts) {
		for (const part of partsOf(text, length)) if (ofLength.has(part)) return true;
	}
	return false;
}

function* partsOf(text: string, length: number): Generator<string> {
	for (let end = length; end <= text.length; end++) yield text.slice(end - length, end);
}
