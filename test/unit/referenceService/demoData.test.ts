import {
	customers,
	orders,
	startReferenceService,
	type ReferenceService,
	type SheetRecord,
} from '../../service';
import { addressOf, Client } from './client';
import { everythingOf } from './everything';

const { fields } = orders;
const { lines } = orders.subtables;

let running: ReferenceService[] = [];
afterEach(async () => {
	await Promise.all(running.map(async (service) => await service.close()));
	running = [];
});

async function start(demoRecords = 60): Promise<ReferenceService> {
	const service = await startReferenceService({ demoRecords });
	running.push(service);
	return service;
}

type Change = (service: ReferenceService) => unknown;

/** A change of an order that has rows, comments, a history, a conversation and an approval. */
function ofOrder(id: number, change: (order: SheetRecord) => void): Change {
	return ({ data }) => change(data.record(orders, id));
}

function overTheApi(change: (client: Client) => Promise<unknown>): Change {
	return async (service) => {
		const client = new Client(service);
		await change(client);
		await client.close();
	};
}

const changes: Record<string, Change> = {
	'a value that is set': ofOrder(1, (order) => order.set(fields.remark, 'changed')),
	'a value that is taken away': ofOrder(1, (order) => order.values.delete(fields.city)),
	'a row that is added': ({ data }) => {
		const sheet = data.sheet(orders);
		sheet.record(1).rows(lines.id).set(sheet.takeRowId(), new Map());
	},
	'a row that is changed': ofOrder(1, (order) => {
		for (const row of order.rows(lines.id).values()) row.set(lines.fields.article, 'changed');
	}),
	'rows that are deleted': ofOrder(1, (order) => order.rows(lines.id).clear()),
	'a whole subtable that is deleted': ofOrder(1, (order) => order.subtables.clear()),
	flags: ofOrder(1, (order) => {
		order.starred = true;
		order.locked = true;
	}),
	'who is in charge and told': ofOrder(1, (order) => {
		order.entryManager = 'somebody';
		order.notifyUser = 'somebody';
	}),
	'the last change': ofOrder(1, (order) => {
		order.updated = { at: 0, user: 'somebody' };
		order.writtenAt = 1;
	}),
	comments: ofOrder(1, ({ comments }) => comments.pop()),
	history: ofOrder(1, ({ history }) =>
		history.push({ at: 0, type: 'Update', user: 'somebody', detail: '' }),
	),
	'a conversation': ofOrder(2, ({ conversation }) => conversation.pop()),
	'an approval': ofOrder(2, (order) => {
		order.approval = undefined;
	}),
	'a record that is deleted': ({ data }) => data.sheet(orders).records.delete(1),
	'a record that is added': ({ data }) => data.sheet(orders).add({ at: 0, user: 'somebody' }),
	'another sheet': ({ data }) => data.record(customers, 1).set(customers.fields.city, 'changed'),
	'the choices of a field': ({ data }) =>
		data.sheet(orders).field(fields.tags)?.choices?.push('changed'),
	'fields of a subtable': ({ data }) => data.sheet(orders).subtable(lines.id)?.fields.pop(),
	'the rights on a sheet': ({ data }) => {
		data.sheet(orders).rights.Readers = 'write';
	},
	'a shared view': ({ data }) => data.sheet(orders).sharedViews[orders.views.open]?.pop(),
	'stored files': ({ data }) => {
		data.storeFile('new', 'text/plain', Buffer.from('new'));
		data.files.delete(data.record(orders, 50).text(fields.contract));
	},
	'import sources': ({ data }) => data.importSources.clear(),
	'an update over the API': overTheApi(async (client) => {
		await client.postJson(addressOf(orders, 1), { [fields.remark]: 'changed' });
	}),
	'a create over the API': overTheApi(async (client) => {
		await client.postJson(addressOf(orders), { [fields.customerNumber]: 'C-0001' });
	}),
	'a delete over the API': overTheApi(async (client) => {
		await client.send('DELETE', addressOf(orders, 1));
	}),
};

it('no change shows in the next service, nor after a reset', async () => {
	const next = await start();
	const atFirst = everythingOf(next);
	const service = await start();
	for (const [name, change] of Object.entries(changes)) {
		await change(service);
		expect([name, everythingOf(service)]).not.toEqual([name, atFirst]);
		next.reset();
		expect([name, everythingOf(next)]).toEqual([name, atFirst]);
		service.reset();
		expect([name, everythingOf(service)]).toEqual([name, atFirst]);
	}
	expect(everythingOf(await start())).toEqual(atFirst);
});
