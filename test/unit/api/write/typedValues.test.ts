import fc from 'fast-check';
import type { Field } from '../../../../nodes/api/schema/fields';
import type { JsonValue } from '../../../../nodes/api/json/orderedJson';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import { exactNumber, typedValue, ValueTypes } from '../../../../nodes/api/write/typedValues';
import { differingChanges } from '../../../../nodes/api/write/sameValue';
import { noChanges } from '../../../../nodes/api/write/recordContent';
import { recordOf } from '../jsonObject';

describe('the number that a text says', () => {
	it.each([
		...['', ' ', '0612', '-012', '00', '1e5', '1E5', '0x10', '+5', '.5', '5.', ' 5', '5 ', '1,234'],
		...['5%', '$5', '1.2.3', 'NaN', 'Infinity', '٣', '12345678901234567890', '9007199254740993'],
		...['0.1234567890123456789', '9'.repeat(30), '0.0000001'],
	])('is none for %j', (text) => {
		expect(exactNumber(text)).toBeUndefined();
	});

	it('is written back with the same value, but for zeros at its end', () => {
		const digits = fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?$/);
		fc.assert(
			fc.property(fc.oneof(digits, fc.double().map(String), fc.string()), (text) => {
				const number = exactNumber(text);
				if (number === undefined) return;
				expect(JSON.stringify(number)).toBe(
					text
						.replace(/(\.\d*?)0+$/, '$1')
						.replace(/\.$/, '')
						.replace(/^-0$/, '0'),
				);
			}),
		);
	});

	it('is any that JavaScript itself writes without an exponent', () => {
		const numbers = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.maxSafeInteger(),
		);
		const plainNumbers = numbers.filter((number) => !String(number).includes('e'));
		fc.assert(
			fc.property(plainNumbers, (number) => {
				expect(exactNumber(String(number))).toBe(number + 0);
			}),
		);
	});
});

it.each<[kind: Parameters<typeof typedValue>[0], value: JsonValue, typed: JsonValue | undefined]>([
	['number', null, null],
	['number', '****', '****'],
	['number', '5 pieces', undefined],
	['switch', 'Yes', true],
	['switch', 'TRUE', true],
	['switch', 'perhaps', undefined],
	['list', ['a', 'b'], ['a', 'b']],
	['list', 'a, b', ['a, b']],
	['list', null, []],
	['list', 5, [5]],
	['other', '12.50', '12.50'],
])('a value of a type %s: %j is %j', (kind, value, typed) => {
	expect(typedValue(kind, value)).toEqual(typed);
});

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Total', type: 'number' },
	{ fieldId: '1000002', name: 'Express', type: 'checkbox' },
	{ fieldId: '1000003', name: 'Tags', type: 'multipleSelection' },
	{ fieldId: '1000004', name: 'Code', type: 'text' },
	{ fieldId: '1000005', name: 'Note', type: 'text' },
	{ fieldId: '1000006', name: 'Note', type: 'text' },
	{ fieldId: '1000007', name: '1000007', type: 'text' },
	{ fieldId: '1000011', name: 'Amount', type: 'number', subtableId: '2000001' },
	{ fieldId: '1000012', name: 'Code', type: 'number', subtableId: '2000001' },
];

function typed(content: object, known: readonly Field[] = fields) {
	const types = new ValueTypes(known, { byId: false, numbers: [], lists: [] });
	return { json: simplifiedRecord(recordOf(JSON.stringify(content)), { types }), types };
}

it('a numbered field stays as it is where it may be of several types', () => {
	const other = { fieldId: '1000008', name: 'Note', type: 'number' };
	const { json } = typed({ Note: '5', Note3: '6' }, [...fields, other]);
	expect(json).toMatchObject({ Note: '5', Note3: '6' });
});

it('what was typed is unchanged when it is written back', async () => {
	const typical = '|0|12.50|-0.0|0612|1e5|12345678901234567890|Yes|no|a'.split('|');
	const texts = fc.oneof(fc.constantFrom(...typical), fc.string(), fc.double().map(String));
	const values = fc.oneof(texts, fc.array(texts.filter(Boolean), { maxLength: 3 }));
	const types = fc.constantFrom('number', 'checkbox', 'multipleSelection', 'text');
	await fc.assert(
		fc.asyncProperty(values, types, async (stored, type) => {
			fc.pre(!/^\*+$/.test(String(stored)));
			const { types: valueTypes } = typed({}, [{ fieldId: '1', name: 'Field', type }]);
			const back = valueTypes.member('Field', stored);
			// What is empty is not written unless that was asked for: as an empty text.
			const isEmpty = back === null || (Array.isArray(back) && back.length === 0);
			const given = isEmpty ? '' : Array.isArray(back) ? back.map(String) : back;
			if (typeof given === 'object' && !Array.isArray(given))
				throw new Error('no field holds an object');
			const changes = { ...noChanges(), fields: new Map([['1', given]]) };
			const record = new Map<string, JsonValue>([['1', stored]]);
			const differing = await differingChanges(record, changes, async () => new Map([['1', type]]));
			expect(differing).toEqual(noChanges());
		}),
		{ numRuns: 300 },
	);
});
