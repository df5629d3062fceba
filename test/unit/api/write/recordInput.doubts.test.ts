import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import type { Field } from '../../../../nodes/api/sheet/fields';
import type { KindName } from '../../../../nodes/api/sheet/kinds/valueKind';
import { kindNamed } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { parseInput } from '../../../../nodes/api/write/parsedInput';
import {
	accidentIn,
	hasNewName,
	namesIn,
	recordChanges,
	unknownChoiceOf,
	type AutoMapRules,
	type RecordInputRules,
} from '../../../../nodes/api/write/recordInput';
import { jsonObject } from '../jsonObject';

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Note', type: 'text' },
	{ fieldId: '1000002', name: 'Paid', type: 'checkbox' },
	{ fieldId: '1000003', name: 'Free' },
	{ fieldId: '1000004', name: 'Margin', type: 'maskedText' },
	{ fieldId: '1000005', name: 'Body', type: 'richText' },
	{ fieldId: '1000011', name: 'Article', subtableId: '2000001' },
];
const index = new FieldIndex({ fields });

async function changesOf(input: object, more: Partial<RecordInputRules> = {}) {
	return await recordChanges(parseInput({ ...input }), {
		index,
		kinds: new Map(),
		sheetFields: { observedValues: async () => new Map() },
		clearEmpty: false,
		timeZone: { offsetHours: 0 },
		...more,
	});
}

/** Returns the rules for an item that was read from a record with this content. */
function readFrom(stored: object, asRead = stored): AutoMapRules {
	const record = {
		stored: jsonObject(JSON.stringify(stored)),
		asRead: jsonObject(JSON.stringify(asRead)),
	};
	return { ignoreFields: new Set(), isRead: true, source: async () => record };
}

describe('a value that is probably an accident', () => {
	it.each([
		{ value: '[object Object]', sent: '[object Object]', reason: 'objectText' },
		{ value: 'a, [object Object]', sent: ['a', '[object Object]'], reason: 'objectText' },
		{ value: 2 ** 60, sent: String(2 ** 60), reason: 'longNumber' },
		{ value: '12345678901234567890', sent: '12345678901234567890', reason: undefined },
		{ value: 12, sent: 12, reason: undefined },
	])('$value is one for the reason $reason', ({ value, sent, reason }) => {
		expect(accidentIn(value, sent)).toBe(reason);
	});

	it('is sent with a note, unless the record that was read holds exactly this value', async () => {
		const input = { Note: '[object Object]' };
		const typed = await changesOf(input);
		expect(typed.fields).toEqual(new Map([['1000001', '[object Object]']]));
		expect(typed.notes).toMatchObject([
			{ name: 'Note', reason: 'objectText', value: '[object Object]' },
		]);
		const same = await changesOf(input, { autoMap: readFrom({ 1000001: '[object Object]' }) });
		expect(same.notes).toEqual([]);
		const other = await changesOf(input, { autoMap: readFrom({ 1000001: 'a' }) });
		expect(other.notes).toMatchObject([{ reason: 'objectText' }]);
	});
});

