import fc from 'fast-check';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import {
	hasNames,
	haveOddNames,
	holdsFieldIds,
	ItemKeys,
	knownNames,
	fieldMapKey,
	unnamedSentence,
	withFieldNames,
	withReadNames,
	type KnownNames,
} from '../../../../nodes/api/sheet/fieldNames';
import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import type { Field } from '../../../../nodes/api/sheet/fields';
import { runs } from '../../../amount';
import { jsonObject, recordOf } from '../jsonObject';

const names: KnownNames = knownNames([
	{ fieldId: '1000001', name: 'City' },
	{ fieldId: '1000002', name: 'Total' },
	{ fieldId: '1000002', name: 'Quantity', subtableId: '2000001' },
]);

/** Returns a record with names, and the IDs that stay. */
function renamed(text: string) {
	const unnamed = new Set<string>();
	return { record: withFieldNames(jsonObject(text), names, unnamed), unnamed: [...unnamed] };
}

it.each([
	{
		content: 'fields',
		byId: '{"_star":false,"1000002":"5","1000001":"Ulm","Note":"a"}',
		byName: '{"_star":false,"Total":"5","City":"Ulm","Note":"a"}',
	},
	{
		content: 'rows, whose fields have other names than those of the sheet',
		byId: '{"1000002":"5","_subtable_2000001":{"7":{"1000002":"3"},"8":{"1000002":"4"}}}',
		byName: '{"Total":"5","_subtable_2000001":{"7":{"Quantity":"3"},"8":{"Quantity":"4"}}}',
	},
	{
		content: 'a subtable with other members than rows',
		byId: '{"_subtable_2000001":{"_count":2,"7":{"1000002":"3"}},"_subtable_2000002":"none"}',
		byName: '{"_subtable_2000001":{"_count":2,"7":{"Quantity":"3"}},"_subtable_2000002":"none"}',
	},
	{
		content: 'comments and other objects, whose keys are not fields',
		byId: '{"_subtable_61":{"7":{"1000001":"Hi"}},"_history":{"1":{"1000001":"a"}},"1000001":"b"}',
		byName: '{"_subtable_61":{"7":{"1000001":"Hi"}},"_history":{"1":{"1000001":"a"}},"City":"b"}',
	},
])('names take the place of IDs in a record with $content', ({ byId, byName }) => {
	expect(renamed(byId)).toEqual({ record: jsonObject(byName), unnamed: [] });
});

it.each([
	{ reason: 'its name is unknown', record: '{"1000009":"a","Note":"b"}', kept: ['1000009'] },
	{
		reason: 'its name is a key of the record already',
		record: '{"1000001":"Ulm","City":"Bonn"}',
		kept: ['1000001'],
	},
	{
		reason: 'its name is only known in another place',
		record: '{"_subtable_2000001":{"7":{"1000001":"a","_x":"b"}}}',
		kept: ['1000001'],
	},
])('a field keeps its ID, and is reported, if $reason', ({ record, kept }) => {
	expect(renamed(record)).toEqual({ record: jsonObject(record), unnamed: kept });
});

it('no value is lost if an outdated name of a field is the name of another field', () => {
	const known = { [fieldMapKey('1000001')]: 'City', [fieldMapKey('1000002')]: 'City' };
	const unnamed = new Set<string>();
	const record = withFieldNames(jsonObject('{"1000001":"a","1000002":"b"}'), known, unnamed);
	expect(record).toEqual(jsonObject('{"City":"a","1000002":"b"}'));
	expect([...unnamed]).toEqual(['1000002']);
});

it.each([
	{ record: '{"1000001":"a"}', hasIds: true },
	{ record: '{"_svcId":7,"Note":"a","1000001":"b"}', hasIds: true },
	{
		record: '{"City":"a","_subtable_2000001":{"7":{"City":"b"},"8":{"1000001":"c"}}}',
		hasIds: true,
	},
	{ record: '{"_svcId":7,"City":"a","_subtable_2000001":{"7":{"Quantity":"b"}}}', hasIds: false },
	{ record: '{}', hasIds: false },
])('whether the record $record has field IDs as keys: $hasIds', ({ record, hasIds }) => {
	expect(holdsFieldIds(jsonObject(record))).toBe(hasIds);
});

it.each([
	{ record: '{"1000001":"a","1000002":"b","_svcId":7}', isKnown: true },
	{ record: '{"1000001":"a","1000009":"b"}', isKnown: false },
	{ record: '{"1000001":"a","_subtable_2000001":{"7":{"1000002":"b"}}}', isKnown: true },
	{ record: '{"1000001":"a","_subtable_2000001":{"7":{"1000009":"b"}}}', isKnown: false },
	{ record: '{}', isKnown: true },
])('whether all names of $record are known: $isKnown', ({ record, isKnown }) => {
	expect(hasNames(jsonObject(record), names)).toBe(isKnown);
});

it('a record with names has the same values in the same order, and an ID only where it is reported', () => {
	const fieldIds = fc.constantFrom('1', '2', '3', '4');
	const texts = fc.constantFrom('City', 'Total', 'Note', '_star');
	const records = fc
		.uniqueArray(fc.oneof(fieldIds, texts))
		.map((keys) => keys.map((key) => [key, `value of ${key}`] as const));
	const fieldNames = fc.dictionary(
		fieldIds.map((id) => fieldMapKey(id)),
		texts,
	);
	fc.assert(
		fc.property(records, fieldNames, (members, known) => {
			const record = new Map(members);
			const unnamed = new Set<string>();
			const named = withFieldNames(record, known, unnamed);
			expect([...named.values()]).toEqual([...record.values()]);
			expect([...named.keys()].filter((key) => /^\d+$/.test(key))).toEqual([...unnamed]);
			expect(hasNames(record, known)).toBe(unnamed.size === 0);
			expect(holdsFieldIds(named)).toBe(unnamed.size > 0);
		}),
		{ numRuns: runs(200) },
	);
});

