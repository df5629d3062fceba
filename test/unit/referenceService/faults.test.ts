import { empty, orders } from '../../service';
import { until } from '../../until';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

const oneOrder = addressOf(orders, 1);
const get = async () => await client().get(oneOrder);
const create = async () => await client().postJson(addressOf(empty), { [empty.fields.title]: 'x' });
const statuses = () =>
	service()
		.requests.all()
		.map(({ status }) => status);

/** Lets requests in and holds their answers back until they are released. */
function holdAnswers(): () => void {
	let release = () => {};
	const released = new Promise<number>((resolve) => {
		release = () => resolve(0);
	});
	service().switches.latencyMilliseconds = async () => await released;
	return release;
}

afterEach(() => jest.restoreAllMocks());

it('a fault strikes the requests that it is meant for, as often as it is meant to, until it is cleared', async () => {
	const { faults } = service();
	faults.inject({ kind: 'status', times: 2, when: ({ method }) => method === 'GET' });
	await create();
	for (let turn = 0; turn < 3; turn += 1) await get();
	faults.inject({ kind: 'reset', times: 100 });
	faults.clear();
	await get();
	expect(statuses()).toEqual([200, 500, 500, 200, 200]);
});

// What each kind of fault does to a request is seen by the matrix in test/engine/faults.

it('load is refused above the length of the queue, for reads only', async () => {
	const { switches, requests } = service();
	switches.queueLength = 2;
	const release = holdAnswers();
	const reads = [1, 2, 3].map(async (id) => await client().get(addressOf(orders, id)));
	// The one that is refused need not wait.
	expect((await Promise.race(reads)).text).toContain('"code":204');
	release();
	const texts = (await Promise.all(reads)).map(({ text }) => text);
	expect(texts.filter((text) => text.includes('"code":204'))).toHaveLength(1);

	const releaseWrites = holdAnswers();
	const writes = Promise.all([create(), create(), create()]);
	await until(() => requests.openRequests.size === 3);
	releaseWrites();
	expect((await writes).filter(({ text }) => text.includes('SUCCESS'))).toHaveLength(3);
});
