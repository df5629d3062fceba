import { parseOrderedJson, isJsonObject } from '../../../../nodes/api/json/orderedJson';
import { contentDigest, keysDigest } from '../../../../nodes/api/read/recordKeys';

function digestOf(text: string, digest = contentDigest): string {
	const content = parseOrderedJson(text);
	if (!isJsonObject(content)) throw new Error('No record');
	return digest(content);
}

const record = (members: string, row: string) =>
	`{"_ragicId":5,${members}"1000001":"a","_subtable_2":{"109":{"_ragicId":109,${row}"3":"x"}}}`;
const plain = digestOf(record('', ''));

it.each([
	['"_seq":1,', ''],
	['', '"_parentRagicId":5,"_header_Y":[8,9],"_start_X":1,'],
])('positions in an answer or on a page are not content: %s %s', (members, row) => {
	expect(digestOf(record(members, row))).toBe(plain);
});

it.each([
	...['_create_date', '_update_date', '_update_user', '109', 'changedFields'],
	...['_dataTimestamp', '_index_', '_index_calDates_', '_parentRagicId', '_locked'],
])('when, by whom and which fields were changed is not content: %s', (key) => {
	for (const value of ['"2026/01/31 10:00:00"', '["1000001"]']) {
		expect(digestOf(record(`"${key}":${value},`, ''))).toBe(plain);
	}
});

it.each([
	[record('', '').replace('"x"', '"y"')],
	[record('', '').replace('"a"', '"b"')],
	[record('', '').replace('{"109":{"_ragicId":109,"3":"x"}}', '{}')],
])('fields and rows are content: %s', (text) => {
	expect(digestOf(text)).not.toBe(plain);
});

describe('the digest of names and row IDs', () => {
	const keysOf = (text: string) => digestOf(text, keysDigest);
	const base = keysOf('{"Name":"a","_subtable_2":{"7":{"Article":"x"}}}');

	it('the digest of names stays the same when values change', () => {
		expect(keysOf('{"Name":"b","_subtable_2":{"7":{"Article":"y"}}}')).toBe(base);
	});

	it.each([
		{ what: 'a field', text: '{"Title":"a","_subtable_2":{"7":{"Article":"x"}}}' },
		{ what: 'a field of a row', text: '{"Name":"a","_subtable_2":{"7":{"Product":"x"}}}' },
		{ what: 'the ID of a row', text: '{"Name":"a","_subtable_2":{"8":{"Article":"x"}}}' },
	])('the digest of names changes with $what', ({ text }) => {
		expect(keysOf(text)).not.toBe(base);
	});
});
