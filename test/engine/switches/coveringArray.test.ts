import fc from 'fast-check';

import { coveringRows, pairsIn, pairsOf, type Allowed } from './coveringArray';

const everything: Allowed = () => true;

it('of two factors are all their combinations', () => {
	expect([...coveringRows([2, 3], everything)].sort()).toEqual([
		[0, 0],
		[0, 1],
		[0, 2],
		[1, 0],
		[1, 1],
		[1, 2],
	]);
});

it('are few for thousands of pairs', () => {
	const sizes = Array.from({ length: 40 }, (_, index) => 2 + (index % 3));
	expect(pairsOf(sizes).size).toBeGreaterThan(6_000);
	expect(coveringRows(sizes, everything).length).toBeLessThan(70);
});

it('hold every pair that may stand together, and nothing that may not', () => {
	const sizes = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 7 });
	fc.assert(
		fc.property(sizes, (given) => {
			const allowed: Allowed = ([one = 0, two = 0, three = 0]) =>
				!(one > 0 && two === 1) && !(two > 0 && three > 1);
			const rows = coveringRows(given, allowed);
			expect(rows.every(allowed)).toBe(true);
			expect(coveringRows(given, allowed)).toEqual(rows);
			const covered = new Set(rows.flatMap(pairsIn));
			const open = [...pairsOf(given)].filter(([key, pair]) => allowed(pair) && !covered.has(key));
			expect(open.map(([key]) => key)).toEqual([]);
		}),
		{ numRuns: 50 },
	);
});
