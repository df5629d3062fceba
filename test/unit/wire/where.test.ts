import fc from 'fast-check';
import { apiQuery, encodeText } from '../../../nodes/wire/query';
import { InputError } from '../../../nodes/wire/inputError';
import { parseWhereLine, whereOperators, whereParameter } from '../../../nodes/wire/where';
import type { WhereCondition } from '../../../nodes/wire/where';

/**
 * Reads a `where` parameter as the service does: it takes the query apart, then the three parts at their
 * commas, decodes each (rule 4), and decodes a value that still looks encoded once more (rule 5).
 */
function decoded(query: string): WhereCondition {
	const equalsSign = query.indexOf('=');
	const parts = query.slice(equalsSign + 1).split(',');
	expect(query.slice(0, equalsSign)).toBe('where');
	expect(parts).toHaveLength(3);
	const [fieldId = '', operator = '', once = ''] = parts.map(decodeURIComponent);
	const value = /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
	return { fieldId, operator, value };
}

const values = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 20 }),
	fc.string({ unit: fc.constantFrom(...'%,25aF&=#+?/ "\'<é😀') }),
	fc.constantFrom('%', '%%', '%2', '%25', '%2C', '%zz%41', '50%25', '100%,a1', '%%41', '%,25'),
);
const conditions = fc.record({
	fieldId: fc.nat().map(String),
	operator: fc.constantFrom(...whereOperators),
	value: values,
});

describe('a where parameter', () => {
	it('arrives as it was meant (filter rules 4 and 5)', () => {
		fc.assert(
			fc.property(conditions, (condition) => {
				expect(decoded(whereParameter(condition))).toEqual(condition);
			}),
			{ numRuns: 3000 },
		);
	});

	it('cannot break out of its place in the address', () => {
		fc.assert(
			fc.property(conditions, (condition) => {
				expect(whereParameter(condition)).toMatch(/^where=\d+,[a-z]+,[^&=#,?\s"<>\\]*$/);
				const address = new URL(`https://host/acme?api&${whereParameter(condition)}&tz=8`);
				expect(address.hash).toBe('');
				expect(address.search.split('&')).toHaveLength(3);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([
		['Open', 'where=1000004,eq,Open'],
		['', 'where=1000004,eq,'],
		['a,b', 'where=1000004,eq,a%2Cb'],
		['100%', 'where=1000004,eq,100%25'],
		['50%25', 'where=1000004,eq,50%252525'],
		['50%25, really', 'where=1000004,eq,50%252525%252C%2520really'],
		['2026/01/31 09:30:00', 'where=1000004,eq,2026%2F01%2F31%2009%3A30%3A00'],
	])('%j becomes %s', (value, parameter) => {
		expect(whereParameter({ fieldId: '1000004', operator: 'eq', value })).toBe(parameter);
	});

	it('with half of a character in its value is an error of the input', () => {
		const condition = { fieldId: '1', operator: 'eq', value: 'a\ud83d' };
		expect(() => whereParameter(condition)).toThrow(InputError);
		expect(() => whereParameter(condition)).toThrow('half of a character');
	});
});

describe('a condition written on a line', () => {
	it('is read back, commas in its value included', () => {
		const lines = conditions.filter(({ value }) => !/[\r\n]/.test(value));
		fc.assert(
			fc.property(lines, (condition) => {
				const { fieldId, operator, value } = condition;
				expect(parseWhereLine(`${fieldId},${operator},${value}`)).toEqual(condition);
			}),
		);
	});

	it('may have spaces around field and operator', () => {
		expect(parseWhereLine(' 1000004 , eq ,Open')).toEqual({
			fieldId: '1000004',
			operator: 'eq',
			value: 'Open',
		});
	});

	it.each(['', '1000004', '1000004,eq', ',eq,Open', ','])('is none: %j', (line) => {
		expect(parseWhereLine(line)).toBeUndefined();
	});
});

describe('a query', () => {
	it('begins with the flag and keeps order, repetitions and flags', () => {
		expect(apiQuery([['naming', 'EID'], ['info', true], ['def'], ['limit', 5], ['info', 0]])).toBe(
			'api&naming=EID&info=true&def&limit=5&info=0',
		);
		expect(apiQuery([])).toBe('api');
	});

	it('is read back by any server', () => {
		const texts = fc.string({ unit: 'binary' });
		fc.assert(
			fc.property(fc.array(fc.tuple(texts, texts)), (parameters) => {
				const read = [...new URLSearchParams(apiQuery(parameters))];
				expect(read).toEqual([['api', ''], ...parameters]);
			}),
		);
	});

	it('refuses half of a character', () => {
		expect(() => encodeText('\udc00')).toThrow(InputError);
		expect(() => apiQuery([['fts', 'x\ud800']])).toThrow(InputError);
	});
});
