import fc from 'fast-check';
import { evenSample } from '../../../nodes/SheetRecordsPollingTrigger/evenSample';

it('a sample is distributed evenly over the whole list', () => {
	const sizes = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 }));
	fc.assert(
		fc.property(sizes, ([length, count]) => {
			const sample = evenSample([...Array(length).keys()], count);
			expect(sample).toHaveLength(Math.min(length, count));
			const gaps = [...sample, length].map((at, index) => at - (sample[index - 1] ?? 0));
			expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil(length / count));
			expect(sample[0]).toBe(0);
		}),
	);
});
