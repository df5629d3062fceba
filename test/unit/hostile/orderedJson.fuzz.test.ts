import { oneof, string } from 'fast-check';
import {
	isJsonObject,
	JsonSyntaxError,
	parseOrderedJson,
	type JsonValue,
} from '../../../nodes/api/json/orderedJson';
import { plain } from '../../../nodes/api/read/record';
import { fuzz } from './fuzz';
import { jsonTexts, mutated } from './jsonTexts';

/** Prefix of the text of a number, because `JSON.parse` loses the digits. */
const numberMark = '\ue000';
/** Prefix of each text, so that none is taken for a number: a text may begin with any character. */
const textMark = '\ue003';
/** Prefix of each key, because `JSON.parse` sorts keys that look like integers. */
const keyMark = '\ue002';
const token = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)|-?\d[\d.eE+-]*|\{\s*\}|\{/g;

/**
 * Prefix of an unused key, added to each object. Without it, the `JSON.parse` of Node.js 24 guesses keys from earlier
 * objects: it parses `{"a":0,"\u0062":0}` as `{"a":0,"\\":0}` after it has parsed the latter.
 */
const newKeyMark = '\ue001';
let newKeys = 0;

/** Returns the result of `JSON.parse` with marked keys and texts, and numbers as marked texts; undefined if it throws. */
function parsed(text: string): { value: unknown } | undefined {
	try {
		JSON.parse(text);
	} catch {
		return undefined;
	}
	const marked = text.replace(token, (found, colon?: string) => {
		if (found === '{') return `{"${newKeyMark}${newKeys++}":0,`;
		if (colon !== undefined) return `"${keyMark}${found.slice(1)}`;
		if (found.startsWith('"')) return `"${textMark}${found.slice(1)}`;
		return found.startsWith('{') ? found : `"${numberMark}${found}"`;
	});
	return { value: JSON.parse(marked) };
}

/** Returns the same text for equal decimal numbers. */
function exactDecimal(number: string): string {
	const [, sign = '', whole = '', fraction = '', exponent = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
	let digits = BigInt(whole + fraction);
	if (digits === 0n) return '0';
	let power = Number(exponent) - fraction.length;
	for (; digits % 10n === 0n; digits /= 10n) power += 1;
	return `${sign}${digits}e${power}`;
}

/** Throws unless the value is a number with all digits, or the text if JavaScript cannot hold all digits. */
function expectNumber(ordered: JsonValue, token: string): void {
	const number = Number(token);
	const isHeld = Number.isFinite(number) && exactDecimal(String(number)) === exactDecimal(token);
	if (!Object.is(ordered, isHeld ? number : token)) throw new Error(`Another number: ${token}`);
}

/** Compares the values of the parser and of `JSON.parse`. */
function expectSame(ordered: JsonValue, value: unknown): void {
	if (Array.isArray(ordered)) {
		if (!Array.isArray(value) || value.length !== ordered.length) throw new Error('Another list');
		ordered.forEach((element, index) => expectSame(element, value[index]));
	} else if (isJsonObject(ordered)) {
		if (typeof value !== 'object' || value === null) throw new Error('Another object');
		const keys = [...ordered.keys()].map((key) => keyMark + key);
		const members = Object.entries(value).filter(([key]) => !key.startsWith(newKeyMark));
		if (JSON.stringify(keys) !== JSON.stringify(members.map(([key]) => key))) {
			throw new Error('Other keys, or in another order');
		}
		[...ordered.values()].forEach((element, index) => expectSame(element, members[index]?.[1]));
	} else if (typeof value === 'string' && value.startsWith(numberMark)) {
		expectNumber(ordered, value.slice(numberMark.length));
	} else if (ordered !== (typeof value === 'string' ? value.slice(textMark.length) : value)) {
		throw new Error('Another value');
	}
}

/** Checks that the parser accepts the same texts as `JSON.parse` and returns the same values. */
function examine(text: string): void {
	const expected = parsed(text);
	let ordered: JsonValue;
	try {
		ordered = parseOrderedJson(text);
	} catch (error) {
		if (!(error instanceof JsonSyntaxError)) throw error;
		if (expected) throw new Error('It is JSON, and was refused');
		const position = Number(/ at character (\d+)$/.exec(error.message)?.[1]);
		if (!(position <= text.length)) throw new Error('No such position');
		return;
	}
	if (!expected) throw new Error('It is no JSON, and was taken');
	expectSame(ordered, expected.value);
	plain(ordered);
	if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype was changed');
}

describe('the parser and JSON.parse', () => {
	it('the parser and JSON.parse read the same value from any JSON, with keys in the order of the text', () => {
		fuzz('orderedJson', jsonTexts, examine);
	});

	it('the parser and JSON.parse accept and reject the same texts', () => {
		const anyText = string({ unit: 'binary', maxLength: 20 });
		fuzz('orderedJson.mutated', oneof(mutated(jsonTexts), anyText), examine);
	});
});
