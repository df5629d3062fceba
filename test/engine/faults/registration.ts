import { orders } from '../../service';
import { sheet } from '../recordTestbed';
import { activateTrigger } from '../runner';
import { requestFor, type OperationCall, type OperationCase, type Ran } from './operation';

/** Registration of the trigger with the service. An address that is registered twice would receive each change twice. */
export const registration: OperationCase = {
	operation: 'trigger.activate',
	parameters: { registration: 'automatic', sheet: sheet(orders) },
	requests: [
		// Two more reads: before removing old entries, and after adding the new entry, to check that it exists.
		{ name: 'looks', kind: 'reads', matches: requestFor('/webhooks.jsp'), alsoSent: 2 },
		{ name: 'removes an old entry', kind: 'reads', matches: requestFor('/webhookUnsubscribe.jsp') },
		{
			name: 'enters the address',
			kind: 'changes',
			matches: requestFor('/webhookSubscribe.jsp'),
			isLookedFor: true,
			isByGet: true,
		},
	],
	changes: ({ webhooks }) =>
		webhooks.receivers.of(orders).filter(({ events }) => events.includes('CREATE')).length,
	changesInAll: 1,
	itemsOf: () => [],
	run: activate,
};

/** Activates the trigger, whose address the sheet still has with another event. */
async function activate({ testbed, parameters, credentials }: OperationCall): Promise<Ran> {
	const onAddress = (url: string) =>
		testbed.service.webhooks.register(orders, url, { events: ['DELETE'] });
	try {
		const listener = await activateTrigger({ parameters, credentials, onAddress });
		return { items: [], end: async () => await listener.close() };
	} catch (thrown) {
		if (!(thrown instanceof Error)) throw thrown;
		const { name, message } = thrown;
		const description = 'description' in thrown ? String(thrown.description) : '';
		return { items: [], error: { name, message, description } };
	}
}