describe('an unknown choice', () => {
	const problemOf = (field: Field, value: unknown, observed?: string[], kind: KindName = 'text') =>
		unknownChoiceOf({ field, kind: kindNamed(kind), label: 'Status', observed }, value);
	const unlisted: Field = { fieldId: '1', name: 'Status', type: 'selection' };
	const untyped: Field = { fieldId: '1', name: 'Status' };
	const listed: Field = { ...unlisted, choices: ['Open', 'Done'] };
	const noChoice = {
		message: "'Opne' is not a choice of 'Status': Open, Done",
		reason: 'noChoice',
	};
	const unused = {
		message: "'Opne' is not among the values in use of 'Status' (newest 200 records): Open, Done",
		description:
			'Check the spelling. If it is a new choice, use it in one of the newest records first.',
		reason: 'unusedChoice',
	};
	const noSwitch = (value: string) => ({
		message: `'${value}' is neither true nor false, but 'Status' is a checkbox`,
		reason: 'noSwitch',
	});

	it.each<{ title: string; problem?: object; find: () => object | undefined }>([
		{ title: 'a choice', find: () => problemOf(listed, 'Open') },
		{ title: 'an empty value', find: () => problemOf(listed, '') },
		{ title: 'another text', find: () => problemOf(listed, 'Opne'), problem: noChoice },
		{ title: 'one of several', find: () => problemOf(listed, ['Done', 'Opne']), problem: noChoice },
		{
			title: 'a text of a text field, although it lists choices',
			find: () => problemOf({ ...listed, type: 'text' }, 'Opne'),
		},
		{
			title: 'a text with two choices, of a field without a type',
			find: () => problemOf({ ...untyped, choices: ['Open', 'Done'] }, 'Open, Done'),
		},
		{
			title: 'a text with two choices, of a single selection',
			find: () => problemOf(listed, 'Open, Done'),
			problem: { ...noChoice, message: noChoice.message.replace('Opne', 'Open, Done') },
		},
		{ title: 'a value without known choices', find: () => problemOf(unlisted, 'Opne') },
		{ title: 'a value in use', find: () => problemOf(unlisted, 'Done', ['Open', 'Done']) },
		{
			title: 'an empty value, beside values in use',
			find: () => problemOf(unlisted, '', ['Open']),
		},
		{
			title: 'a value that is not in use',
			find: () => problemOf(unlisted, 'Opne', ['Open', 'Done']),
			problem: unused,
		},
		{
			title: 'a value of a field without a type, although others are in use',
			find: () => problemOf(untyped, 'Opne', ['Open', 'Done']),
			problem: unused,
		},
		{ title: 'a word of a checkbox', find: () => problemOf(unlisted, 'off', [], 'checkbox') },
		{ title: 'nothing in a checkbox', find: () => problemOf(unlisted, '', [], 'checkbox') },
		{
			title: 'another word in a checkbox',
			find: () => problemOf(unlisted, 'maybe', [], 'checkbox'),
			problem: noSwitch('maybe'),
		},
		{
			title: 'another word among those of a checkbox',
			find: () => problemOf(unlisted, ['yes', '', 'maybe'], [], 'checkbox'),
			problem: noSwitch('maybe'),
		},
	])('$title', ({ find, problem }) => {
		expect(find()).toEqual(problem);
	});

	it('of a checkbox is sent with a note, or rejected on request', async () => {
		const { fields: sent, notes } = await changesOf({ Paid: 'maybe' });
		expect([...sent]).toEqual([['1000002', 'maybe']]);
		expect(notes).toMatchObject([{ name: 'Paid', reason: 'noSwitch', value: 'maybe' }]);
		await expect(changesOf({ Paid: 'maybe' }, { refuseUnknownChoices: true })).rejects.toThrow(
			"'maybe' is neither true nor false, but 'Paid' is a checkbox",
		);
	});
});

it('a checkbox is sent in the words that records of the sheet contain', async () => {
	const observedChoices = new Map([['1000002', ['ON', 'OFF']]]);
	expect((await changesOf({ Paid: true }, { observedChoices })).fields.get('1000002')).toBe('ON');
	expect((await changesOf({ Paid: true })).fields.get('1000002')).toBe('Yes');
});

describe('stars', () => {
	const kinds = new Map([['1000003', kindNamed('masked')]]);

	it.each<{ title: string; input: object; more: Partial<RecordInputRules>; sent: string[] }>([
		{
			title: 'replace a masked value in no input',
			input: { Margin: '***' },
			more: { kinds: new Map([['1000004', kindNamed('masked')]]) },
			sent: [],
		},
		{
			title: 'of a field that is known to be masked are left out',
			input: { Free: '***' },
			more: { kinds },
			sent: [],
		},
		{
			title: 'of any other field are written',
			input: { Free: '***' },
			more: {},
			sent: ['1000003'],
		},
		{
			title: 'that reads return in a field that is not masked are written',
			input: { Free: '1***9' },
			more: { autoMap: readFrom({ 1000003: '1***9' }) },
			sent: ['1000003'],
		},
		{
			title: 'do not make a mask of a text without them',
			input: { Free: '19' },
			more: { kinds, autoMap: readFrom({ 1000003: '19' }) },
			sent: ['1000003'],
		},
	])('$title', async ({ input, more, sent }) => {
		const changes = await changesOf(input, more);
		expect([...changes.fields.keys()]).toEqual(sent);
		expect(changes.notes.map(({ reason }) => reason)).toEqual(sent.length > 0 ? [] : ['masked']);
	});
});

