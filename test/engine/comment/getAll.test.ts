import { onOrder, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getAll = { resource: 'comment', ...onOrder('getAll', '={{ $json.order }}'), returnAll: true };

it('yields an item for each comment, linked to its record, with the time in ISO 8601', async () => {
	const attachment = testbed.service.data.storeFile('a@b.txt', 'text/plain', Buffer.from('x'));
	const at = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
	testbed
		.order(4)
		.comments.push({ id: 7, author: 'x@acme.example', text: ' two\nlines ', attachment, at });
	const result = await testbed.run(getAll, [{ order: 1 }, { order: 4 }, { order: 5 }]);
	expect(result.items).toEqual([
		{
			json: {
				_recordId: 1,
				commentId: '1',
				author: 'max.member@acme.example',
				comment: 'Is this urgent?',
				attachment: '',
				time: '2023-02-01T09:00:00.000Z',
			},
			pairedItem: { item: 0 },
		},
		{
			json: {
				_recordId: 1,
				commentId: '2',
				author: 'ada.admin@acme.example',
				comment: 'Yes, "very" 🙂',
				attachment: '',
				time: '2023-02-01T09:30:00.000Z',
			},
			pairedItem: { item: 0 },
		},
		{
			json: {
				_recordId: 4,
				commentId: '7',
				author: 'x@acme.example',
				comment: ' two\nlines ',
				attachment: 'a@b.txt',
				time: '2026-02-03T04:05:06.789Z',
			},
			pairedItem: { item: 1 },
		},
	]);
	expect(testbed.service.requests.all().map(({ rawUrl }) => rawUrl)).toEqual([
		'/acme/sales/orders/1/1?api&naming=EID&version=2025-01-01&comment=true',
		'/acme/sales/orders/1/4?api&naming=EID&version=2025-01-01&comment=true',
		'/acme/sales/orders/1/5?api&naming=EID&version=2025-01-01&comment=true',
	]);
});

it('takes the text of the service for the time when there is no raw one', async () => {
	const comment = '{"61":"2026/02/03 04:05:06","65":"x","66":"y","67":""}';
	const body = `{"1":{"_svcId":1,"_subtable_61":{"5":${comment}}}}`;
	testbed.inject({ kind: 'body', body });
	const result = await testbed.run(getAll, [{ order: 1 }]);
	expect(result.json[0]?.time).toBe('2026/02/03 04:05:06');
});
