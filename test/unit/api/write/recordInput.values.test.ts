import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import type { Field } from '../../../../nodes/api/sheet/fields';
import { kindNamed, type FieldKinds } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { parseInput } from '../../../../nodes/api/write/parsedInput';
import {
	namesIn,
	needsFields,
	needsReadNames,
	recordChanges,
	type AutoMapRules,
	type RecordInputRules,
} from '../../../../nodes/api/write/recordInput';
import { jsonObject } from '../jsonObject';

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Due', type: 'date' },
	{ fieldId: '1000002', name: 'Paid', type: 'checkbox' },
	{ fieldId: '1000003', name: 'Tags', type: 'multipleSelection' },
	{ fieldId: '1000004', name: 'Status', type: 'selection', choices: ['Open', 'Done'] },
	{ fieldId: '1000005', name: 'Note', type: 'text' },
	{ fieldId: '1000006', name: 'Total', type: 'number', readOnly: true },
	{ fieldId: '1000007', name: 'Margin', type: 'maskedText' },
	{ fieldId: '1000008', name: 'Free' },
	{ fieldId: '1000009', name: 'Time', type: 'dateTime' },
	{ fieldId: '1000011', name: 'Article', subtableId: '2000001' },
];

/** Returns the rules for an item that was read from a record with this content. */
function readFrom(
	stored: object,
	more: Partial<AutoMapRules> = {},
	visible = stored,
): AutoMapRules {
	const source = {
		stored: jsonObject(JSON.stringify(stored)),
		asRead: jsonObject(JSON.stringify(visible)),
	};
	return { ignoreFields: new Set(), isRead: true, source: async () => source, ...more };
}

/** Rules for an item that is mapped automatically and was not read. */
const typed: AutoMapRules = {
	ignoreFields: new Set(),
	isRead: false,
	source: async () => {
		throw new Error('The item was not read');
	},
};

const indexOf = (listed: readonly Field[]) => new FieldIndex({ fields: listed });

async function changesOf(input: Record<string, unknown>, more: Partial<RecordInputRules> = {}) {
	const loaded: string[] = [];
	const rules: RecordInputRules = {
		index: indexOf(fields),
		kinds: new Map(),
		sheetFields: {
			observedValues: async (asked) => {
				loaded.push(...asked.map(({ name }) => name));
				return new Map([['1000003', { choices: ['a, b'] }]]);
			},
		},
		clearEmpty: false,
		timeZone: { offsetHours: 0 },
		...more,
	};
	const changes = await recordChanges(parseInput(input), rules);
	const notes = changes.notes.map(({ name, reason, value }) => ({ name, reason, value }));
	return { sent: Object.fromEntries(changes.fields), notes, loaded, changes };
}

describe('values by the kind of their field', () => {
	it.each([
		{ input: { Due: '2031-01-31' }, sent: { 1000001: '2031/01/31' } },
		{ input: { 1000001: '2031-01-31' }, sent: { 1000001: '2031/01/31' } },
		{ input: { Paid: false }, sent: { 1000002: 'No' } },
		{ input: { Tags: 'x, y' }, sent: { 1000003: ['x', 'y'] } },
		{ input: { Tags: 'x, a, b' }, sent: { 1000003: ['x', 'a, b'] } },
		{ input: { Note: '2031-01-31' }, sent: { 1000005: '2031-01-31' } },
		{ input: { Free: true, Note: 0 }, sent: { 1000008: true, 1000005: 0 } },
	])('the input $input is sent as $sent', async ({ input, sent }) => {
		for (const autoMap of [undefined, typed]) {
			expect((await changesOf(input, { autoMap })).sent).toEqual(sent);
		}
	});

	it('the kinds of the sheet are used if they are loaded', async () => {
		const kinds: FieldKinds = new Map([['1000008', kindNamed('checkbox')]]);
		expect((await changesOf({ Free: true }, { kinds })).sent).toEqual({ 1000008: 'Yes' });
	});

	it('an invalid value is rejected with the name of the field, or with its key if the name is unknown', async () => {
		await expect(changesOf({ Due: 'asap' })).rejects.toThrow(
			"'asap' is not a valid date for 'Due'",
		);
		const unnamed: Field[] = [{ fieldId: '1000001', name: '1000001', type: 'date' }];
		const changes = changesOf({ ' 1000001 ': 'asap' }, { index: indexOf(unnamed) });
		await expect(changes).rejects.toThrow("'asap' is not a valid date for ' 1000001 '");
	});

	it('choices are loaded only if a comma may belong to one of them', async () => {
		expect((await changesOf({ Tags: 'x, y' })).loaded).toEqual(['Tags']);
		for (const input of [{ Tags: 'x' }, { Tags: ['x, y'] }, { Note: 'x, y' }]) {
			expect((await changesOf(input)).loaded).toEqual([]);
		}
		const listed = fields.map((field) =>
			field.name === 'Tags' ? { ...field, choices: ['x, y'] } : field,
		);
		const { sent, loaded } = await changesOf({ Tags: 'x, y' }, { index: indexOf(listed) });
		expect([sent, loaded]).toEqual([{ 1000003: 'x, y' }, []]);
	});
});

