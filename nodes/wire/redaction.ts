import { readingsOf, textOfBytes } from './escapes';

/** What is told in place of words of the service that hold a secret. */
export const withheldWords =
	'What the service said is withheld, because it holds a secret of the credential';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;
/** The same in hex: with fewer digits, any long number might be a part of it. */
const hexLength = 2 * tellingLength;
/** Fewer characters of a short secret in another form are found in any text. */
const shortestForm = 4;

/** What is secret by its place: a key, session or password in an address, and a key in a header (specification, "Authentication"). */
const secretPlace = /[?&](?:APIKey|sid|p)=[^&\s"'<>#\\]|authorization\W+Basic\s+\S/i;

/**
 * Tells whether a text holds one of the secrets, or eight characters of it in a row: as they are, in base64, in hex or
 * decoded from base64, in whatever escapes, and in either letter case. Its time grows with the length of the text only.
 *
 * A secret of ordinary words has such a run in common with texts that do not mean it. They count as
 * well: whoever reads them is told nothing of the secret, not even that it is made of such words.
 */
export function secretDetector(secrets: readonly string[]): (text: string) => boolean {
	const wholes: string[] = [];
	const runs = new Set<string>();
	const hexRuns = new Set<string>();
	for (const secret of secrets.map((text) => text.trim()).filter(Boolean)) {
		const isLong = secret.length >= tellingLength;
		const own = Buffer.from(secret);
		const decoded = isLong ? Buffer.from(secret, 'base64') : Buffer.alloc(0);
		const texts = [...readingsOf(secret), decoded.toString('utf8'), textOfBytes(decoded)];
		for (const text of [...texts, ...base64Forms(own), ...base64Forms(decoded)]) {
			// Cut into runs only afterwards: capitals may be more letters.
			const form = comparable(text);
			if (isLong && form.length >= tellingLength) addRuns(runs, form, tellingLength);
			else if (text === secret || form.length >= shortestForm) wholes.push(form);
		}
		for (const hex of [own, decoded].map((bytes) => comparable(bytes.toString('hex')))) {
			if (isLong) addRuns(hexRuns, hex, hexLength);
			else if (hex.length >= shortestForm) wholes.push(hex);
		}
	}
	const holdsSecret = (text: string) =>
		wholes.some((whole) => text.includes(whole)) ||
		holdsRun(text, runs, tellingLength) ||
		holdsRun(text, hexRuns, hexLength);
	return (text) => {
		for (const reading of readingsOf(text)) {
			if (secretPlace.test(reading) || holdsSecret(comparable(reading))) return true;
		}
		return false;
	};
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

function addRuns(runs: Set<string>, form: string, length: number): void {
	for (let end = length; end <= form.length; end++) {
		runs.add(form.slice(end - length, end));
	}
}

function holdsRun(text: string, runs: ReadonlySet<string>, length: number): boolean {
	for (let end = length; end <= text.length; end++) {
		if (runs.has(text.slice(end - length, end))) return true;
	}
	return false;
}
