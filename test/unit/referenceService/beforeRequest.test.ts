import { orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 5 });
const { remark } = orders.fields;
const address = addressOf(orders, 5, 'naming=EID');
const remarkOf = async () => Object(Object((await client().get(address)).json())['5'])[remark];

it('beforeRequest runs a function before the work on each request, until it is removed', async () => {
	let count = 0;
	const remove = service().beforeRequest(({ path }) => {
		count += 1;
		service()
			.data.record(orders, 5)
			.set(remark, `${path.split('/').at(-1)} read ${count} times`);
	});
	expect(await remarkOf()).toBe('5 read 1 times');
	expect(await remarkOf()).toBe('5 read 2 times');
	remove();
	expect(await remarkOf()).toBe('5 read 2 times');
});

it('beforeRequest delays a request until the promise is settled', async () => {
	const order: string[] = [];
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	service().beforeRequest(async ({ method }) => {
		if (method === 'GET') await released;
	});
	const read = client()
		.get(address)
		.then(() => order.push('read'));
	await client().postJson(address, {});
	order.push('written');
	release();
	await read;
	expect(order).toEqual(['written', 'read']);
});

it('a reset removes the functions that run before requests', async () => {
	let count = 0;
	service().beforeRequest(() => (count += 1));
	service().reset();
	await client().get(address);
	expect(count).toBe(0);
});
