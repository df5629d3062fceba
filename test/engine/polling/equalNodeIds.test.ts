import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { remark } = orders.fields;

it('two triggers of a workflow that share a node ID, as in old or imported workflows, poll at the same time', async () => {
	const workflowId = 'workflow with equal node IDs';
	const pollers = await Promise.all(
		['First', 'Second'].map(
			async (name) => await polling.begun({}, { workflowId, name, isDurable: false }),
		),
	);
	for (const id of [5, 7]) {
		polling.passMinutes(1);
		polling.people.edit(orders, id, { [remark]: 'changed' });
		const emitted = await Promise.all(pollers.map(async (poller) => await poller.poll()));
		expect(emitted.map(emittedChanges)).toEqual([[`UPDATE ${id}`], [`UPDATE ${id}`]]);
	}
});
