import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { TextPattern, UnboundedPattern } from '../../../../nodes/api/values/textPattern';
import { runs } from '../../../amount';

const plenty = () => ({ steps: 2_000_000 });

const native = createContext({ source: '', text: '' });
const nativeTest = new Script('new RegExp(source).test(text)');

/** Returns what a regular expression of JavaScript finds; undefined if it takes a second: some take hours for ten characters. */
function foundByNative(source: string, text: string): unknown {
	Object.assign(native, { source, text });
	try {
		return nativeTest.runInContext(native, { timeout: 1_000 });
	} catch {
		return undefined;
	}
}

describe('a pattern', () => {
	const atom = fc.constantFrom(
		...['a', 'b', '.', '\\w', '\\d', '\\s', '[ab]', '[^a]', '[]', '[^]', '\\x61', '\\u0062'],
		...['^', '$', '\\b', '\\B', '\\.', '\\/', '{', '}', ']', ' ', '\\n', '[\\]a-]', '\\0'],
	);
	const quantifier = fc.constantFrom(
		'',
		'',
		'*',
		'+',
		'?',
		'*?',
		'+?',
		'{2}',
		'{1,}',
		'{0,2}',
		'{1,3}?',
	);
	const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
		part: fc.oneof(
			{ maxDepth: 3 },
			fc
				.tuple(atom, quantifier)
				.map(([one, times]) => (/^(?:\^|\$|\\b)$/i.test(one) ? one : one + times)),
			fc
				.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('pattern'), quantifier)
				.map(([open, inner, times]) => `${open}${inner})${times}`),
			fc
				.tuple(fc.constantFrom('(?=', '(?!'), tie('pattern'))
				.map(([open, inner]) => `${open}${inner})`),
		),
		pattern: fc
			.array(fc.tuple(tie('part'), fc.constantFrom('', '', '|')), { maxLength: 4 })
			.map((parts) => parts.flat().join('')),
	}));
	const text = fc.string({ unit: fc.constantFrom(...'aab1 .\n{}]/é\0'), maxLength: 10 });

	it('a pattern finds in any text what a regular expression finds', () => {
		fc.assert(
			fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
				fc.pre(isValid(source));
				const own = new TextPattern(source);
				for (const each of texts) {
					const expected = foundByNative(source, each);
					if (expected === undefined) continue;
					expect([source, each, own.test(each, plenty())]).toEqual([source, each, expected]);
				}
			}),
			{ numRuns: runs(500, 1_500, 5_000) },
		);
	});

	it.each([
		['Invoice \\d{4}-\\d+', 'see Invoice 2026-17.', true],
		['^(?!.*cancel).*$', 'order is done', true],
		['^(?!.*cancel).*$', 'please cancel it', false],
		['^(?=.*\\d)(?=.*[a-z])', 'abc1', true],
		['(?:Müller|Maier)\\b', 'Frau Müller', true],
		['\\cA\\t\\v', '\u0001\t\v', true],
		['a{,2}b{x}', 'a{,2}b{x}', true],
		['', '', true],
	])('the pattern %s on %j: %s', (source, value, expected) => {
		expect(new TextPattern(source).test(value, plenty())).toBe(expected);
	});
});

it.each([
	'^(\\w+\\s?)*$',
	'(a|aa)+$',
	'(.*)*=',
	'(x+x+)+y',
	'^(\\d+)*$',
	'(a*)*b',
	'(a|a)*b',
	'([a-z]|\\w)+=',
	'(?:a?){50}a{50}=',
	'.*.*.*=',
	'a*a*a*a*a*a*=',
	'(?:(?:a*)*)*=',
	'\\s+\\d$',
])(
	'the pattern %s is matched on 10,000 characters in at most 200 steps per character',
	(source) => {
		const pattern = new TextPattern(source);
		for (const unit of ['a', 'x', '1', ' ', 'a ']) {
			const budget = plenty();
			const value = `${unit.repeat(10_000 / unit.length)}!`;
			expect(pattern.test(value, budget)).toBe(false);
			expect(plenty().steps - budget.steps).toBeLessThanOrEqual(200 * value.length);
		}
	},
);

it.each(['(?=(a*)*b)c', '(?=(?!a*b)a)c', '((a{1,10}){1,10})+='])(
	'the pattern %s gives no result if it needs more steps than are left',
	(source) => {
		const budget = { steps: 1_000 };
		expect(new TextPattern(source).test('a'.repeat(1_000), budget)).toBeUndefined();
		expect(budget.steps).toBeLessThan(0);
	},
);

it.each([
	['(a)\\1', '\\1'],
	['(?<n>a+)\\k<n>', '\\k<n>'],
	['(?<=a)b', '(?<='],
	['(?<!a)b', '(?<!'],
	['x(?:a{1,50}){1,50}', '{1,50}'],
	['\\d{5000}', '{5000}'],
])('the pattern %s is rejected because of %s', (source, part) => {
	expect(() => new TextPattern(source)).toThrow(UnboundedPattern);
	expect(() => new TextPattern(source)).toThrow(`'${part}' cannot be matched in a bounded number`);
});

function isValid(source: string): boolean {
	try {
		return new RegExp(source) instanceof RegExp;
	} catch {
		return false;
	}
}