describe('an empty value', () => {
	const empty = { Due: '', Tags: [], Note: null, Free: ' , ', Status: undefined };

	it('an empty value is left out', async () => {
		const { sent, notes } = await changesOf({ ...empty, Tags: ' , ' });
		expect([sent, notes]).toEqual([{ 1000008: ' , ' }, []]);
	});

	it('an empty value clears its field on request, unless it is undefined', async () => {
		const { sent } = await changesOf({ ...empty, Tags: ' , ' }, { clearEmpty: true });
		expect(sent).toEqual({ 1000001: '', 1000003: '', 1000005: '', 1000008: ' , ' });
	});
});

describe('a value of an item that was read', () => {
	it('a value of a read item that the field could not store is written back in its stored form', async () => {
		const stored = { 1000001: 'asap', 1000003: ['a', 'b, c'], 1000005: '2031/01/31' };
		const input = { Due: 'asap', Tags: ['b, c', 'a'], Note: '2031-01-31' };
		const { sent, notes } = await changesOf(input, { autoMap: readFrom(stored) });
		expect(sent).toEqual({ ...stored, 1000003: ['b, c', 'a'] });
		expect(notes).toEqual([]);
	});

	it('a value of a read item is parsed if the record stores something else', async () => {
		const autoMap = readFrom({ 1000001: '2031/01/31', 1000003: 'b', 1000005: 'x' });
		const input = { Tags: 'x, y', Note: '2031-01-31' };
		const { sent } = await changesOf(input, { autoMap });
		expect(sent).toEqual({ 1000003: ['x', 'y'], 1000005: '2031-01-31' });
		await expect(changesOf({ Due: 'asap' }, { autoMap })).rejects.toThrow('not a valid date');
	});

	it('a value of a read item prefers the stored value with exactly the same text', async () => {
		const rows = { 5: { 1000011: '2031/01/31' }, 6: { 1000011: '2031-01-31' } };
		const autoMap = readFrom({ _subtable_2000001: rows });
		const input = { _subtable_2000001: [{ Article: '2031-01-31' }] };
		const { changes } = await changesOf(input, { autoMap });
		expect(changes.subtables.get('2000001')?.get('-1')?.get('1000011')).toBe('2031-01-31');
		const ofRow = { _subtable_2000001: [{ _rowId: 5, Article: '2031-01-31' }] };
		const known = await changesOf(ofRow, { autoMap });
		expect(known.changes.subtables.get('2000001')?.get('5')?.get('1000011')).toBe('2031/01/31');
	});

	it('a value of a read item is not an unknown choice if the record contains it', async () => {
		const autoMap = readFrom({ 1000004: 'Legacy' });
		const { sent, notes } = await changesOf({ Status: 'Legacy' }, { autoMap });
		expect([sent, notes]).toEqual([{ 1000004: 'Legacy' }, []]);
		const unknownChoice = await changesOf({ Status: 'Gone' }, { autoMap });
		expect(unknownChoice.notes).toEqual([{ name: 'Status', reason: 'noChoice', value: 'Gone' }]);
	});

	it('a value of a read item is left out with a note if reads do not return the stored value', async () => {
		const input = { Total: 5, Margin: '****', Free: '<b>x</b>' };
		const { sent, notes } = await changesOf(input, { autoMap: readFrom({}) });
		expect(sent).toEqual({});
		expect(notes).toEqual([
			{ name: 'Total', reason: 'filledIn', value: 5 },
			// The mask of a masked field does not reveal the stored value.
			{ name: 'Margin', reason: 'masked', value: undefined },
			{ name: 'Free', reason: 'html', value: '<b>x</b>' },
		]);
		const stars = await changesOf({ Free: '***' }, { autoMap: readFrom({}) });
		expect(stars.notes).toEqual([{ name: 'Free', reason: 'masked', value: '***' }]);
		const written = await changesOf({ Margin: '****' }, { autoMap: typed });
		expect(written.notes).toEqual([{ name: 'Margin', reason: 'masked', value: '****' }]);
	});

	it('a mask that shows a part of the value is left out, also in a row', async () => {
		const stored = {
			1000007: '12***89',
			_subtable_2000001: { 5: { 1000011: '1***9' }, 6: { 1000011: '1***8' } },
		};
		const kinds: FieldKinds = new Map([['1000011', kindNamed('masked')]]);
		const input = {
			Margin: '12***89',
			_subtable_2000001: [
				{ _rowId: 5, Article: '1***9' },
				{ _rowId: 6, Article: '1***9' },
			],
		};
		const { sent, notes, changes } = await changesOf(input, { autoMap: readFrom(stored), kinds });
		expect(sent).toEqual({});
		// The value of another row is new.
		expect(changes.subtables).toEqual(
			new Map([['2000001', new Map([['6', new Map([['1000011', '1***9']])]])]]),
		);
		expect(notes.map(({ reason }) => reason)).toEqual(['masked', 'masked']);
	});

	it('a text with stars that reads of the record do not return is written', async () => {
		const autoMap = readFrom({ 1000007: '****' });
		for (const Margin of ['a*b', '12***89']) {
			expect((await changesOf({ Margin }, { autoMap })).sent).toEqual({ 1000007: Margin });
		}
		expect((await changesOf({ Margin: '1*9' }, { autoMap: typed })).sent).toEqual({
			1000007: '1*9',
		});
	});

	describe('a time of another time zone', () => {
		const inZone = (stored: object, visible: object) =>
			readFrom(stored, { offsetHours: 8 }, visible);
		const stored = { 1000009: '2031/01/15 10:00:00' };
		const visible = { 1000009: '2031/01/15 18:00:00' };

		it('a time of another time zone is written back in its stored form', async () => {
			for (const Time of ['2031/01/15 18:00:00', '2031-01-15T18:00:00+08:00']) {
				const { sent } = await changesOf({ Time }, { autoMap: inZone(stored, visible) });
				expect(sent).toEqual(stored);
			}
		});

		it('a changed time of another time zone is shifted by the hours between both', async () => {
			const input = { Time: '2031/01/15 19:30:00' };
			const { sent } = await changesOf(input, { autoMap: inZone(stored, visible) });
			expect(sent).toEqual({ 1000009: '2031/01/15 11:30:00' });
		});

		it('a time of another time zone is left out if the hours are unknown', async () => {
			const input = { Time: '2031/01/15 19:30:00', Note: 'x' };
			const { sent, notes } = await changesOf(input, { autoMap: inZone({}, {}) });
			expect(sent).toEqual({ 1000005: 'x' });
			expect(notes).toEqual([{ name: 'Time', reason: 'shifted', value: '2031/01/15 19:30:00' }]);
		});
	});
});

