import {
	orders,
	startReferenceService,
	type ReferenceService,
	type SheetRecord,
} from '../../service';
import { everythingOf } from './everything';

const { fields } = orders;
const { lines } = orders.subtables;

let running: ReferenceService[] = [];
afterEach(async () => {
	await Promise.all(running.map(async (service) => await service.close()));
	running = [];
});

async function start(): Promise<ReferenceService> {
	const service = await startReferenceService({ demoRecords: 60 });
	running.push(service);
	return service;
}

type Change = (service: ReferenceService) => unknown;

const ofOrder =
	(change: (order: SheetRecord) => unknown): Change =>
	({ data }) =>
		change(data.record(orders, 2));

const changes: Record<string, Change> = {
	'a value that is set': ofOrder((order) => order.set(fields.remark, 'changed')),
	'a row that is changed': ofOrder((order) =>
		order.rows(lines.id).forEach((row) => row.set(lines.fields.article, 'changed')),
	),
	comments: ({ data }) => data.record(orders, 1).comments.pop(),
	'a record that is deleted': ({ data }) => data.sheet(orders).records.delete(1),
	'the choices of a field': ({ data }) =>
		data.sheet(orders).field(fields.tags)?.choices?.push('changed'),
	'the rights on a sheet': ({ data }) =>
		Object.assign(data.sheet(orders).rights, { Readers: 'write' }),
	'stored files': ({ data }) => data.storeFile('new', 'text/plain', Buffer.from('new')),
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
});
