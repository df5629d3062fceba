import { readingsOf, textOfBytes } from './escapes';

/** What is told in place of words of the service that hold a secret. */
export const withheldWords =
	'What the service said is withheld, because it holds a secret of the credential';

/** So many characters of a secret in a row are too many. A shorter secret counts as a whole. */
const tellingLength = 8;
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
	const addRun = (run: string) => runs.add(run);
	for (const secret of secrets.map((text) => text.trim()).filter(Boolean)) {
		const isLong = secret.length >= tellingLength;
		const decoded = isLong ? formsOf(Buffer.from(secret, 'base64')) : [];
		for (const form of [...readingsOf(secret), ...formsOf(Buffer.from(secret)), ...decoded]) {
			if (isLong && form.length >= tellingLength) runsOf(comparable(form)).forEach(addRun);
			else if (form === secret || form.length >= shortestForm) wholes.push(comparable(form));
		}
	}
	const holdsSecret = (text: string) =>
		wholes.some((whole) => text.includes(whole)) || holdsRun(text, runs);
	return (text) => {
		for (const reading of readingsOf(text)) {
			if (secretPlace.test(reading) || holdsSecret(comparable(reading))) return true;
		}
		return false;
	};
}

/** As a text, in hex, the way that Node.js prints bytes, and in base64. */
function formsOf(bytes: Buffer): string[] {
	const hex = bytes.toString('hex');
	const texts = [bytes.toString('utf8'), textOfBytes(bytes)];
	return [...texts, hex, hex.replace(/..(?=.)/g, '$& '), ...base64Forms(bytes)];
}

/** At each of the three places where they may begin among others, without what depends on these. */
function base64Forms(bytes: Buffer): string[] {
	return [0, 1, 2].map((before) => {
		const all = Buffer.concat([Buffer.alloc(before), bytes]);
		const [start, end] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
		return all.toString('base64').slice(start, end);
	});
}

/** In one letter case; `+` is a blank in addresses, and addresses have a base64 of their own. */
function comparable(text: string): string {
	return text.toUpperCase().replace(/[ -]/g, '+').replace(/_/g, '/');
}

function runsOf(text: string): string[] {
	const count = Math.max(0, text.length - tellingLength + 1);
	return Array.from({ length: count }, (_, start) => text.slice(start, start + tellingLength));
}

function holdsRun(text: string, runs: ReadonlySet<string>): boolean {
	for (let start = 0; start + tellingLength <= text.length; start++) {
		if (runs.has(text.slice(start, start + tellingLength))) return true;
	}
	return false;
}