describe('a value that is not a known choice', () => {
	it('an unknown choice is sent with a note, or rejected on request', async () => {
		const { sent, notes } = await changesOf({ Status: 'Opne' });
		expect(sent).toEqual({ 1000004: 'Opne' });
		expect(notes).toEqual([{ name: 'Status', reason: 'noChoice', value: 'Opne' }]);
		const refused = changesOf({ Status: 'Opne' }, { refuseUnknownChoices: true });
		await expect(refused).rejects.toThrow("'Opne' is not a choice of 'Status': Open, Done");
		for (const Status of ['Open', 'Done']) {
			expect((await changesOf({ Status }, { refuseUnknownChoices: true })).notes).toEqual([]);
		}
	});
});

it('two keys of the same field are rejected, in the record and in a row', async () => {
	const twice = changesOf({ Note: 'a', 1000005: 'b' });
	await expect(twice).rejects.toThrow("'Note' and another key both stand for the field 'Note'");
	const rows = { _subtable_2000001: [{ Article: 'a' }, { Article: 'b' }] };
	const { changes } = await changesOf(rows);
	expect(changes.subtables.get('2000001')?.size).toBe(2);
});

it('rows without values are kept on request', async () => {
	const input = { _subtable_2000001: [{ _rowId: 5 }] };
	const { changes } = await changesOf(input, { keepsRows: true });
	expect(changes.subtables).toEqual(new Map([['2000001', new Map([['5', new Map()]])]]));
	expect((await changesOf(input)).changes.subtables.size).toBe(0);
});

