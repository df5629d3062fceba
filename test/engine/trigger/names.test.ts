import { customers, orders } from '../../service';
import { sheet } from '../recordTestbed';
import { troubles, useBusyService } from './busyService';
import { passMinutes, useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed(30);
const refuseNames = useBusyService(trigger);
const { reference, remark } = orders.fields;

/** Returns the time from a delivery to its item, in ms on the clock of the node. */
async function timeOf(post: () => Promise<unknown>): Promise<number> {
	const startTime = performance.now();
	await post();
	return performance.now() - startTime;
}

function rename(fieldId: string, name: string): void {
	for (const field of trigger.service.data.sheet(orders).fields) {
		if (field.id === fieldId) field.name = name;
	}
}

/** Resolves when the names have arrived that a delivery did not wait for. */
async function namesCame(count: number): Promise<void> {
	while (trigger.reads.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
	await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('names of fields', () => {
	it('known names are kept while the service is busy, also after a restart of n8n', async () => {
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

	it('unknown names are missing, and the item says so', async () => {
		const listener = await trigger.listenAsItIs({});
		listener.forgetProcess();
		refuseNames();
		await listener.post(trigger.body([5]));
		trigger.service.faults.clear();
		const [item] = await listener.items();
		expect(item?._warning).toContain('could not be looked up');
		expect(item?.record).toHaveProperty(reference, 'REF-5');
	});

	it('after an item with cached names, the next delivery uses the current names', async () => {
		const listener = await trigger.listenAsItIs({});
		await listener.post(trigger.body([5]));
		rename(remark, 'Renamed');
		await listener.restart();
		listener.forgetProcess();
		const before = trigger.reads.length;
		await listener.post(trigger.body([6]));
		// The schema is rejected twice. Then come the definition and two reads of records.
		await namesCame(before + 5);
		await listener.post(trigger.body([7]));
		const last = (await listener.items()).at(-1);
		expect(last?.record).toHaveProperty('Renamed');
		expect(last?.record).not.toHaveProperty('Remark');
		expect(Object.values(Object(listener.staticData.names))).toContain('Renamed');
	});

	it('are not those of the sheet before, nor are previous values, although the IDs are the same', async () => {
		const watch = { watchFields: [orders.fields.customerName] };
		const listener = await trigger.listenAsItIs(watch);
		await listener.post(trigger.body([5]));
		for (const field of trigger.service.data.sheet(customers).fields) {
			field.id = field.id.replace('11000', '10000');
		}
		await listener.change({ ...watch, sheet: sheet(customers) });
		const data = [{ _ragicId: 5, [orders.fields.customerName]: 'Rome' }];
		const envelope = { apname: 'acme', path: '/sales/customers', sheetIndex: 2 };
		const update = { ...envelope, eventType: 'UPDATE' };
		await listener.post(trigger.service.webhooks.signedBody(data, update));
		const item = (await listener.items()).at(-1);
		expect(item).toMatchObject({ record: { City: 'Rome' }, changedFields: ['City'] });
		expect(item?.previous).toEqual({});
	});

	it.each<[string, () => { account?: string; baseUrl?: string }]>([
		['account', () => ({ account: 'other' })],
		['address', () => ({ baseUrl: trigger.service.baseUrl.replace('localhost', '127.0.0.1') })],
	])('are not those of the %s before, nor are filters, after an edit of it', async (_, edited) => {
		const filters = { conditions: [{ field: 'Reference', operator: 'eq', value: 'REF-5' }] };
		const listener = await trigger.listenAsItIs({ filters });
		await listener.post(trigger.body([5, 6]));
		const { id = '' } = listener.store.firstOf('sheetRecordsApi') ?? {};
		const credential = edited();
		listener.store.edit(id, 'sheetRecordsApi', credential);
		refuseNames({ kind: 'body', body: '{"status":"ERROR","code":101,"msg":"No such account"}' });
		const data = [{ _ragicId: 6, [reference]: 'REF-6' }];
		const { account: apname = 'acme' } = credential;
		const address = { apname, path: `/${orders.path}`, sheetIndex: orders.index };
		const update = { ...address, eventType: 'UPDATE' };
		await listener.post(trigger.service.webhooks.signedBody(data, update));
		trigger.service.faults.clear();
		const [before, after, ...more] = await listener.items();
		expect(more).toEqual([]);
		expect(before?.record).toHaveProperty('Reference', 'REF-5');
		expect(after?.record).toHaveProperty(reference, 'REF-6');
		expect(after?._warning).toContain('Filters and watched fields were not applied');
		expect(after?._warning).toContain('could not be looked up');
	});

	it('are not those of the sheet before while the service is busy: the item has IDs and a warning', async () => {
		const listener = await trigger.listenAsItIs({});
		await listener.post(trigger.body([5]));
		await listener.change({ sheet: sheet(customers) });
		listener.forgetProcess();
		refuseNames();
		const data = [{ _ragicId: 5, [reference]: 'Rome' }];
		const address = { apname: 'acme', path: `/${customers.path}`, sheetIndex: customers.index };
		const update = { ...address, eventType: 'UPDATE' };
		await listener.post(trigger.service.webhooks.signedBody(data, update));
		trigger.service.faults.clear();
		const item = (await listener.items()).at(-1);
		expect(item?.record).toHaveProperty(reference, 'Rome');
		expect(item?.record).not.toHaveProperty('Reference');
		expect(item?._warning).toContain('could not be looked up');
	});
});

describe.each(troubles)('while the service answers with $trouble', ({ fault }) => {
	it('a delivery with unknown names is emitted within two seconds, with IDs and a warning', async () => {
		const listener = await trigger.listenAsItIs({ verification: 'off' });
		listener.forgetProcess();
		refuseNames(fault);
		const milliseconds = await timeOf(async () => await listener.post(trigger.body([5])));
		trigger.service.faults.clear();
		expect(milliseconds).toBeLessThan(5_000);
		const [item] = await listener.items();
		expect(item).toHaveProperty(['record', reference], 'REF-5');
		expect(item?._warning).toContain(`so the output has their IDs: `);
	});
});

it.each([2, 60])(
	'a delivery with a new field waits for the list of fields, although other names are known for %d minutes',
	async (minutes) => {
		const listener = await trigger.listenAsItIs({ verification: 'off' });
		await listener.post(trigger.body([5]));
		passMinutes(minutes);
		trigger.service.data.sheet(orders).fields.push({ id: '1000777', name: 'Added', type: 'text' });
		trigger.service.data.record(orders, 6).set('1000777', 'x');
		await listener.post(trigger.body([6]));
		expect((await listener.items()).at(-1)).toHaveProperty('record.Added', 'x');
	},
);

it('stored filters compare a text field as text: 0612 is not 612', async () => {
	const filters = { conditions: [{ field: 'Reference', operator: 'eq', value: '612' }] };
	const credentials = trigger.credentials('admin');
	const listener = await trigger.listen({ filters }, { credentials });
	for (const text of ['0612', '612']) {
		await listener.post(trigger.readdressed([{ _svcId: 1, [reference]: text }]));
	}
	expect(await listener.items()).toMatchObject([{ record: { [reference]: '612' } }]);
});

it('stored filters are looked up again if they are of another sheet, although the fields have the same names', async () => {
	const filters = { conditions: [{ field: 'City', operator: 'eq', value: 'Graz' }] };
	const { wanted } = (await trigger.listen({ filters })).staticData;
	const listener = await trigger.listen({ filters, sheet: sheet(customers) });
	listener.changeStaticData({ ...listener.staticData, wanted });
	const inGraz = { _svcId: 1, [customers.fields.city]: 'Graz' };
	const address = { apname: 'acme', path: `/${customers.path}`, sheetIndex: customers.index };
	const body = trigger.service.webhooks.signedBody([inGraz], { ...address, eventType: 'UPDATE' });
	await listener.post(body);
	expect(await listener.items()).toMatchObject([{ recordId: 1 }]);
});
