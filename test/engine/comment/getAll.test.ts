import { onOrder, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getAll = { resource: 'comment', ...onOrder('getAll', '={{ $json.order }}'), returnAll: true };

it('each comment becomes an item that is linked to its record, with the time in ISO 8601', async () => {
	const attachment = testbed.service.data.storeFile('a@b.txt', 'text/plain', Buffer.from('x'));
	const at = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
	const comment = { id: 7, author: 'x@acme.example', text: ' two\nlines ', attachment, at };
	testbed.order(4).comments.push(comment);
	const result = await testbed.run(getAll, [{ order: 1 }, { order: 4 }, { order: 5 }]);
	const expectedComments = [
		[0, 1, '1', 'max.member@acme.example', 'Is this urgent?', '', '2023-02-01T09:00:00.000Z'],
		[0, 1, '2', 'ada.admin@acme.example', 'Yes, "very" 🙂', '', '2023-02-01T09:30:00.000Z'],
		[1, 4, '7', 'x@acme.example', ' two\nlines ', 'a@b.txt', '2026-02-03T04:05:06.789Z'],
	] as const;
	expect(result.items).toEqual(
		expectedComments.map(([item, _recordId, commentId, author, text, attached, time]) => ({
			json: { _recordId, commentId, author, comment: text, attachment: attached, time },
			pairedItem: { item },
		})),
	);
	const query = 'api&naming=EID&version=2025-01-01&comment=true';
	expect([testbed.writes, testbed.readUrls]).toEqual([
		[],
		[1, 4, 5].map((id) => `/acme/sales/orders/1/${id}?${query}`),
	]);
});

it('the limit of an item keeps its first comments', async () => {
	const limited = { ...getAll, returnAll: false, limit: '={{ $json.limit }}' };
	const { json } = await testbed.run(limited, [
		{ order: 1, limit: 1 },
		{ order: 1, limit: 2 },
	]);
	expect(json.map(({ commentId }) => commentId)).toEqual(['1', '1', '2']);
});

it('without a raw timestamp, the time of a comment is the text of the service', async () => {
	const comment = '{"61":"2026/02/03 04:05:06","65":"x","66":"y","67":""}';
	const body = `{"1":{"_svcId":1,"_subtable_61":{"5":${comment}}}}`;
	testbed.inject({ kind: 'body', body });
	const result = await testbed.run(getAll, [{ order: 1 }]);
	expect(result.json[0]?.time).toBe('2026/02/03 04:05:06');
});

it('comments of a record that does not exist are an error, not an empty list', async () => {
	await testbed.expectRefused(getAll, [{ order: 9_999 }], /record 9999/);
});
