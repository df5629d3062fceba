/**
 * A text in one of the spellings that it may be read in, as bytes of UTF-8: character by character, with
 * where each of them stands in the text that was given.
 */
export interface Spelling {
	/** A character of Latin-1 for each byte. */
	bytes: string;
	/** Where the character, or the escape, of each byte begins and ends. */
	starts: readonly number[];
	ends: readonly number[];
}

/** So often escapes are looked for in what escapes stood for: an address in an address in a JSON text. */
const deepest = 3;

const entities = new Map<string, string>([
	['amp', '&'],
	['apos', "'"],
	['ast', '*'],
	['bsol', '\\'],
	['colon', ':'],
	['comma', ','],
	['commat', '@'],
	['dollar', '$'],
	['equals', '='],
	['excl', '!'],
	['gt', '>'],
	['lpar', '('],
	['lt', '<'],
	['num', '#'],
	['percnt', '%'],
	['period', '.'],
	['plus', '+'],
	['quest', '?'],
	['quot', '"'],
	['rpar', ')'],
	['semi', ';'],
	['sol', '/'],
]);
const shortEscapes = new Map<string, string>([
	['b', '\b'],
	['f', '\f'],
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
]);

/** One way of writing characters with others. */
interface Escaping {
	/** One escape, and as its last choice what is left of one before a cut. */
	escape: RegExp;
	/** The characters that an escape stands for, as bytes. */
	bytesOf(escape: RegExpExecArray): string;
}

const cutBytes = bytesOf('…');

const escapings: readonly Escaping[] = [
	{
		escape: new RegExp(`%([0-9a-f]{2})|%[0-9a-f]?(?=${cutBytes})`, 'gi'),
		bytesOf: ([, digits]) => (digits === undefined ? '' : fromHex(digits)),
	},
	{
		escape: new RegExp(
			[
				'\\\\u(d[89ab][0-9a-f]{2})\\\\u(d[c-f][0-9a-f]{2})',
				'\\\\u([0-9a-f]{4})',
				'\\\\x([0-9a-f]{2})',
				'\\\\(["\'\\\\/bfnrt])',
				`\\\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?(?=${cutBytes})`,
			].join('|'),
			'gi',
		),
		bytesOf: ([, high, low, unit, short, letter]) => {
			if (high !== undefined && low !== undefined) return bytesOf(fromHex(high) + fromHex(low));
			const code = unit ?? short;
			if (code !== undefined) return bytesOf(fromHex(code));
			return letter === undefined ? '' : (shortEscapes.get(letter) ?? letter);
		},
	},
	{
		escape: new RegExp(
			`&(?:#x([0-9a-f]{1,8});?|#(\\d{1,8});?|([a-z]{2,6});)|&#?\\w{0,8}(?=${cutBytes})`,
			'gi',
		),
		bytesOf: ([escape, hex, decimal, name]) => {
			if (name !== undefined) return entities.get(name.toLowerCase()) ?? escape;
			if (hex === undefined && decimal === undefined) return '';
			const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
			return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : escape;
		},
	},
];

/** A text as it stands, every character for itself. */
export function plainSpelling(text: string): Spelling {
	const bytes: string[] = [];
	const starts: number[] = [];
	const ends: number[] = [];
	let position = 0;
	for (const character of text) {
		const end = position + character.length;
		for (const byte of bytesOf(character)) {
			bytes.push(byte);
			starts.push(position);
			ends.push(end);
		}
		position = end;
	}
	return { bytes: bytes.join(''), starts, ends };
}

/** What is looked for in the spellings of a text. */
export interface Sought {
	/** In bytes, as in a spelling. */
	forms: readonly string[];
	/** Whether what precedes a form may read as an escape together with its first characters. */
	mayBeginInside: boolean;
}

/** So many characters, at most, stand for one of a form: `&amp;#x2F;`, say. */
const longestEscape = 20;

/**
 * The spelling itself, and those in which its escapes are read: percent signs as in addresses, backslashes as
 * in JSON, entities as in pages, and one inside the other. Each takes time in proportion to the text.
 */
export function* spellingsBelow(
	spelling: Spelling,
	sought: Sought,
	depth = deepest,
): Generator<Spelling> {
	yield spelling;
	if (depth === 0) return;
	for (const escaping of escapings) {
		const read = unescaped(spelling, escaping);
		if (read) yield* spellingsBelow(read, sought, depth - 1);
		if (!sought.mayBeginInside) continue;
		for (const part of partsInside(spelling, escaping, sought.forms)) {
			yield* spellingsBelow(part, { ...sought, mayBeginInside: false }, depth);
		}
	}
}

/**
 * The parts that begin within an escape, where one of the forms may begin: a percent sign in front of a
 * secret that begins with `ab` reads as the escape `%ab`, which is none.
 */
function* partsInside(
	{ bytes, starts, ends }: Spelling,
	{ escape }: Escaping,
	forms: readonly string[],
): Generator<Spelling> {
	const length = longestEscape * Math.max(0, ...forms.map((form) => form.length));
	for (const { index, 0: text } of bytes.matchAll(escape)) {
		for (let first = 1; first < text.length; first++) {
			const rest = text.slice(first);
			if (!forms.some((form) => form.startsWith(rest) || rest.startsWith(form))) continue;
			const [start, end] = [index + first, index + first + length];
			yield {
				bytes: bytes.slice(start, end),
				starts: starts.slice(start, end),
				ends: ends.slice(start, end),
			};
		}
	}
}

/** Undefined when there is nothing to read. */
function unescaped({ bytes, starts, ends }: Spelling, escaping: Escaping): Spelling | undefined {
	const read = { bytes: [] as string[], starts: [] as number[], ends: [] as number[] };
	let position = 0;
	const copyUntil = (end: number) => {
		for (; position < end; position++) {
			read.bytes.push(bytes[position] ?? '');
			read.starts.push(starts[position] ?? 0);
			read.ends.push(ends[position] ?? 0);
		}
	};
	for (const match of bytes.matchAll(escaping.escape)) {
		const last = match.index + match[0].length - 1;
		copyUntil(match.index);
		for (const byte of escaping.bytesOf(match)) {
			read.bytes.push(byte);
			read.starts.push(starts[match.index] ?? 0);
			read.ends.push(ends[last] ?? 0);
		}
		position = last + 1;
	}
	if (position === 0) return undefined;
	copyUntil(bytes.length);
	return { ...read, bytes: read.bytes.join('') };
}

function fromHex(digits: string): string {
	return String.fromCharCode(parseInt(digits, 16));
}

/** The bytes of a text in UTF-8, a character of Latin-1 for each. */
export function bytesOf(text: string): string {
	return Buffer.from(text).toString('latin1');
}
