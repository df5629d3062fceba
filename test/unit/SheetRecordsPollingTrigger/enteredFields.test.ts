import {
	changedPlaces,
	EnteredFields,
	fieldDigests,
} from '../../../nodes/SheetRecordsPollingTrigger/enteredFields';
import type { Field } from '../../../nodes/api/sheet/fields';
import { jsonObject } from '../api/jsonObject';

const contentOf = (content: object) => jsonObject(JSON.stringify(content));

const row = { Article: 'Chair', Quantity: '2' };
const before = { City: 'Ulm', Tags: ['a'], _update_date: 'x', _subtable_5: { 11: row, 12: row } };
const column = (name: string) => `_subtable_5 ${name}`;
const rowsChanged = ['_subtable_5', column('Article'), column('Quantity')];

it.each<[change: string, after: object, places: string[]]>([
	['nothing', {}, []],
	['a value', { City: 'Graz' }, ['City']],
	['a value to empty', { City: '' }, ['City']],
	['a list', { Tags: ['a', 'b'] }, ['Tags']],
	['an added field', { Added: 'x' }, []],
	['a removed field', { City: undefined }, []],
	['information', { _update_date: 'y' }, []],
	[
		'a value of a row',
		{ _subtable_5: { 11: { ...row, Quantity: '3' }, 12: row } },
		[column('Quantity')],
	],
	['an added row', { _subtable_5: { 11: row, 12: row, 13: row } }, rowsChanged],
	['a removed row', { _subtable_5: { 12: row } }, rowsChanged],
	['another row with the same values', { _subtable_5: { 11: row, 13: row } }, rowsChanged],
	['the first row of a subtable', { _subtable_6: { 21: { Note: 'x' } } }, ['_subtable_6']],
	[
		'an added field of the rows',
		{ _subtable_5: { 11: { ...row, Added: 'x' }, 12: { ...row, Added: 'y' } } },
		[],
	],
	[
		'keys that are no rows',
		{ _subtable_5: { ...before._subtable_5, _header_Y: 1, _count: 2 } },
		[],
	],
])('places that differ after a change of %s', (_, after, places) => {
	const digests = fieldDigests(contentOf(before));
	expect(changedPlaces(digests, contentOf({ ...before, ...after }))).toEqual(places);
});

describe('fields whose values people enter', () => {
	const field = (own: Partial<Field> = {}): Field => ({ fieldId: '1', name: 'Own', ...own });

	it.each<[what: string, own: Partial<Field>, entered: boolean | undefined]>([
		['nothing is told', {}, undefined],
		['it is no formula', { computed: false }, true],
		['it is a formula', { computed: true }, false],
		['it is writable', { readOnly: false }, true],
		['it is read-only', { readOnly: true }, false],
		['it is read-only and no formula', { readOnly: true, computed: false }, false],
	])('a field is one, by name and by ID, if %s', (_, own, entered) => {
		for (const [naming, key] of [
			['FNAME', 'Own'],
			['EID', '1'],
		] as const) {
			const fields = EnteredFields.of([field(own)], naming);
			expect(fields?.includesAny(['Other', key])).toBe(entered);
			expect(fields?.includesAny(['Other', key === '1' ? 'Own' : '1']) ?? false).toBe(false);
			expect(fields?.isCertain).toBe(entered === undefined ? undefined : 'computed' in own);
		}
	});

	it('a subtable is one if a field of its rows is', () => {
		const inRow = (computed: boolean) => field({ computed, subtableId: '5' });
		const placesOf = (...fields: Field[]) => {
			const entered = EnteredFields.of(fields, 'FNAME');
			return ['Own', ...rowsChanged, column('Own')].filter((place) =>
				entered?.includesAny([place]),
			);
		};
		expect(placesOf(inRow(false))).toEqual(['_subtable_5', column('Own')]);
		expect(placesOf(inRow(true))).toEqual([]);
		expect(placesOf(inRow(true), { ...inRow(false), name: 'Article' })).toEqual(
			rowsChanged.slice(0, 2),
		);
	});

	it('fields that share a key are none if one of them is a formula', () => {
		const twins = [field({ computed: false }), field({ computed: true, fieldId: '2' })];
		for (const fields of [twins, [...twins].reverse()]) {
			expect(EnteredFields.of(fields, 'FNAME')?.includesAny(['Own'])).toBe(false);
			expect(EnteredFields.of(fields, 'EID')?.includesAny(['1'])).toBe(true);
		}
		const named = twins.map((twin, at) => ({ ...twin, readName: `Own${at}` }));
		expect(EnteredFields.of(named, 'FNAME')?.includesAny(['Own0'])).toBe(true);
	});
});
