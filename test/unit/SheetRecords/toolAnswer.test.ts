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