describe('a key', () => {
	const auto = (more: Partial<AutoMapRules> = {}) => ({ autoMap: { ...typed, ...more } });
	const beside: Field[] = [...fields, { fieldId: '1000020', name: '_title', type: 'text' }];

	it.each<{
		what: string;
		input: Record<string, unknown>;
		rules: Partial<RecordInputRules>;
		sent: object;
		unknown?: string[];
	}>([
		{
			what: 'that reads add is left out without a note',
			input: { _recordId: 5, _create_date: 'x', Note: 'a' },
			rules: auto(),
			sent: { 1000005: 'a' },
		},
		{
			what: 'that begins with an underscore is left out with a note',
			input: { _other: 'x', Note: 'a' },
			rules: auto(),
			sent: { 1000005: 'a' },
			unknown: ['_other'],
		},
		{
			what: 'that is no field is left out on request',
			input: { Colour: 'red', 2024: 5, Note: 'a' },
			rules: { ignoreUnknown: true },
			sent: { 1000005: 'a' },
			unknown: ['2024', 'Colour'],
		},
		{
			what: 'that is an ID is taken, though no source lists it',
			input: { 1999999: 'x' },
			rules: { ignoreUnknown: true },
			sent: { 1999999: 'x' },
		},
		{
			what: 'that is a short number is an ID where nothing lists the fields',
			input: { 512: 'x' },
			rules: { ignoreUnknown: true, index: indexOf([]) },
			sent: { 512: 'x' },
		},
		{
			what: 'that is ignored by its name, its ID or both is left out',
			input: { Note: 'a', 1000002: true, 'Free (1000008)': 'x', Tags: 'b' },
			rules: auto({ ignoreFields: new Set(['Note', 'Paid', '1000008']) }),
			sent: { 1000003: 'b' },
		},
		{
			what: 'that is a field of the sheet is one, though reads add such a key',
			input: { _title: 'x' },
			rules: { ...auto(), index: indexOf(beside) },
			sent: { 1000020: 'x' },
		},
		{
			what: 'that a read adds is none, though the sheet has a field of that name',
			input: { _title: 'x', Note: 'a' },
			rules: { ...auto({ isRead: true, source: async () => undefined }), index: indexOf(beside) },
			sent: { 1000005: 'a' },
		},
		{
			what: 'that only reads give to a field is understood in an item that was read',
			input: { Note2: 'x' },
			rules: {
				...auto({ isRead: true, source: async () => undefined }),
				index: indexOf([{ fieldId: '1000021', name: 'Note', readName: 'Note2', type: 'text' }]),
			},
			sent: { 1000021: 'x' },
		},
	])('$what', async ({ input, rules, sent, unknown = [] }) => {
		const result = await changesOf(input, rules);
		expect(result.sent).toEqual(sent);
		expect(result.notes.map(({ name, reason }) => [name, reason])).toEqual(
			unknown.map((name) => [name, 'unknown']),
		);
	});

	it('a key in a row of an unknown subtable is rejected even if unknown keys are left out', async () => {
		const rows = { _subtable_2000009: [{ Article: 'x' }] };
		await expect(changesOf(rows, { ignoreUnknown: true })).rejects.toThrow('subtable 2000009');
		const known = { _subtable_2000001: [{ Colour: 'x' }] };
		const { notes } = await changesOf(known, { ignoreUnknown: true });
		expect(notes.map(({ name }) => name)).toEqual(['Colour', 'a new row of _subtable_2000001']);
	});

	it('a key that is not a field is rejected by default', async () => {
		await expect(changesOf({ Colour: 'red' })).rejects.toThrow("'Colour' is not a field");
		await expect(changesOf({ Colour: 'red' }, auto())).rejects.toThrow("'Colour' is not a field");
		await expect(changesOf({ _recordId: 5 })).rejects.toThrow("'_recordId' is not a field");
	});
});

