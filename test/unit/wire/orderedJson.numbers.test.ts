import fc from 'fast-check';
import { parseOrderedJson } from '../../../nodes/wire/orderedJson';

/** The exact value of a decimal number, counted in steps of 10 ** -400. */
function exactValue(token: string): bigint {
	const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	return BigInt(`${whole}${fraction}`) * 10n ** BigInt(400 + Number(exponent) - fraction.length);
}

const digits = (maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });
const wholes = fc.oneof(
	fc.constant('0'),
	fc.tuple(fc.constantFrom(...'123456789'), digits(24)).map((parts) => parts.join('')),
	fc.constantFrom('9007199254740991', '9007199254740992', '9007199254740993', '1000000'),
);
const tokens = fc
	.tuple(
		fc.constantFrom('', '-'),
		wholes,
		fc.option(digits(20), { nil: undefined }),
		fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat({ max: 300 })), {
			nil: undefined,
		}),
	)
	.map(([sign, whole, fraction, exponent]) =>
		[sign, whole, fraction === undefined ? '' : `.${fraction}`, exponent?.join('') ?? ''].join(''),
	);

describe('numbers', () => {
	it('are numbers exactly when that keeps their value, else their own text', () => {
		fc.assert(
			fc.property(tokens, (token) => {
				const number = Number(token);
				const isKept = Number.isFinite(number) && exactValue(token) === exactValue(String(number));
				expect(parseOrderedJson(token)).toBe(isKept ? number : token);
			}),
			{ numRuns: 3000 },
		);
	});

	it.each([
		['12345678901234567890', '12345678901234567890'],
		['-12345678901234567890', '-12345678901234567890'],
		['9007199254740993', '9007199254740993'],
		['9007199254740991', 9007199254740991],
		['0.1', 0.1],
		['1.10', 1.1],
		['1.0', 1],
		['-0', -0],
		['0.30000000000000004', 0.30000000000000004],
		['0.300000000000000040', 0.30000000000000004],
		['3.14159265358979323846', '3.14159265358979323846'],
		['1e3', 1000],
		['1.5E-3', 0.0015],
		['1e400', '1e400'],
		['-1e400', '-1e400'],
		['1e-400', '1e-400'],
		['0e999', 0],
		['1e99999999999999999999', '1e99999999999999999999'],
	])('%s is read as %p', (token, value) => {
		expect(parseOrderedJson(token)).toBe(value);
	});

	it('keep their digits inside records, too', () => {
		const read = parseOrderedJson('{"1":{"1000001":12345678901234567890,"1000002":[1,1e999]}}');
		expect(read).toEqual(
			new Map([
				[
					'1',
					new Map<string, unknown>([
						['1000001', '12345678901234567890'],
						['1000002', [1, '1e999']],
					]),
				],
			]),
		);
	});

	it.each(['01', '1.', '.5', '+1', '-', '1e', '1e+', '0x10', 'NaN', 'Infinity', '1_000', '--1'])(
		'%s is no number',
		(token) => {
			expect(() => parseOrderedJson(token)).toThrow();
		},
	);
});
