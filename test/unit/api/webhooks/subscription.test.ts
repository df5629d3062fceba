import { isSubscribed, unsubscribe } from '../../../../nodes/api/webhooks/subscription';
import type { Subscription } from '../../../../nodes/api/webhooks/subscription';
import { webhookEvents } from '../../../../nodes/api/webhooks/delivery';
import type { WebhookEvent } from '../../../../nodes/api/webhooks/delivery';
import { FakeService } from '../http/fakeService';

const url = 'https://n8n.example/webhook/1';
const subscription: Subscription = {
	sheet: { folders: ['sales'], sheetIndex: 1 },
	url,
	events: webhookEvents,
};
const entry = (event: unknown, address = url) => ({ url: address, event });

it.each<[string, boolean, unknown, WebhookEvent[]?]>([
	['one entry', true, [entry('CreateUpdateDelete')]],
	['small letters', true, [entry('createupdatedelete')]],
	['commas', true, [entry('Create, Update, Delete')]],
	['another order', true, [entry('DeleteCreateUpdate')]],
	['an entry for each event', true, [entry('Delete'), entry('create'), entry('UPDATE')]],
	['a list of events', true, [entry(['CREATE', 'UPDATE', 'DELETE'])]],
	['an entry for each event but one', false, [entry('Delete'), entry('create')]],
	['two entries with the same events', false, [entry('CreateUpdateDelete'), entry('Update')]],
	['no events', false, [entry('')]],
	['entries of other addresses', false, [entry('CreateUpdateDelete', `${url}0`)]],
	['no list', false, { status: 'SUCCESS' }],
	['an event that nobody knows', false, [entry('CreateUpdateDeleteApprove')]],
	['an event more', false, [entry('CreateUpdateDelete')], ['CREATE', 'DELETE']],
])(
	'an address with %s counts as entered: %s',
	async (_, expected, body, events = [...webhookEvents]) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, { ...subscription, events })).toBe(expected);
	},
);

it.each([
	['each of several entries', [entry('Delete'), entry('Create')], ['Update', 'Delete', 'Create']],
	[
		'in one spelling',
		[entry('create,delete'), entry('DELETE')],
		['Update', 'CreateDelete', 'Delete'],
	],
	['others that nobody knows', [entry('Approve')], ['Update', 'Approve']],
])('removing an address removes the events that are entered: %s', async (_, entries, expected) => {
	const service = new FakeService(({ url: { pathname } }) =>
		pathname.includes('webhooks.jsp') ? { body: entries } : { body: { status: 'SUCCESS' } },
	);
	await unsubscribe(await service.connect(), { ...subscription, events: ['UPDATE'] });
	const removals = service.requests.filter(({ url }) => url.pathname.includes('Unsubscribe'));
	expect(removals.map(({ url }) => url.searchParams.get('event'))).toEqual(expected);
});
