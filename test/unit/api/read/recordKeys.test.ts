import { parseOrderedJson, isJsonObject } from '../../../../nodes/api/json/orderedJson';
import {
	contentDigest,
	internalKeys,
	isAddedKey,
	isInformationKey,
	keysDigest,
	nonFieldKeys,
	sourceOffset,
	sourceRecordId,
	valuesDigest,
} from '../../../../nodes/api/read/recordKeys';
import { everyEntryMatters } from '../../everyEntry';

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

it.each([contentDigest, valuesDigest, keysDigest])(
	'an empty subtable and a missing one have the same digest, with and without keys that are not rows: %p',
	(digest) => {
		const rows = ['', ',"_subtable_2":{}', ',"_subtable_2":{"_count":0}'];
		const digests = rows.map((text) => digestOf(`{"1000001":"a"${text}}`, digest));
		expect(new Set(digests).size).toBe(1);
		const row = '{"7":{"3":"x"}';
		const counted = [`${row}}`, `${row},"_count":1}`, `{"_header_Y":[8],${row.slice(1)}}`];
		const ofRows = counted.map((text) => digestOf(`{"_subtable_2":${text}}`, digest));
		expect(new Set(ofRows).size).toBe(1);
	},
);

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

describe('keys that are not fields', () => {
	const information = [
		...['_create_date', '_create_user', '_update_date', '_update_user', '_seq'],
		...['_approval', '_conversation', '_history'],
	];
	const ofService = [
		...['_index_', '_index_calDates_', '_dataTimestamp', '_parentRagicId', '_header_Y', '_start_X'],
		...['_if_entry_manager', '_locked', '_access_user', '_notify_user', '_approve_status'],
		...['_approve_next', '_data_nodeIds'],
	];
	const internal = [...ofService, '_svcId', '_ragicId', '_index_title_', '_star'];
	const ofItems = [
		...['_recordId', '_rowId', '_title', '_starred', '_timeZone', '_warning', '_action'],
		...['_fileNames', '_event', '_verified', '_source', '_deleted', '_changedFields'],
		...['_previous', '_remaining', '_changed', '_changes', '_copiedFrom', '_missing'],
		'_unreadable',
	];
	const changingByThemselves = [
		...['_create_date', '_update_date', '_update_user', '_seq', 'changedFields', '109'],
		...ofService,
	];
	const idKeys = ['_svcId', '_ragicId', '_recordId'];

	it('each of them is known', () => {
		expect([...information, ...internal, ...ofItems].filter((key) => !isAddedKey(key))).toEqual([]);
		expect(information.filter((key) => !isInformationKey(key))).toEqual([]);
		expect([...internal, ...ofItems].filter(isInformationKey)).toEqual([]);
		expect([...internalKeys].sort()).toEqual([...internal].sort());
		expect([...nonFieldKeys].sort()).toEqual([...internal, ...ofItems].sort());
	});

	it.each(idKeys)('%s of an item is the ID of its record', (key) => {
		expect(sourceRecordId({ [key]: 7 })).toBe('7');
		expect(sourceRecordId({ [key]: 0 })).toBe('0');
	});

	it.each(changingByThemselves)('%s is not content', (key) => {
		expect(digestOf(record(`"${key}":"x",`, ''))).toBe(plain);
	});

	it.each(['_create_user', '_approval', '_history', '_title'])('%s is content', (key) => {
		expect(digestOf(record(`"${key}":"x",`, ''))).not.toBe(plain);
	});

	everyEntryMatters<typeof import('../../../../nodes/api/read/recordKeys')>(
		'nodes/api/read/recordKeys.ts',
		(tested) => [
			information.map(tested.isInformationKey),
			[[...tested.internalKeys], [...tested.nonFieldKeys]],
			idKeys.map((key) => tested.sourceRecordId({ [key]: 7 })),
			changingByThemselves.map((key) =>
				digestOf(record(`"${key}":"x",`, ''), tested.contentDigest),
			),
		],
	);
});

it.each<[unknown, number | undefined]>([
	[8, 8],
	[0, 0],
	['5.5', 5.5],
	['-3', -3],
	['0', 0],
	...['', ' ', 'x', null, undefined, NaN, true, [8]].map((value): [unknown, undefined] => [
		value,
		undefined,
	]),
])('an item with the _timeZone %p has times with the offset %p', (_timeZone, offset) => {
	expect(sourceOffset({ _timeZone })).toBe(offset);
});

it.each(['0', 'false', '"0"'])('the value %s is none of the empty values of a digest', (value) => {
	const ofValue = (text: string) => digestOf(`{"1":${text}}`, valuesDigest);
	const emptyDigests = ['""', 'null', '[]'].map(ofValue);
	expect(new Set(emptyDigests)).toEqual(new Set([digestOf('{}', valuesDigest)]));
	expect(emptyDigests).not.toContain(ofValue(value));
});
