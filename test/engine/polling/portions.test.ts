import { orders, type SeenRequest } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed({ demoRecords: 1_300 });
const { fields } = orders;

/** Changes all records in the same second, like a mass update. */
function changeAll(): void {
	const sheet = polling.service.data.sheet(orders);
	polling.people.massChange(orders, [...sheet.records.keys()], ({ id }) => ({
		[fields.remark]: `changed ${id}`,
	}));
}

it('many changes are emitted in portions of 1,000, each once, sorted by ID at equal times', async () => {
	const poller = await polling.begun({ options: { subtables: false } });
	polling.passMinutes(1);
	changeAll();
	const portions: string[][] = [];
	const requests: number[] = [];
	for (let polls = 0; polls < 4; polls++) {
		polling.passMinutes(1);
		polling.service.requests.forget();
		portions.push(emittedChanges(await poller.poll()));
		requests.push(polling.requests.length);
	}
	expect(portions.map(({ length }) => length)).toEqual([1_000, 300, 0, 0]);
	// Every record has changed, so one read proves that the first list belongs to this sheet.
	expect(requests).toEqual([2, 1, 2, 2]);
	expect(new Set(portions.flat()).size).toBe(1_300);
	const ids = (portions[0] ?? []).map((text) => Number(text.replace('UPDATE ', '')));
	expect(ids).toEqual([...ids].sort((left, right) => left - right));
	expect(poller.staticDataLength).toBeLessThan(70_000);
	// No further change of that minute is possible, so the polls read nothing.
	for (let polls = 0; polls < 6; polls++) {
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	}
	polling.service.requests.forget();
	polling.passMinutes(1);
	expect(await poller.poll()).toEqual([]);
	expect(polling.requests.map(({ rawUrl }) => rawUrl)).toEqual([
		expect.stringContaining('where=109,gte,2026%2F01%2F31%2009%3A32%3A00'),
	]);
});

it('a portion that follows another one reads only the rest of the changes, however long the first one took', async () => {
	const poller = await polling.begun({ options: { subtables: false } });
	polling.passMinutes(1);
	changeAll();
	expect(await poller.poll()).toHaveLength(1_000);
	polling.passMinutes(20);
	polling.service.requests.forget();
	expect(await poller.poll()).toHaveLength(300);
	const orderOf = ({ query }: SeenRequest) => query.find(([name]) => name === 'order')?.[1];
	expect([...new Set(polling.requests.map(orderOf))]).toEqual(['109,ASC']);
});

it('deleted records fill the portion after the changes', async () => {
	const events = ['UPDATE', 'DELETE'];
	const poller = await polling.begun({
		events,
		options: { subtables: false, deletionCheckEvery: 1 },
	});
	polling.passMinutes(1);
	const ids = [...polling.service.data.sheet(orders).records.keys()];
	polling.people.massChange(orders, ids.slice(0, 995), () => ({ [fields.remark]: 'changed' }));
	for (const id of ids.slice(-100)) polling.people.delete(orders, id);
	// Ten deleted records are requested one by one, and five of them fit into the portion. A second check confirms the rest.
	const items = [await poller.poll(), await poller.poll(), await poller.poll()].map(emittedChanges);
	expect(items.map(({ length }) => length)).toEqual([1_000, 95, 0]);
	expect(new Set(items.flat()).size).toBe(1_095);
});

it('a poll that takes longer than n8n allows emits its items, and the next poll continues', async () => {
	const poller = await polling.begun({ events: ['CREATE'], options: { subtables: false } });
	const ids = [...polling.service.data.sheet(orders).records.keys()];
	polling.passMinutes(1);
	const first = polling.people.create(orders, {});
	polling.passMinutes(10);
	polling.people.massChange(orders, ids, () => ({ [fields.remark]: 'changed' }));
	polling.passMinutes(10);
	const last = polling.people.create(orders, {});
	let lists = 0;
	const isList = ({ query }: SeenRequest) => query.some(([name]) => name === 'limit');
	polling.endPollsAt(poller, (request) => isList(request) && lists++ > 1);
	expect(emittedChanges(await poller.poll())).toEqual([`CREATE ${first.id}`]);
	polling.endPollsNoMore(poller);
	polling.service.requests.forget();
	expect(emittedChanges(await poller.poll())).toEqual([`CREATE ${last.id}`]);
	const [request] = polling.requests;
	expect(request?.query).toContainEqual(['offset', '999']);
});
