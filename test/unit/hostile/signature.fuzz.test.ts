import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { constant } from 'fast-check';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import {
	isJsonObject,
	JsonSyntaxError,
	parseOrderedJson,
	type JsonValue,
} from '../../../nodes/api/json/orderedJson';
import { parseDelivery, DeliveryRefusal } from '../../../nodes/api/webhooks/delivery';
import { signableTexts } from '../api/json/signableTexts';
import { fuzz } from './fuzz';
import { jsonTexts, mutated } from './jsonTexts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bodyOf = (data: string) => `{"data":${data},"x":1}`;

/**
 * Returns the value of a text, with numbers as their texts and strings as digits. The `JSON.parse` of Node.js 24 may parse a
 * name with escapes as another name.
 */
function meaning(text: string): unknown {
	const withoutEscapes = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
		token.startsWith('"') ? `"${digitsOf(String(JSON.parse(token)))}"` : `"number ${token}"`,
	);
	return JSON.parse(withoutEscapes);
}

function digitsOf(text: string): string {
	return Buffer.from(text, 'utf16le').toString('hex');
}

/** Returns whether two values are equal, with the keys of objects in any order. */
function isSame(left: unknown, right: unknown): boolean {
	return sortedText(left) === sortedText(right);
}

function sortedText(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.entries(value)
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, element]) => `${JSON.stringify(key)}:${sortedText(element)}`);
	return `{${members.join(',')}}`;
}

/** Returns whether an object in the text repeats a name in another spelling. No signer produces such a text. */
function repeatsNames(text: string): boolean {
	const written = text.match(/"(?:[^"\\]|\\.)*"(?=:)/g) ?? [];
	return written.length > namesIn(meaning(text));
}

function namesIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const keyCount = Array.isArray(value) ? 0 : Object.keys(value).length;
	return Object.values(value).reduce<number>((sum, element) => sum + namesIn(element), keyCount);
}

/** Returns the delivery in a text; undefined if the text is rejected. */
function accepted(text: string) {
	try {
		return atOnce(parseDelivery(text));
	} catch (refusal) {
		if (refusal instanceof DeliveryRefusal && refusal.message.length <= 100) return undefined;
		throw refusal;
	}
}

function isSigned(body: string, signature: string): boolean {
	const bytes = Buffer.from(signature, 'base64');
	return signableTexts(body).some((text) =>
		verify('RSA-SHA256', Buffer.from(text), publicKey, bytes),
	);
}

/** Returns whether the keys of every object are sorted by code units. */
function isSorted(value: JsonValue): boolean {
	if (Array.isArray(value)) return value.every(isSorted);
	if (!isJsonObject(value)) return true;
	const names = [...value.keys()];
	const isInOrder = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name);
	return isInOrder && [...value.values()].every(isSorted);
}

it('the texts that may have been signed have the delivered content, sorted keys, and are their own canonical texts', () => {
	fuzz('canonicalJson', jsonTexts, (data) => {
		const texts = signableTexts(bodyOf(data));
		const [first = ''] = texts;
		if (texts.length === 0 || new Set(texts).size !== texts.length) throw new Error('Texts');
		if (repeatsNames(first)) return;
		for (const text of texts) {
			if (!isSame(meaning(text), meaning(data))) throw new Error(`Another value: ${text}`);
			const [again] = signableTexts(bodyOf(text));
			if (again !== text) throw new Error(`With white space: ${text}`);
			if (!isSorted(parseOrderedJson(text))) throw new Error(`Not sorted: ${text}`);
		}
		const spaced = ` { "y" : [ ] , "data" :\n${data}\t} `;
		const [ofSpaced] = signableTexts(spaced);
		if (ofSpaced !== first) throw new Error('White space and other members matter');
	});
});

it('a signature does not fit a body with other content', () => {
	const signed =
		'[{"_svcId":5,"1000001":1.0,"b":"\\u003c/é"},{"105":"x","_subtable_7":{"10":[1]}}]';
	const [text = ''] = signableTexts(bodyOf(signed));
	const signature = sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');
	const members = '"apname":"acme","path":"/a","sheetIndex":1,"eventType":"UPDATE"';
	const body = `{"data":${signed},${members},"signature":"${signature}"}`;
	fuzz('signature', mutated(constant(body)), (altered) => {
		const delivery = accepted(altered);
		const { signature } = delivery?.envelope ?? {};
		if (signature === undefined || !isSigned(altered, signature)) return;
		const data: unknown = Object(meaning(altered))[digitsOf('data')];
		if (!isSame(data, meaning(signed))) throw new Error('Taken for signed');
	});
});

it('the parser of deliveries accepts or rejects any text, and throws nothing else', () => {
	const data = jsonTexts.map(
		(value) =>
			`{"data":[${value}],"apname":"a","path":"/a/","sheetIndex":1,"eventType":"CREATE","signature":"AA=="}`,
	);
	fuzz('delivery', mutated(data), (text) => {
		const delivery = accepted(text);
		if (!delivery?.envelope) return;
		try {
			for (const signedText of signableTexts(text)) JSON.parse(signedText);
			if (isSigned(text, delivery.envelope.signature ?? '')) throw new Error('Taken for signed');
		} catch (error) {
			if (!(error instanceof JsonSyntaxError)) throw error;
		}
	});
});
