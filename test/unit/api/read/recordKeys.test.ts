import { parseOrderedJson, isJsonObject } from '../../../../nodes/api/json/orderedJson';
import { contentDigest } from '../../../../nodes/api/read/recordKeys';

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
	['', '"_parentRagicId":5,"_header_Y":[8,9],"_start_X":1,'],
])('positions in an answer or on a page are not content: %s %s', (more, row) => {
	expect(digestOf(record(more, row))).toBe(plain);
});

it.each([
	[record('', '').replace('"x"', '"y"')],
	[record('', '').replace('"a"', '"b"')],
	[record('', '').replace('{"109":{"_ragicId":109,"3":"x"}}', '{}')],
])('fields and rows are content: %s', (text) => {
	expect(digestOf(text)).not.toBe(plain);
});