it('the warning about fields without a name has their IDs', () => {
	expect(unnamedSentence(new Set(['1000008', '1000009']))).toBe(
		'The names of these fields could not be looked up, so the output has their IDs: 1000008, 1000009.',
	);
});

const inSubtable = (fieldId: string, name: string): Field => ({
	fieldId,
	name,
	subtableId: '2000001',
});

it.each<{ content: string; fields: Field[]; known: string[] }>([
	{
		content: 'a name and an ID without a name',
		fields: [
			{ fieldId: '1', name: 'A' },
			{ fieldId: '2', name: '2' },
		],
		known: ['A'],
	},
	{
		content: 'a name that two fields share, and one that a subtable uses again',
		fields: [
			{ fieldId: '1', name: 'A' },
			{ fieldId: '2', name: 'A' },
			{ fieldId: '3', name: 'B' },
			inSubtable('4', 'B'),
		],
		known: ['B', 'B'],
	},
	{
		content: 'a name that two fields share, with their keys in reads',
		fields: [
			{ fieldId: '1', name: 'A', readName: 'A' },
			{ fieldId: '2', name: 'A', readName: 'A2' },
		],
		known: ['A', 'A2'],
	},
	{
		content: 'two fields without a name',
		fields: [
			{ fieldId: '1', name: '' },
			{ fieldId: '2', name: '' },
		],
		known: ['Untitled (1)', 'Untitled (2)'],
	},
])('of fields with $content, these names are known: $known', ({ fields, known }) => {
	expect(Object.values(knownNames(fields))).toEqual(known);
});

it.each<{ content: string; fields: Field[]; isOdd: boolean }>([
	{ content: 'different names', fields: [{ fieldId: '1', name: 'A' }], isOdd: false },
	{ content: 'no fields', fields: [], isOdd: false },
	{
		content: 'one name in the sheet and in a subtable',
		fields: [{ fieldId: '1', name: 'A' }, inSubtable('2', 'A')],
		isOdd: false,
	},
	{
		content: 'one name for two fields',
		fields: [inSubtable('1', 'A'), inSubtable('2', 'A')],
		isOdd: true,
	},
	{
		content: 'a field without a name',
		fields: [
			{ fieldId: '1', name: 'A' },
			{ fieldId: '2', name: '' },
		],
		isOdd: true,
	},
])('whether reads use other names for fields with $content: $isOdd', ({ fields, isOdd }) => {
	expect(haveOddNames(fields)).toBe(isOdd);
});

it('the fields of a list get the keys that reads use in the same place', () => {
	const listed = [{ fieldId: '1', name: 'A' }, inSubtable('1', 'B'), { fieldId: '2', name: 'C' }];
	const asRead = [
		{ fieldId: '1', name: 'A', readName: 'A2' },
		{ ...inSubtable('1', 'B'), readName: 'B2' },
	];
	expect(withReadNames(listed, asRead)).toEqual([
		{ fieldId: '1', name: 'A', readName: 'A2' },
		{ fieldId: '1', name: 'B', readName: 'B2', subtableId: '2000001' },
		{ fieldId: '2', name: 'C', readName: undefined },
	]);
	expect(withReadNames(listed).map(({ readName }) => readName)).toEqual([
		...[undefined, undefined, undefined],
	]);
});

describe('items of a read by name', () => {
	/** Returns the item of a record whose fields are listed so, and how often they were asked for. */
	async function itemOf(content: string, fields: readonly Field[] = []) {
		const keys = new ItemKeys();
		const read = simplifiedRecord(recordOf(content), keys);
		const listFields = jest.fn(async () => new FieldIndex({ fields }));
		const [item] = await keys.withOutputKeys([read], {
			load: listFields,
			renewedIf: async (_isOutdated, derive) => await derive(),
		});
		return { item, lists: listFields.mock.calls.length };
	}

	it('the fields are not listed for items without a doubtful key', async () => {
		const { item, lists } = await itemOf('{"City":"Ulm","Order Number":"A1"}', []);
		expect(item).toEqual({ _recordId: 1, City: 'Ulm', 'Order Number': 'A1' });
		expect(lists).toBe(0);
	});

	it('only doubtful keys of an item are replaced', async () => {
		const fields = [{ fieldId: '1000001', name: '', readName: '2' }];
		const { item, lists } = await itemOf('{"Order Number":"A1","2":"a"}', fields);
		expect(item).toEqual({ _recordId: 1, 'Order Number': 'A1', 'Untitled (1000001)': 'a' });
		expect(lists).toBe(1);
	});

	it('an unlisted field with the name of a standard key does not overwrite it', async () => {
		const content = '{"_index_title_":"A1","_title":"Director","2":"a"}';
		const { item } = await itemOf(content, undefined);
		expect(item).toMatchObject({ _title: 'A1', '_title (field)': 'Director', 2: 'a' });
		expect(item?._warning).toContain("calls '_title', '2': such names may change");
	});
});
