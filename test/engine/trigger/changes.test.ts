import { orders } from '../../service';
import { useTriggerWorld } from './triggerWorld';

const trigger = useTriggerWorld();
const { fields } = orders;

describe('a change of the sheet starts the workflow', () => {
	it('edit', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 5, { [fields.remark]: 'x/y <é😀>' });
		const log = await trigger.service.webhooks.settled();
		console.log(
			JSON.stringify(log).slice(0, 3000),
			JSON.stringify(await listener.items()),
			listener.failures,
		);
	});
});
