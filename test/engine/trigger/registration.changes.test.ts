import { customers, orders } from '../../service';
import { sheet } from '../recordTestbed';
import { Container, InstanceSettings } from '../runner/core';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const automatic = { registration: 'automatic' };

function receivers(address: { path: string; index: number } = orders) {
	return trigger.service.webhooks.receivers
		.of(address)
		.map(({ url, events }) => [url, [...events].sort().join()]);
}

/** Rejects the deactivation. n8n logs the error, and continues. */
function refuseOnce(): void {
	trigger.service.faults.inject({
		kind: 'body',
		// A rejection with code 106 is repeated once.
		times: 2,
		when: ({ path }) => path.startsWith('/sims/'),
		body: '{"status":"ERROR","code":106,"msg":"No access right."}',
	});
}

describe.each([
	['address', 'as it should', () => {}],
	['address', 'although the first removal failed', refuseOnce],
	['events', 'although the first removal failed', refuseOnce],
] as const)(
	'a change while the trigger is active, in a service that removes by %s, %s,',
	(unsubscribing, _how, fail) => {
		beforeEach(() => {
			trigger.service.switches.unsubscribing = unsubscribing;
		});

		it('of the events leaves only the new events registered', async () => {
			const listener = await trigger.listen({ ...automatic, events: ['CREATE', 'DELETE'] });
			fail();
			await listener.change({ events: ['UPDATE'] });
			expect(receivers()).toEqual([[listener.url, 'UPDATE']]);
			await listener.deactivate();
			expect(receivers()).toEqual([]);
		});

		it('of the registration leaves nothing registered', async () => {
			const listener = await trigger.listen({ ...automatic, events: ['CREATE'] });
			fail();
			await listener.change({ registration: 'manual' });
			expect(receivers()).toEqual([]);
			trigger.service.requests.clear();
			await listener.restart();
			await listener.deactivate();
			expect(trigger.service.requests.count).toBe(0);
		});

		it('of the sheet leaves only the new sheet registered', async () => {
			const listener = await trigger.listen(automatic);
			fail();
			await listener.change({ sheet: sheet(customers) });
			expect(receivers()).toEqual([]);
			expect(receivers(customers)).toEqual([[listener.url, 'CREATE,DELETE,UPDATE']]);
		});
	},
);

describe('an old registration that cannot be removed', () => {
	it('is logged, prevents nothing, and is removed at the next opportunity', async () => {
		const listener = await trigger.listen(automatic);
		trigger.service.switches.subscriptions = 'code106';
		await listener.change({ registration: 'manual' });
		const warnings = listener.printed.filter((line) => line.includes('is still registered'));
		expect(warnings.length).toBeGreaterThan(0);
		expect(warnings[0]).toContain('acme/sales/orders/1');
		expect(warnings[0]).not.toContain(listener.url);
		await listener.deactivate();
		trigger.service.switches.subscriptions = 'on';
		expect(receivers()).toHaveLength(1);
		await listener.activate();
		expect(receivers()).toEqual([]);
	});

	it('is not searched for in another account', async () => {
		const listener = await trigger.listen(automatic);
		trigger.service.requests.clear();
		const { id = '' } = listener.store.firstOf('sheetRecordsApi') ?? {};
		listener.store.edit(id, 'sheetRecordsApi', { account: 'other' });
		await listener.change({ registration: 'manual' });
		const urls = trigger.service.requests.all().map(({ rawUrl }) => rawUrl);
		expect(urls.filter((url) => !url.includes('ap=other'))).toEqual([]);
		expect(listener.printed.join()).toContain('is for another account now');
	});

	describe('of another n8n, from which the workflow was copied with its static data', () => {
		const instance = Container.get(InstanceSettings);
		const { instanceId } = instance;
		afterEach(() => Object.assign(instance, { instanceId }));

		async function copied() {
			const original = await trigger.listen(automatic);
			const copy = await trigger.listen({ registration: 'manual' });
			copy.changeStaticData(original.staticData);
			Object.assign(instance, { instanceId: 'another instance' });
			return { original, copy };
		}

		it('stays, also after the copy was registered and deactivated', async () => {
			const { original, copy } = await copied();
			await copy.change(automatic);
			const [registered] = receivers().filter(([url]) => url === original.url);
			expect(registered).toBeDefined();
			expect(receivers()).toHaveLength(2);
			expect(copy.printed.join()).toContain('was registered by another n8n');
			await copy.deactivate();
			expect(receivers()).toEqual([registered]);
		});

		it('stays, and is logged at the first activation only, if the copy is registered manually', async () => {
			const { original, copy } = await copied();
			const warnings = () =>
				copy.printed.filter((line) => line.includes('was registered by another n8n'));
			await copy.change({ registration: 'manual' });
			const { length } = warnings();
			expect(length).toBeGreaterThan(0);
			await copy.change({ registration: 'manual' });
			expect(warnings()).toHaveLength(length);
			expect(receivers().map(([url]) => url)).toEqual([original.url]);
		});
	});
});
