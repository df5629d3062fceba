/** So often escapes are read in what escapes stood for: an address in an address in a JSON text in a page. */
const deepest = 4;

/** What it is called behind `&`, and the character. */
const entities = new Map(
	'amp& apos\' ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! gt> lpar( lt< num# percnt% period. plus+ quest? quot" rpar) semi; sol/'
		.split(' ')
		.map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);
const controls = new Map([
	['b', '\b'],
	['f', '\f'],
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
]);

/**
 * The text, and what it says when its escapes are read, and then those in what they stood for: of addresses, of
 * JSON and programs, and of pages; bytes in hex are put together. Each takes time in proportion to the text.
 */
export function* readingsOf(text: string): Generator<string> {
	yield text;
	let last = text;
	for (let depth = 0; depth < deepest; depth++) {
		for (const read of [readAddress, readProgram, readPage, readBytes]) {
			const reading = read(last);
			if (reading !== last) yield reading;
			last = reading;
		}
	}
}

/** Bytes as a text: of UTF-8, or else of Latin-1. */
export function textOfBytes(bytes: Buffer): string {
	const text = bytes.toString('utf8');
	return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

function readAddress(text: string): string {
	return text.replace(/%u([0-9a-f]{4})|(?:%[0-9a-f]{2})+/gi, (escape: string, unit?: string) =>
		unit === undefined
			? textOfBytes(Buffer.from(escape.replace(/%/g, ''), 'hex'))
			: characterOf(`0x${unit}`, escape),
	);
}

function readProgram(text: string): string {
	return text.replace(
		/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|(["'\\/bfnrt]))/gi,
		(escape: string, unit?: string, byte?: string, point?: string, letter?: string) =>
			letter === undefined
				? characterOf(`0x${unit ?? byte ?? point}`, escape)
				: (controls.get(letter.toLowerCase()) ?? letter),
	);
}

function readPage(text: string): string {
	return text.replace(
		/&(?:#(x[0-9a-f]{1,6}|\d{1,7})|([a-z]{2,6}));?/gi,
		(escape: string, number?: string, name = '') =>
			number === undefined
				? (entities.get(name.toLowerCase()) ?? escape)
				: characterOf(`0${number}`, escape),
	);
}

/** `6b 65 79`, as Node.js shows bytes, or with colons. */
function readBytes(text: string): string {
	return text.replace(/([0-9a-f]{2})[ +:-](?=[0-9a-f]{2})/gi, '$1');
}

/** The character of a number, as a program spells it; the escape where there is none. */
function characterOf(number: string, escape: string): string {
	const code = Number(number);
	return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}
