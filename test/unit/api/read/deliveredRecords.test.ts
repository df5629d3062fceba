import { fetchDeliveredRecords } from '../../../../nodes/api/read/deliveredRecords';
import { FakeService } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

it('records that a whole list lacks are all read if one of them exists, because the list then proves nothing', async () => {
	const listed = numbers(20);
	const unlisted = numbers(14).map((id) => `9000${id}`);
	const existing = [...listed, '90001', '900014'];
	const service = new FakeService(({ url }) => {
		const isList = url.searchParams.has('limit');
		const ids = isList ? listed : existing.filter((id) => url.pathname.endsWith(`/${id}`));
		return { body: Object.fromEntries(ids.map((id) => [id, { 7: 'text' }])) };
	});
	const outcomes = await fetchDeliveredRecords(await service.connect(), sheet, unlisted);
	const found = [...outcomes].filter(([, { kind }]) => kind === 'content').map(([id]) => id);
	expect(found).toEqual(['90001', '900014']);
});

it.each([
	{ records: 1_199, list: 'the whole list', reads: 10, outcome: 'gone' },
	{ records: 1_200, list: 'a list up to its limit', reads: 12, outcome: 'gone' },
	{ records: 1_300, list: 'a list up to its limit', reads: 12, outcome: 'content' },
])(
	'the last record of a delivery is $outcome after $list of a sheet with $records records and $reads reads',
	async ({ records, reads, outcome }) => {
		const service = new FakeService(({ url }) => {
			const offset = Number(url.searchParams.get('offset'));
			const limit = url.searchParams.get('limit');
			const listed = numbers(records);
			const ids = limit
				? listed.slice(offset, offset + Number(limit))
				: listed.filter((id) => url.pathname.endsWith(`/${id}`));
			return { body: Object.fromEntries(ids.map((id) => [id, { 7: 'text' }])) };
		});
		const foreign = numbers(11).map((id) => `9000${id}`);
		const client = await service.connect();
		const outcomes = await fetchDeliveredRecords(client, sheet, [...foreign, '1300']);
		expect(outcomes.get('1300')?.kind).toBe(outcome);
		const singleReads = service.requests.filter(({ url }) => !url.searchParams.has('limit'));
		expect(singleReads).toHaveLength(reads);
	},
);

it('a record that is not read because of the maximum is not reported with the failure of another one', async () => {
	const service = new FakeService(({ url }) => {
		if (url.searchParams.has('limit')) return { body: {} };
		const id = url.pathname.split('/').at(-1) ?? '';
		return id === '1' ? { status: 403 } : { body: { [id]: { 7: 'text' } } };
	});
	const outcomes = await fetchDeliveredRecords(await service.connect(), sheet, numbers(60));
	expect(outcomes.get('50')).toMatchObject({ kind: 'content' });
	const reason = 'Not read: of a delivery, at most 50 records are read one by one';
	expect(outcomes.get('51')).toEqual({ kind: 'unreadable', reason });
});
