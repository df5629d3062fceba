import { parseOrderedJson, isJsonObject } from '../../../../nodes/api/json/orderedJson';
import { contentDigest, isAddedKey } from '../../../../nodes/api/read/recordKeys';

function digestOf(text: string): string {
	const content = parseOrderedJson(text);
	if (!isJsonObject(content)) throw new Error('No record');
	return contentDigest(content);
}

const record = (more: string, row: string) =>
	`{"_ragicId":5,${more}"1000001":"a","_subtable_2":{"109":{"_ragicId":109,${row}"3":"x"}}}`;
const plain = digestOf(record('', ''));

it.each([
	['"_seq":1,', ''],
	['"_seq":41,"_update_date":"2026/01/31 09:30:00",', ''],
	['', '"_parentRagicId":5,"_header_Y":[8,9],"_start_X":1,'],
	['', '"_header_Y":[12,13],"_start_X":2,'],
])('places in an answer or on a page are no content: %s %s', (more, row) => {
	expect(digestOf(record(more, row))).toBe(plain);
});

it.each([
	[record('', '').replace('"x"', '"y"')],
	[record('', '').replace('"a"', '"b"')],
	[record('', '').replace('{"109":{"_ragicId":109,"3":"x"}}', '{}')],
])('fields and rows are content: %s', (text) => {
	expect(digestOf(text)).not.toBe(plain);
});

it.each(['_seq', '_parentRagicId', '_header_Y', '_start_X'])('%s is never written', (key) => {
	expect(isAddedKey(key)).toBe(true);
});
