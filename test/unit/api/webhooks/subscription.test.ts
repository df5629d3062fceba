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
	['others that nobody knows', [entry('Approve')], ['Update', 'Approve']],
])('removing an address removes the events that are entered: %s', async (_, entries, expected) => {
	const service = new FakeService(({ url: { pathname } }) =>
		pathname.includes('webhooks.jsp') ? { body: entries } : { body: { status: 'SUCCESS' } },
	);
	await unsubscribe(await service.connect(), { ...subscription, events: ['UPDATE'] });
	const removals = service.requests.filter(({ url }) => url.pathname.includes('Unsubscribe'));
	expect(removals.map(({ url }) => url.searchParams.get('event'))).toEqual(expected);
});
