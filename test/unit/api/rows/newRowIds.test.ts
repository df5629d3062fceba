import fc from 'fast-check';
import type { FieldValue } from '../../../../nodes/api/write/recordContent';
import { newRowIds } from '../../../../nodes/api/rows/subtableRows';
import { jsonObject } from '../jsonObject';

/** Returns the IDs of the new rows in a subtable, given the rows before the write. */
const idsOf = (
	saved: string,
	before: string[] | undefined,
	...written: Array<Record<string, FieldValue>>
) =>
	newRowIds(
		jsonObject(saved),
		written.map((row) => new Map(Object.entries(row))),
		before && new Set(before),
	);

describe('the IDs of new rows', () => {
	it('the IDs of new rows are sorted as numbers, even if JavaScript would round them', () => {
		const [low, high] = ['99999999999999999998', '99999999999999999999'];
		const saved = `{"${high}":{"1":"b"},"${low}":{"1":"a"},"9":{"1":"c"}}`;
		expect(idsOf(saved, ['9'], { '1': 'a' }, { '1': 'b' })).toEqual([low, high]);
		const equal = '{"10":{"1":"a"},"9":{"1":"a"}}';
		expect(idsOf(equal, [], { '1': 'a' }, { '1': 'a' })).toEqual(['9', '10']);
	});

	it('the ID of a single new row does not depend on its values', () => {
		expect(idsOf('{"5":{"1":"a"},"11":{"1":"A"}}', ['5'], { '1': 'a' })).toEqual(['11']);
	});

	it.each([
		{
			when: 'the rows before are not known',
			saved: '{"11":{"1":"a"}}',
			before: undefined,
		},
		{
			when: 'somebody added a row that holds the values and more',
			saved: '{"11":{"1":"a"},"12":{"1":"a","2":"b"}}',
			before: [],
		},
		{
			when: 'the service dropped the row',
			saved: '{"5":{"1":"a"}}',
			before: ['5'],
		},
		{
			when: 'the row is no object, and another row is new',
			saved: '{"11":"a","12":{"1":"z"}}',
			before: [],
		},
	])('the IDs of new rows are left out when $when', ({ saved, before }) => {
		expect(idsOf(saved, before, { '1': 'a' })).toEqual([undefined]);
	});

	it.each([
		{
			when: 'somebody else added a row in between',
			saved: '{"11":{"1":"a"},"12":{"1":"z"},"13":{"1":"b"}}',
			written: ['a', 'b'],
			ids: ['11', '13'],
		},
		{
			when: 'the service stored the rows in another order',
			saved: '{"11":{"1":"b"},"12":{"1":"a"}}',
			written: ['a', 'b'],
			ids: ['12', '11'],
		},
		{
			when: 'the service changed the value of one row',
			saved: '{"11":{"1":"a"},"12":{"1":"B"}}',
			written: ['a', 'b'],
			ids: ['11', undefined],
		},
		{
			when: 'two of the rows are equal',
			saved: '{"11":{"1":"a"},"12":{"1":"a"},"13":{"1":"b"},"14":{"1":"z"}}',
			written: ['a', 'a', 'b'],
			ids: [undefined, undefined, '13'],
		},
		{
			when: 'two of the rows are equal, and one of them was dropped',
			saved: '{"11":{"1":"a"}}',
			written: ['a', 'a'],
			ids: [undefined, undefined],
		},
		{
			when: 'the subtable has keys that are no row IDs',
			saved: '{"11":{"1":"a"},"12x":{"1":"b"},"x13":{"1":"b"},"14":{"1":"b"}}',
			written: ['a', 'b'],
			ids: ['11', '14'],
		},
	])('new rows are identified by their values if $when', ({ saved, written, ids }) => {
		expect(idsOf(saved, [], ...written.map((value) => ({ '1': value })))).toEqual(ids);
	});

	it('a row is identified by all its values', () => {
		const saved = '{"11":{"1":"a","2":"x"},"12":{"1":"a","2":"y"},"13":{"1":"z"}}';
		const written = [
			{ '1': 'a', '2': 'y' },
			{ '1': 'a', '2': 'x' },
		];
		expect(idsOf(saved, [], ...written)).toEqual(['12', '11']);
	});

	it('a row that existed before the write is never taken for a new one', () => {
		const values = fc.dictionary(fc.constantFrom('1', '2'), fc.constantFrom('a', 'b', ''), {
			minKeys: 1,
		});
		const row = values.map((members) => new Map(Object.entries(members)));
		fc.assert(
			fc.property(
				fc.array(row, { maxLength: 4 }),
				fc.array(row, { maxLength: 2 }),
				fc.array(row, { minLength: 1, maxLength: 4 }),
				(old, byOthers, added) => {
					const all = [...old, ...byOthers, ...added];
					const saved = new Map(all.map((values, index) => [`${index + 1}`, values]));
					const before = new Set(old.map((_, index) => `${index + 1}`));
					const ids = newRowIds(saved, added, before);
					for (const [index, id] of ids.entries()) {
						if (id === undefined) continue;
						expect(before.has(id)).toBe(false);
						for (const [key, value] of added[index] ?? [])
							expect(saved.get(id)?.get(key) ?? '').toBe(value);
					}
					if (byOthers.length === 0) {
						expect(ids).toEqual(added.map((_, index) => `${old.length + index + 1}`));
					}
					const identified = ids.filter((id) => id !== undefined);
					expect(new Set(identified).size).toBe(identified.length);
				},
			),
		);
	});
});
