import fc from 'fast-check';
import { whereOperators, whereParameter } from '../../../../nodes/api/read/query';
import type { WhereCondition } from '../../../../nodes/api/read/query';
import { runs } from '../../../amount';

/**
 * Parses a `where` parameter as the service does: splits it into three parts, decodes each (rule 4), and decodes values again
 * that are still encoded (rule 5).
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
	it('a where parameter arrives unchanged (filter rules 4 and 5), and cannot add other parameters', () => {
		fc.assert(
			fc.property(conditions, (condition) => {
				const parameter = whereParameter(condition);
				expect(decoded(parameter)).toEqual(condition);
				expect(parameter).toMatch(/^where=\d+,[a-z]+,[^&=#,?\s"<>\\]*$/);
			}),
			{ numRuns: runs(400, 5000) },
		);
	});

	it.each([
		['Open', 'where=1000004,eq,Open'],
		['a,b', 'where=1000004,eq,a%2Cb'],
		['100%', 'where=1000004,eq,100%25'],
		['50%25, really', 'where=1000004,eq,50%252525%252C%2520really'],
	])('a where parameter of %j becomes %s', (value, parameter) => {
		expect(whereParameter({ fieldId: '1000004', operator: 'eq', value })).toBe(parameter);
	});
});
