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

describe('an address counts as entered', () => {
	it('with one entry', async () => {
		const body = [entry('CreateUpdateDelete')];
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, subscription)).toBe(true);
	});

	it.each<[string, unknown, WebhookEvent[]?]>([
		['no list', { status: 'SUCCESS' }],
		['an event that nobody knows', [entry('CreateUpdateDeleteApprove')]],
		['an event more', [entry('CreateUpdateDelete')], ['CREATE', 'DELETE']],
	])('but not with %s', async (_, body, events = [...webhookEvents]) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, { ...subscription, events })).toBe(false);
	});
});

describe('removing an address', () => {
	/** The events that the service is asked to remove. */
	async function removed(entries: unknown): Promise<Array<string | null>> {
		const service = new FakeService(({ url: { pathname } }) =>
			pathname.includes('webhooks.jsp') ? { body: entries } : { body: { status: 'SUCCESS' } },
		);
		await unsubscribe(await service.connect(), { ...subscription, events: ['UPDATE'] });
		return service.requests
			.filter(({ url: { pathname } }) => pathname.includes('Unsubscribe'))
			.map(({ url: { searchParams } }) => searchParams.get('event'));
	}

	it.each([
		['each of several entries', [entry('Delete'), entry('Create')], ['Update', 'Delete', 'Create']],
		['others that nobody knows', [entry('Approve')], ['Update', 'Approve']],
	])('removes the events that are entered: %s', async (_, entries, expected) => {
		expect(await removed(entries)).toEqual(expected);
	});
});
