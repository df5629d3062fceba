import { InputError } from '../../../../nodes/api/values/inputError';
import {
	apiQuery,
	apiVersion,
	batchesByLength,
	encodeText,
	requireWholeCharacters,
} from '../../../../nodes/api/values/query';

it('a query has the flag "api" and the parameters in their order, each encoded', () => {
	expect(apiQuery([])).toBe('api');
	expect(
		apiQuery([
			['a b', 'c&d'],
			['flag'],
			['other flag', undefined],
			['limit', 5],
			['info', false],
			['x', ''],
		]),
	).toBe('api&a%20b=c%26d&flag&other%20flag&limit=5&info=false&x=');
});

it('the version of the API is a date', () => {
	expect(apiVersion).toBe('2025-01-01');
});

it('a text is encoded as one component of a URL', () => {
	expect(encodeText('a/b c,é')).toBe('a%2Fb%20c%2C%C3%A9');
});

it.each(['a\ud83d', '\udf89b'])('an unpaired surrogate cannot be sent: %j', (text) => {
	const message = `The text ${JSON.stringify(text)} contains an incomplete character (half of a surrogate pair) and cannot be sent`;
	for (const use of [encodeText, requireWholeCharacters]) {
		expect(() => use(text)).toThrow(new InputError(message, ''));
	}
	expect(requireWholeCharacters('a\u{1f389}')).toBe('a\u{1f389}');
});

it('a long text is quoted up to its 60th character', () => {
	const text = `${'x'.repeat(60)}END\ud83d`;
	expect(() => encodeText(text)).toThrow(`The text "${'x'.repeat(60)}" contains`);
});

it.each([
	{ values: ['aa', 'bb', 'c'], maxLength: 4, batches: [['aa', 'bb'], ['c']] },
	{ values: ['a', 'bbb', 'c'], maxLength: 4, batches: [['a', 'bbb'], ['c']] },
	{ values: ['a', 'bbbb', 'c'], maxLength: 4, batches: [['a'], ['bbbb'], ['c']] },
	{ values: ['a', 'bbbbbb', 'c'], maxLength: 4, batches: [['a'], ['bbbbbb'], ['c']] },
	{ values: [], maxLength: 4, batches: [] },
])('$values in batches of $maxLength characters are $batches', ({ values, maxLength, batches }) => {
	expect(batchesByLength(values, (value) => value.length, maxLength)).toEqual(batches);
});