describe('the fields must be known', () => {
	it.each([
		{ input: { 1000001: 'text', _recordId: 5 }, autoMap: undefined, needs: false },
		{ input: { 1000001: 'text' }, autoMap: typed, needs: false },
		{ input: { 1000001: 5 }, autoMap: undefined, needs: false },
		{ input: { 1000001: '2031-01-31' }, autoMap: undefined, needs: true },
		{ input: { 1000001: 'text', 1000002: true }, autoMap: undefined, needs: true },
		{ input: { 1000001: ['text', '2031-01-31'] }, autoMap: undefined, needs: true },
		{ input: { 1000001: 'text', _recordId: true }, autoMap: undefined, needs: false },
		{ input: { 1000001: 'text', _recordId: 5 }, autoMap: typed, needs: true },
		{ input: { 1000001: ['2031-01-31'] }, autoMap: undefined, needs: true },
		{ input: { 1000001: true }, autoMap: undefined, needs: true },
		{ input: { 1000001: 'a,b' }, autoMap: undefined, needs: true },
		{ input: { 512: 'text' }, autoMap: undefined, needs: true },
		{ input: { _other: 'text' }, autoMap: typed, needs: true },
		{ input: { 1000001: 'text' }, autoMap: { ...typed, isRead: true }, needs: true },
		{
			input: { 1000001: 'text' },
			autoMap: { ...typed, ignoreFields: new Set(['x']) },
			needs: true,
		},
	])('for $input: $needs', ({ input, autoMap, needs }) => {
		expect(needsFields(parseInput(input), autoMap)).toBe(needs);
	});

	it('by name, for keys that are not IDs and that no rule leaves out', () => {
		const input = parseInput({ 1000001: 1, Note: 1, _recordId: 1, _other: 1 });
		expect(namesIn(input)).toEqual(['Note', '_other']);
		expect(namesIn(input, typed)).toEqual(['Note']);
		expect(namesIn(input, { ...typed, ignoreFields: new Set(['Note']) })).toEqual([]);
	});

	it('by the names in reads, for keys that match no field or several fields', () => {
		const several: Field[] = [...fields, { fieldId: '1000030', name: 'Note' }];
		expect(needsReadNames(indexOf(fields), parseInput({ Note: 1, 1000001: 1, _x: 1 }))).toBe(false);
		expect(needsReadNames(indexOf(several), parseInput({ Note: 1 }))).toBe(true);
		expect(needsReadNames(indexOf(fields), parseInput({ Note2: 1 }))).toBe(true);
		expect(needsReadNames(indexOf([]), parseInput({ Note2: 1 }))).toBe(false);
		const row = { _subtable_2000001: [{ Article: 1 }] };
		expect(needsReadNames(indexOf(fields), parseInput(row))).toBe(false);
		expect(needsReadNames(indexOf(fields), parseInput({ Article: 1 }))).toBe(true);
	});
});