it('markup is left out if reads render it, and written back if the record holds it', async () => {
	const input = { Body: '<b>x</b>' };
	const rendered = await changesOf(input, { autoMap: readFrom({ 1000005: '[b]x[/b]' }) });
	expect(rendered.notes).toMatchObject([{ name: 'Body', reason: 'html' }]);
	const stored = await changesOf(input, { autoMap: readFrom({ 1000005: '<b>x</b>' }) });
	expect([...stored.fields]).toEqual([['1000005', '<b>x</b>']]);
});

it('only an empty value is left out of a selection with a comma, unless it clears the field', async () => {
	const tags: Field = { fieldId: '1000006', name: 'Tags', type: 'multipleSelection' };
	const more = { index: new FieldIndex({ fields: [tags] }) };
	expect((await changesOf({ Tags: ',' }, more)).fields.size).toBe(0);
	const cleared = await changesOf({ Tags: ',' }, { ...more, clearEmpty: true });
	expect([...cleared.fields]).toEqual([['1000006', '']]);
});

it('a row without values is kept or noted, never both', async () => {
	const input = { _subtable_2000001: [{ Article: '' }] };
	expect(await changesOf(input, { keepsRows: true })).toMatchObject({ notes: [] });
	const { notes, subtables } = await changesOf(input);
	expect(notes).toEqual([
		{
			name: 'a new row of _subtable_2000001',
			reason: 'emptyRow',
			subtableId: '2000001',
			rowId: '-1',
		},
	]);
	expect(subtables.size).toBe(0);
});

it('a field that is set twice is an error that says what to do', async () => {
	await expect(changesOf({ Note: 'a', 1000001: 'b' })).rejects.toHaveProperty(
		'description',
		'Remove one of the two.',
	);
});

describe('ignored fields', () => {
	const autoMap: AutoMapRules = { ...readFrom({}), ignoreFields: new Set(['Article']) };
	const entered = [{ subtableId: '2000001', row: { Article: 'a' } }];

	it('of the item do not concern a row that the user entered', async () => {
		const parsed = parseInput({ _subtable_2000001: [{ Article: 'b' }] }, undefined, entered);
		const { subtables } = await recordChanges(parsed, {
			index,
			autoMap,
			kinds: new Map(),
			sheetFields: { observedValues: async () => new Map() },
			clearEmpty: false,
			timeZone: { offsetHours: 0 },
		});
		const rows = [...(subtables.get('2000001')?.values() ?? [])];
		expect(rows.map((row) => row.get('1000011'))).toEqual(['a']);
		expect(namesIn(parsed, autoMap)).toEqual(['Article']);
	});
});

describe('a name that reads of the listed fields do not return', () => {
	const ignore = (...names: string[]) => ({ ...readFrom({}), ignoreFields: new Set(names) });
	const isNew = (input: object, autoMap = ignore(), listed = index) =>
		hasNewName(listed, parseInput({ ...input }), autoMap);

	it.each<[string, () => boolean, boolean]>([
		['a listed name', () => isNew({ Note: 1 }), false],
		['another name', () => isNew({ Notes: 1 }), true],
		['another name beside a listed one', () => isNew({ Note: 1, Notes: 1 }), true],
		['another name that is ignored', () => isNew({ Notes: 1 }, ignore('Notes')), false],
		['a key that reads add', () => isNew({ _recordId: 1 }), false],
		['an ID', () => isNew({ 1000099: 1 }), false],
		['an ID with white space', () => isNew({ ' 1000099 ': 1 }), false],
		['a name with an ID in brackets', () => isNew({ 'Note (1000001)': 1 }), false],
		['another name with an ID in brackets', () => isNew({ 'Memo (1000001)': 1 }), true],
		['a name of a row', () => isNew({ Article: 1 }), true],
		['the name of a row in a row', () => isNew({ _subtable_2000001: [{ Article: 1 }] }), false],
		['the name of the record in a row', () => isNew({ _subtable_2000001: [{ Note: 1 }] }), true],
		[
			'any name without a list',
			() => isNew({ Notes: 1 }, ignore(), new FieldIndex({ fields: [] })),
			false,
		],
	])('%s', (_, find, expected) => {
		expect(find()).toBe(expected);
	});
});
