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

it('an only item of more than 40,000 characters comes without its long fields, which are named', () => {
	const [item, note, ...others] = boundedAnswer([
		{ json: { id: 1, long: 'x'.repeat(maxCharacters), short: 'y' } },
	]);
	expect(item?.json).toEqual({ id: 1, short: 'y' });
	expect(note?.json).toEqual({ _leftOut: expect.stringContaining('long') });
	expect(others).toEqual([]);
});
