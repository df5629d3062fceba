import type { SeenRequest } from '../../service';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const asksForNames = ({ path }: SeenRequest) => path.startsWith('/acme');

function refuseNames(): void {
	trigger.service.faults.inject({
		kind: 'status',
		status: 503,
		times: Infinity,
		when: asksForNames,
	});
}

describe('names of fields', () => {
	it('that were told once stay when the service is busy, also over a restart of n8n', async () => {
		const listener = await trigger.listenAsItIs({});
		await listener.post(trigger.body([5]));
		refuseNames();
		await listener.restart();
		listener.forgetProcess();
		await listener.post(trigger.body([6]));
		trigger.service.faults.clear();
		const items = await listener.items();
		expect(items.map(({ record }) => Object(record).Reference)).toEqual(['REF-5', 'REF-6']);
		expect(items.map((item) => item._warning)).toEqual([undefined, undefined]);
	});

	it('that were never told are missing, and the item says so', async () => {
		const listener = await trigger.listenAsItIs({});
		listener.forgetProcess();
		refuseNames();
		await listener.post(trigger.body([5]));
		trigger.service.faults.clear();
		const [item] = await listener.items();
		expect(item?._warning).toContain('could not be looked up');
		expect(item?.record).toHaveProperty('512', 'REF-5');
	});
});
