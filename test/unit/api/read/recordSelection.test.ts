import fc from 'fast-check';
import { selectionParts } from '../../../../nodes/api/read/query';

const ids = fc.array(fc.integer({ min: 0, max: 1e15 }).map(String), { maxLength: 200 });

it('a selection by IDs is split without losing or repeating an ID, into the smallest number of parts that are not too long', () => {
	fc.assert(
		fc.property(ids, fc.integer({ min: 26, max: 800 }), (recordIds, room) => {
			const parts = selectionParts({ kind: 'records', recordIds }, room);
			expect(parts.flatMap((part) => part.recordIds)).toEqual([...new Set(recordIds)]);
			for (const [index, part] of parts.entries()) {
				const length = `&${part.query.join('&')}`.length;
				const [next] = parts[index + 1]?.query ?? [];
				expect(part.query).toEqual(part.recordIds?.map((id) => `recordId=${id}`));
				expect(length).toBeLessThanOrEqual(room);
				if (next) expect(length + `&${next}`.length).toBeGreaterThan(room);
			}
		}),
	);
});
