import { boundedAnswer } from '../../../nodes/SheetRecords/run/toolAnswer';

const maxCharacters = 40_000;
const sizeOf = (value: unknown) => JSON.stringify(value).length;
const itemsOf = (count: number, length: number) =>
	Array.from({ length: count }, (_, id) => ({ json: { id, text: 'x'.repeat(length) } }));

it.each([
	{ count: 20, length: 3_900, kept: 10 },
	{ count: 41, length: 940, kept: 41 },
	{ count: 60, length: 940, kept: 41 },
	{ count: 3_000, length: 0, kept: 1_200 },
])(
	'an answer of $count items with $length characters has at most 40,000 characters',
	({ count, length, kept }) => {
		const answer = boundedAnswer(itemsOf(count, length));
		const items = answer.filter(({ json }) => !('_leftOut' in json));
		expect(sizeOf(items.map(({ json }) => json))).toBeLessThanOrEqual(maxCharacters);
		expect(items.length).toBeGreaterThanOrEqual(kept);
		expect(answer.length).toBe(items.length === count ? count : items.length + 1);
	},
);

it('a single item of more than 40,000 characters loses its long fields, and the answer names them', () => {
	const [item, note, ...rest] = boundedAnswer([
		{ json: { id: 1, long: 'x'.repeat(maxCharacters), short: 'y' } },
	]);
	expect(item?.json).toEqual({ id: 1, short: 'y' });
	expect(note?.json).toEqual({ _leftOut: expect.stringContaining('long') });
	expect(rest).toEqual([]);
});

it.each([
	{ matchCount: 0, count: 0, note: { _matched: 0, _shown: 0 } },
	{ matchCount: 10_000, count: 2, note: { _matched: 10_000, _shown: 2 } },
	{ matchCount: 10_001, count: 2, note: { _matched: 'more than 10000', _shown: 2 } },
])(
	'an answer of $count items of $matchCount records contains the numbers of matching and of returned records',
	({ matchCount, count, note }) => {
		const answer = boundedAnswer(itemsOf(count, 0), matchCount);
		expect(answer).toHaveLength(count + 1);
		expect(answer.at(-1)?.json).toEqual(note);
	},
);

it('a single item whose fields are too long together keeps the first ones, and the answer names the others', () => {
	const fields = Array.from({ length: 30 }, (_, index) => [`field${index}`, 'x'.repeat(1_900)]);
	const [item, note] = boundedAnswer([{ json: Object.fromEntries(fields) }]);
	expect(sizeOf(item?.json)).toBeLessThanOrEqual(maxCharacters);
	expect(Object.keys(Object(item?.json))).toHaveLength(20);
	expect(note?.json._leftOut).toMatch(/left out of items: field20, .*field29/);
});

describe('answers at the limits', () => {
	/** Returns a field whose JSON has this length. */
	const field = (name: string, length: number) => ({
		[name]: 'x'.repeat(length - sizeOf({ [name]: '' })),
	});

	it.each([
		{ what: 'one of several items', others: [{ json: {} }], max: 4_000 },
		// An item takes two characters itself.
		{ what: 'a single item', others: [], max: maxCharacters - 2 },
	])('the longest field of $what is kept', ({ others, max }) => {
		expect(boundedAnswer([{ json: field('text', max) }, ...others])).toEqual([
			...[{ json: field('text', max) }, ...others],
		]);
		const [item, ...rest] = boundedAnswer([{ json: field('text', max + 1) }, ...others]);
		expect(item).toEqual({ json: {} });
		expect(rest.at(-1)?.json).toEqual({ _leftOut: expect.stringContaining('text') });
	});

	it('items that just fill the answer are kept', () => {
		// Each item takes two characters more than its field.
		const items = Array.from({ length: 10 }, () => ({ json: field('text', 3_998) }));
		expect(boundedAnswer(items)).toEqual(items);
		const oneMore = [{ json: field('text', 3_999) }, ...items.slice(1)];
		expect(boundedAnswer(oneMore)).toHaveLength(10);
		expect(boundedAnswer(oneMore).at(-1)?.json).toEqual({
			_leftOut: expect.stringContaining('the last 1 of 10 items'),
		});
	});
});
