import { orders, type SeenRequest } from '../../service';
import { told, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const everyPoll = { events: ['DELETE'], options: { deletionCheckEvery: 1 } };

function remove(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.delete(orders, id);
}

describe('a deleted record', () => {
	it('is told by its absence', async () => {
		const poller = await polling.begun(everyPoll);
		expect(await poller.poll()).toEqual([]);
		remove(5);
		expect(await poller.poll()).toEqual([
			{
				event: 'DELETE',
				recordId: 5,
				account: 'acme',
				path: 'sales/orders',
				sheetIndex: 1,
				verified: true,
				record: null,
				deleted: true,
			},
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('is looked for once in so many polls, ten unless set', async () => {
		const poller = await polling.begun({ events: ['CREATE', 'UPDATE', 'DELETE'] });
		remove(5);
		for (let polls = 1; polls < 10; polls++) expect(await poller.poll()).toEqual([]);
		expect(told(await poller.poll())).toEqual(['DELETE 5']);
		// Each looks for changes; the last lists the ids, and makes sure.
		expect(polling.requests).toHaveLength(12);
	});

	it('that was created since the last look is told, too', async () => {
		const poller = await polling.begun({
			events: ['CREATE', 'DELETE'],
			options: { deletionCheckEvery: 2 },
		});
		polling.passMinutes(1);
		const { id } = polling.people.create(orders, {});
		expect(told(await poller.poll())).toEqual([`CREATE ${id}`]);
		remove(id);
		expect(told(await poller.poll())).toEqual([`DELETE ${id}`]);
	});

	it('of many is told without looking at each of them', async () => {
		const poller = await polling.begun(everyPoll);
		const ids = Array.from({ length: 25 }, (_, index) => index + 1);
		remove(...ids);
		polling.service.requests.forget();
		expect(told(await poller.poll())).toEqual(ids.map((id) => `DELETE ${id}`));
		expect(polling.requests).toHaveLength(1 + 10);
	});
});

describe('what only seems to be deleted', () => {
	it('since the service errs is not told', async () => {
		const poller = await polling.begun(everyPoll);
		polling.passMinutes(1);
		polling.service.faults.inject({ kind: 'body', body: '{}', times: 1 });
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		remove(25);
		expect(told(await poller.poll())).toEqual(['DELETE 25']);
	});

	it('since it matches the filters no more, or their index is late, is not told', async () => {
		for (const id of [3, 4, 5]) polling.people.edit(orders, id, { [fields.remark]: 'watched' });
		const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'watched' }] };
		const poller = await polling.begun({ ...everyPoll, filters });
		polling.people.edit(orders, 3, { [fields.remark]: 'not any more' });
		remove(4, 6);
		expect(told(await poller.poll())).toEqual(['DELETE 4']);
		polling.service.switches.filterLagMilliseconds = 60_000;
		polling.people.edit(orders, 5, { [fields.note]: 'hides it' });
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(2);
		expect(await poller.poll()).toEqual([]);
		remove(5);
		expect(told(await poller.poll())).toEqual(['DELETE 5']);
	});

	it('since it may not be read any more is not told', async () => {
		const poller = await polling.begun(everyPoll);
		remove(4);
		const body = '{"status":"ERROR","code":106,"msg":"No access right"}';
		const when = ({ path }: SeenRequest) => path.endsWith('/4');
		polling.service.faults.inject({ kind: 'status', status: 403, body, when, times: 2 });
		expect(await poller.poll()).toEqual([]);
	});
});

describe('a look for deleted records that takes too long', () => {
	const asksForIds = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');

	it('is given up until the next is due, as the log says; the other events go on', async () => {
		const poller = await polling.begun({
			events: ['UPDATE', 'DELETE'],
			options: { deletionCheckEvery: 2 },
		});
		remove(25);
		expect(await poller.poll()).toEqual([]);
		polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
		polling.endPollsAt(poller, asksForIds);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		expect(poller.printed.join('\n')).toContain(
			'Deleted records are not noticed. The service did not answer',
		);
		polling.endPollsNoMore(poller);
		expect(await poller.poll()).toEqual([]);
		expect(told(await poller.poll())).toEqual(['DELETE 25']);
	});

	it('fails on activation, and where nothing else is asked for', async () => {
		const both = { events: ['UPDATE', 'DELETE'] };
		for (const parameters of [both, everyPoll]) {
			const poller = await polling.activate(parameters);
			polling.endPollsAt(poller, asksForIds);
			await expect(poller.poll()).rejects.toThrow('did not answer within');
			expect(poller.staticData).toEqual({});
			polling.endPollsNoMore(poller);
		}
	});
});

describe('too many records', () => {
	it('are refused on activation, with the number and what to do', async () => {
		const poller = await polling.activate(everyPoll);
		const sheet = polling.service.data.sheet(orders);
		for (let count = 0; count < 50_001; count++) sheet.add({ at: 0, user: 'anybody' });
		await expect(poller.poll()).rejects.toMatchObject({
			message: expect.stringContaining('More than 50,000 records'),
			description: expect.stringContaining('Sheet Records Trigger'),
		});
	});
});
