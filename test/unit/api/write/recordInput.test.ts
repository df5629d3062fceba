import fc from 'fast-check';
import { dateForm } from '../../../../nodes/api/schema/fieldTypes';
import { fieldValue } from '../../../../nodes/api/write/fieldValue';
import { isBlank } from '../../../../nodes/api/values/text';
import { InputError } from '../../../../nodes/api/values/inputError';

const clock = { zone: 'America/New_York' };

it('empty values are nothing, an empty text and an empty selection', () => {
	expect(['', null, undefined, []].every(isBlank)).toBe(true);
	expect([0, false, ' ', [''], [[]], {}, NaN].some(isBlank)).toBe(false);
});

describe('values', () => {
	const value = (given: unknown, type?: string) =>
		fieldValue({ fieldId: '1000002', name: 'City', type }, 'City', given, clock);

	it('of texts, numbers and booleans are written as they are', () => {
		const scalars = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.boolean(),
		);
		fc.assert(
			fc.property(scalars, fc.constantFrom(undefined, 'text', 'number'), (given, type) => {
				fc.pre(typeof given !== 'string' || !/^\d{4}-/.test(given));
				expect(value(given, type)).toBe(given);
			}),
		);
	});

	it.each([
		['an object', { a: 1 }],
		['a selection of objects', [{ a: 1 }]],
		['a selection of selections', [['a', 'b']]],
		['no number', NaN],
		['a date that the service cannot hold', new Date(8.64e15)],
	])('cannot be written: %s', (_, given) => {
		expect(() => value(given)).toThrow(InputError);
		expect(() => value(given)).toThrow("The value of 'City' cannot be written");
	});
});

describe('what has to be asked for', () => {
	it.each([
		['date', ['date', 'Date']],
		['dateTime', ['DATE_TIME', 'datetime', 'timestamp']],
		[undefined, ['text', 'update', '', undefined]],
	])('%s is meant by the types %j', (form, types) => {
		for (const type of types) expect(dateForm(type)).toBe(form);
	});
});
