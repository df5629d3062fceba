import fc from 'fast-check';
import {
	formFields,
	isEmpty,
	jsonBody,
	noChanges,
} from '../../../../nodes/api/write/recordContent';
import type { FieldValue, RecordChanges } from '../../../../nodes/api/write/recordContent';
import { amount } from '../../../amount';

const texts = fc.string({ unit: 'binary', maxLength: 8 });
const values: fc.Arbitrary<FieldValue> = fc.oneof(
	texts,
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.boolean(),
	fc.array(texts, { maxLength: 4 }),
);
const rowIds = fc
	.integer({ min: -20, max: 20 })
	.filter((id) => id !== 0)
	.map(String);

const few = { minLength: 1, maxLength: 4, selector: ([id]: [unknown, unknown]) => id };

/** Fields whose ids begin with a digit of their own, as no two fields share an id. */
const fieldsOf = (place: number) =>
	fc
		.uniqueArray(fc.tuple(fc.nat({ max: 99 }), values), few)
		.map((fields) => new Map(fields.map(([number, value]) => [`${place}${number}`, value])));
const rowsOf = (place: number) =>
	fc.uniqueArray(fc.tuple(rowIds, fieldsOf(place)), few).map((rows) => new Map(rows));
const changes: fc.Arbitrary<RecordChanges> = fc
	.tuple(fieldsOf(1), rowsOf(2), rowsOf(3), fc.array(fc.nat().map(String), { maxLength: 3 }))
	.map(([fields, first, second, deleted]) => ({
		fields,
		subtables: new Map([
			['20', first],
			['30', second],
		]),
		deletedRows: new Map(deleted.length > 0 ? [['20', deleted]] : []),
	}));

type Said = Map<string, string[]>;

/** What a form says: names with their texts, as a server collects them. */
function saidByForm(fields: ReadonlyArray<readonly [string, string]>): Said {
	const said: Said = new Map();
	for (const [name, text] of fields) said.set(name, [...(said.get(name) ?? []), text]);
	return said;
}

/** What a JSON body says, under the names that a form would use (specification, endpoints 6 and 7). */
function saidByJson(text: string): Said {
	const said: Said = new Map();
	const body: Record<string, unknown> = JSON.parse(text);
	for (const [key, value] of Object.entries(body)) {
		if (!key.startsWith('_subtable_')) {
			said.set(key.replace(/^_DELSUB_/, 'DELSUB_'), textsOf(value));
			continue;
		}
		for (const [rowId, row] of Object.entries(value ?? {})) {
			for (const [fieldId, fieldValue] of Object.entries(row ?? {})) {
				said.set(`${fieldId}_${rowId}`, textsOf(fieldValue));
			}
		}
	}
	return said;
}

function textsOf(value: unknown): string[] {
	if (!Array.isArray(value)) return [String(value)];
	return value.length === 0 ? [''] : value.map(String);
}

describe('the body of a write', () => {
	it('says the same as JSON and as a form', () => {
		fc.assert(
			fc.property(changes, (change) => {
				expect(saidByForm(formFields(change))).toEqual(saidByJson(jsonBody(change)));
			}),
			{ numRuns: amount(200, 2000) },
		);
	});

	const rows = new Map([
		['-1', new Map([['1000021', 'new']])],
		['3', new Map([['1000021', 'old']])],
	]);
	const change: RecordChanges = {
		fields: new Map<string, FieldValue>([
			['1000004', 'Open'],
			['1000005', ['a', 'b, c']],
			['1000006', []],
			['1000007', ''],
			['1000008', 5.5],
			['1000009', false],
		]),
		subtables: new Map([['2000001', rows]]),
		deletedRows: new Map([['2000001', ['4', '5']]]),
	};

	it('as JSON is keyed by ids, with rows below their subtable', () => {
		expect(JSON.parse(jsonBody(change))).toEqual({
			1000004: 'Open',
			1000005: ['a', 'b, c'],
			1000006: [],
			1000007: '',
			1000008: 5.5,
			1000009: false,
			_subtable_2000001: { '-1': { 1000021: 'new' }, '3': { 1000021: 'old' } },
			_DELSUB_2000001: [4, 5],
		});
	});

	it('as a form repeats names, and puts the row behind the field', () => {
		expect(formFields(change)).toEqual([
			['1000004', 'Open'],
			['1000005', 'a'],
			['1000005', 'b, c'],
			['1000006', ''],
			['1000007', ''],
			['1000008', '5.5'],
			['1000009', 'false'],
			['1000021_-1', 'new'],
			['1000021_3', 'old'],
			['DELSUB_2000001', '4'],
			['DELSUB_2000001', '5'],
		]);
	});

	it('is empty only when there is nothing at all', () => {
		expect(isEmpty(noChanges())).toBe(true);
		expect(jsonBody(noChanges())).toBe('{}');
		expect(formFields(noChanges())).toEqual([]);
		for (const part of ['fields', 'subtables', 'deletedRows'] as const) {
			expect(isEmpty({ ...noChanges(), [part]: change[part] })).toBe(false);
		}
	});
});
