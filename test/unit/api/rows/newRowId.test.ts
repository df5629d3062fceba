import fc from 'fast-check';

import type { FieldValue } from '../../../../nodes/api/write/recordContent';
import { newRowId } from '../../../../nodes/api/rows/subtableRows';
import { jsonObject } from '../jsonObject';

const idOf = (saved: string, written: Record<string, FieldValue>) =>
	newRowId(jsonObject(saved), new Map(Object.entries(written)));

describe('the id of a new row', () => {
	it('is compared as a number, also one that JavaScript would round', () => {
		const [one, other] = ['99999999999999999998', '99999999999999999999'];
		const saved = `{"${other}":{"1":"a"},"${one}":{"1":"a"},"9":{"1":"a"}}`;
		expect(idOf(saved, { '1': 'a' })).toBe(other);
	});

	it.each([
		['somebody added another row', '{"11":{"1":"a"},"12":{"1":"b"}}'],
		['the service changed the value', '{"5":{"1":"a"},"11":{"1":"A"}}'],
		['no row holds what was written', '{"11":{"1":"z"}}'],
		['the row is no object', '{"11":"a"}'],
	])('is left out when %s', (_, saved) => {
		expect(idOf(saved, { '1': 'a' })).toBeUndefined();
	});

	it('is never that of a row that was there, whatever is added', () => {
		const values = fc.dictionary(fc.constantFrom('1', '2'), fc.constantFrom('a', 'b', ''), {
			minKeys: 1,
		});
		const row = values.map((members) => new Map(Object.entries(members)));
		fc.assert(
			fc.property(fc.array(row, { maxLength: 4 }), row, (old, added) => {
				const saved = new Map([...old, added].map((one, index) => [`${index + 1}`, one]));
				expect([undefined, `${old.length + 1}`]).toContain(newRowId(saved, added));
			}),
		);
	});
});
