import { commentOf, commentsOf } from '../../../nodes/api/comments';
import { jsonObject } from './jsonObject';

describe('a comment', () => {
	it.each([
		['"1675242000123"', '2023-02-01T09:00:00.123Z'],
		['1675242000123', '2023-02-01T09:00:00.123Z'],
		['"0"', '1970-01-01T00:00:00.000Z'],
		['""', 'shown'],
		['"soon"', 'shown'],
		['"99999999999999999999"', 'shown'],
		['null', 'shown'],
	])('a comment with the raw time %s has the time %s', (raw, time) => {
		expect(commentOf(jsonObject(`{"61":"shown","66":"x","73":${raw}}`))?.time).toBe(time);
	});

	it('a comment keeps its place in the order of the answer', () => {
		const record = jsonObject('{"_subtable_61":{"9":{"66":"late"},"2":{"66":"early"},"3":{}}}');
		expect(commentsOf(record).map(({ commentId, comment }) => [commentId, comment])).toEqual([
			['9', 'late'],
			['2', 'early'],
		]);
		expect(commentsOf(jsonObject('{"_subtable_61":[]}'))).toEqual([]);
	});
});
