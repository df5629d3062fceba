import { isAnswerInstead } from '../../../nodes/api/files/fileContent';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { parseOrderedJson } from '../../../nodes/api/json/orderedJson';
import { kindOfEquality } from '../../../nodes/api/sheet/kinds/equality';
import {
	fieldsTooLongForRegex,
	matchConditions,
	matchesConditions,
} from '../../../nodes/api/webhooks/localFilter';
import { parsePublicKey } from '../../../nodes/api/webhooks/publicKey';
import { signedSpelling } from '../../../nodes/api/webhooks/signature';
import { fieldChanges, fieldStates } from '../../../nodes/shared/watchedFields';
import { FakeService } from '../api/http/fakeService';
import { keyTexts, vectors } from '../api/webhooks/signatureVectors';

const characters = (count: number) => 'x'.repeat(count);

it.each([
	[500, true],
	[501, false],
])('JSON with %d levels is read: %j', (levels, isRead) => {
	const parse = () => parseOrderedJson('['.repeat(levels) + ']'.repeat(levels));
	if (isRead) expect(parse).not.toThrow();
	else expect(parse).toThrow('nested too deeply');
});

it.each([
	['list.xls', 480, true],
	['list.xls', 520, false],
])('a text as %s with the word error and %d more characters is no file: %j', (...row) => {
	const [, length, isError] = row;
	const text = Buffer.from(`File not found. ${characters(length)}`);
	const expected = { extension: 'xls', isGenerated: false };
	expect(isAnswerInstead(text, { 'content-type': 'text/plain' }, expected)).toBe(isError);
});

it.each([
	[15_000, true],
	[16_001, false],
])('a public key with %d characters of white space around it is used: %j', (length, isUsed) => {
	const key = parsePublicKey(`${keyTexts.pem}${' '.repeat(length - keyTexts.pem.length)}`);
	expect(key !== undefined).toBe(isUsed);
});

it.each([
	[9_000, true],
	[10_001, false],
])('a signature of %d characters with white space is used: %j', (length, isUsed) => {
	const key = parsePublicKey(keyTexts.pem);
	const [vector] = vectors;
	if (!key || !vector) throw new Error('The key or the vector is missing');
	const signature = vector.signature.padEnd(length, '\n');
	const spelling = atOnce(signedSpelling(vector.signed, signature, key));
	expect(spelling !== undefined).toBe(isUsed);
});

describe('a regular expression of a filter', () => {
	const where = (value: string, fieldId = '1') => ({ fieldId, operator: 'regex', value });
	const content = (text: string) => new Map([['1', text]]);

	it.each([
		[10_000, false],
		[10_001, true],
	])('counts as matching for a text of %d characters without a check: %j', (length, isSkipped) => {
		const record = content(characters(length));
		expect(matchesConditions(record, [where('^y')])).toBe(isSkipped);
		expect(fieldsTooLongForRegex(record, [where('^y')])).toEqual(isSkipped ? ['1'] : []);
	});

	it('takes at most a million steps for one record, in all of its conditions together', () => {
		const record = new Map([
			['1', characters(9_000)],
			['2', characters(9_000)],
		]);
		// About 60 states are active at each character.
		const slow = `(?:${Array.from({ length: 60 }, () => 'xx*z').join('|')})`;
		const shorter = where(slow.slice(0, 40).replace(/\|[^|]*$/, ')'));
		expect(matchConditions(record, [shorter]).slowFields).toEqual([]);
		const match = matchConditions(record, [where(slow)]);
		expect(match).toMatchObject({ isMatch: true, slowFields: ['1'] });
	});
});

it('the values of all watched fields together take at most 200 characters; longer values are compared by a digest', () => {
	const keys = ['Status', 'Remark'];
	const statesWith = (length: number, last = '') =>
		fieldStates(new Map([['Remark', `${characters(length)}${last}`]]), keys);
	expect(statesWith(98)?.Remark).toBe(`"${characters(98)}"`);
	expect(statesWith(99)?.Remark).toMatch(/^#.{6}$/);
	expect(fieldChanges(keys, statesWith(99), statesWith(99))).toEqual({
		changed: [],
		previous: new Map(),
	});
	expect(fieldChanges(keys, statesWith(99), statesWith(99, 'y')).changed).toEqual(['Remark']);
});

it('the kind of equality is judged by five records, and a sixth one is not asked for', async () => {
	const service = new FakeService(() => ({ body: {} }));
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	await kindOfEquality(await service.connect(), sheet, '1000001', '612');
	expect(service.requests.map(({ url }) => url.searchParams.get('limit'))).toEqual(['5']);
});
