import { orders } from '../../service';
import { told, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

describe('the first poll', () => {
	it('gives nothing and sets the mark', async () => {
		const poller = await polling.activate();
		polling.people.edit(orders, 5, { [fields.remark]: 'before' });
		expect(await poller.poll()).toEqual([]);
		expect(poller.executions).toEqual([]);
		expect(polling.requests).toHaveLength(2);
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('a poll', () => {
	it('gives what was changed since, the oldest first, as it is now', async () => {
		const poller = await polling.begun();
		polling.passMinutes(1);
		polling.people.edit(orders, 7, { [fields.remark]: 'first' });
		polling.passSeconds(1);
		polling.people.edit(orders, 5, { [fields.remark]: 'second' });
		polling.people.edit(orders, 5, { [fields.remark]: 'third' });
		const created = polling.people.create(orders, { [fields.remark]: 'new' });
		const items = await poller.poll();
		expect(told(items)).toEqual(['UPDATE 7', 'UPDATE 5', `CREATE ${created.id}`]);
		expect(items[1]).toEqual({
			event: 'UPDATE',
			recordId: 5,
			account: 'acme',
			path: 'sales/orders',
			sheetIndex: 1,
			verified: true,
			record: expect.objectContaining({ _recordId: 5, Remark: 'third' }),
		});
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('without changes is one request, of one record or none', async () => {
		const poller = await polling.begun();
		polling.passMinutes(1);
		polling.people.edit(orders, 7, { [fields.remark]: 'changed' });
		expect(await poller.poll()).toHaveLength(1);
		const bytes: number[] = [];
		for (let minutes = 0; minutes < 10; minutes++) {
			polling.passMinutes(1);
			polling.service.requests.forget();
			expect(await poller.poll()).toEqual([]);
			expect(polling.requests).toHaveLength(1);
		}
		void bytes;
	});
});
