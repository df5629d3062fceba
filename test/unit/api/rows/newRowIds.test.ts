import fc from 'fast-check';
import type { FieldValue } from '../../../../nodes/api/write/recordContent';
import { newRowIds } from '../../../../nodes/api/rows/subtableRows';
import { jsonObject } from '../jsonObject';

const idsOf = (saved: string, ...written: Array<Record<string, FieldValue>>) =>
	newRowIds(
		jsonObject(saved),
		written.map((row) => new Map(Object.entries(row))),
	);

describe('the ids of new rows', () => {
	it('are compared as numbers, also those that JavaScript would round', () => {
		const [one, other] = ['99999999999999999998', '99999999999999999999'];
		const saved = `{"${one}":{"1":"a"},"${other}":{"1":"b"},"9":{"1":"c"}}`;
		expect(idsOf(saved, { '1': 'a' }, { '1': 'b' })).toEqual([one, other]);
	});

	it.each([
		['somebody added a row that holds it and more', '{"11":{"1":"a"},"12":{"1":"a","2":"b"}}'],
		['an older row holds it and more', '{"5":{"1":"a","2":"b"},"11":{"1":"a"}}'],
		['the service changed the value', '{"5":{"1":"a"},"11":{"1":"A"}}'],
		['no row holds what was written', '{"11":{"1":"z"}}'],
		['the row is no object', '{"11":"a"}'],
	])('are left out when %s', (_, saved) => {
		expect(idsOf(saved, { '1': 'a' })).toEqual([undefined]);
	});

	it('are never those of a row that was there, whatever is added', () => {
		const values = fc.dictionary(fc.constantFrom('1', '2'), fc.constantFrom('a', 'b', ''), {
			minKeys: 1,
		});
		const row = values.map((members) => new Map(Object.entries(members)));
		fc.assert(
			fc.property(
				fc.array(row, { maxLength: 4 }),
				fc.array(row, { minLength: 1, maxLength: 4 }),
				(old, added) => {
					const saved = new Map([...old, ...added].map((one, index) => [`${index + 1}`, one]));
					const ids = newRowIds(saved, added);
					for (const [index, id] of ids.entries()) {
						if (id === undefined) continue;
						expect(Number(id)).toBeGreaterThan(old.length);
						for (const [key, value] of added[index] ?? [])
							expect(saved.get(id)?.get(key) ?? '').toBe(value);
					}
					const given = ids.filter((id) => id !== undefined);
					expect(new Set(given).size).toBe(given.length);
				},
			),
		);
	});
});
