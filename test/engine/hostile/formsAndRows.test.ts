import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { addressOf, bombard } from './bombardment';
import { holdsHalfPair } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const orderPath = (id: number) => `${addressOf(orders)}/${id}`;

it('the text of a comment arrives, unless it is blank or has an unpaired surrogate', async () => {
	const hits = await bombard(testbed, {
		parameters: { resource: 'comment', ...onOrder('add'), comment: '={{ $json.text }}' },
		refuses: (text) => holdsHalfPair(text) || text.trim() === '',
		carried: ({ body }) =>
			Array.isArray(body) && body.length === 1 && body[0]?.[0] === 'c' ? body[0][1] : undefined,
		path: orderPath,
		query: ['api'],
		changes: (id, text) => {
			const comments = testbed.order(id).comments;
			expect(comments.at(-1)?.text).toBe(text);
			return [`${orders.path}/${orders.index}/${id} comments`, JSON.stringify(comments)];
		},
	});
	expect(hits.map(({ json }) => json.comment)).toEqual(hits.map(({ text }) => text));
});
