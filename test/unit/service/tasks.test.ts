import { setTimeout as wait } from 'node:timers/promises';
import { customers, orders, type IdentityName } from '../../service';
import { useService } from './useService';

const { service, client } = useService();

const atAccount = (taskId: string) => `/acme?api&taskId=${taskId}`;
const atSheet = (taskId: string) => `/acme/sales/orders/1?api&taskId=${taskId}`;

async function lockTen(): Promise<string> {
	const ids = Array.from({ length: 10 }, (_, index) => `&recordId=${index + 10}`).join('');
	const address = `/acme/sales/orders/1/massOperation/massLock?api${ids}`;
	await client().postJson(address, { action: 'lock' });
	return service().tasks.all.at(-1)?.id ?? '';
}

async function look(address: string, name: IdentityName = 'member') {
	return await client().send('GET', address, service().identities[name]);
}

const locked = () =>
	[...service().data.sheet(orders).records.values()].filter(
		({ id, locked }) => locked && id >= 10 && id < 20,
	).length;

describe('time', () => {
	it('passes in the background: by itself the work is done in a moment', async () => {
		await lockTen();
		while (!service().tasks.all[0]?.hasEnded) await wait(1);
		expect(locked()).toBe(10);
	});

	it('passes at the speed that is set', async () => {
		const { tasks } = service();
		tasks.hold();
		tasks.speed = 1000;
		await lockTen();
		expect(service().tasks.all[0]?.hasEnded).toBe(false);
		tasks.release();
		while (!service().tasks.all[0]?.hasEnded) await wait(1);
		expect(locked()).toBe(10);
	});

	it('stands still when it is held, and goes on when it is released', async () => {
		service().tasks.hold();
		const taskId = await lockTen();
		await wait(20);
		expect((await look(atAccount(taskId))).json()).toMatchObject({ status: 'NOT_STARTED' });
		service().tasks.step(4);
		expect(locked()).toBe(4);
		expect((await look(atAccount(taskId))).json()).toMatchObject({
			status: 'RUNNING',
			progress: 4,
			total: 10,
		});
		service().tasks.release();
		while (!service().tasks.all[0]?.hasEnded) await wait(1);
		expect(locked()).toBe(10);
	});

	it('may pass only while somebody looks', async () => {
		service().tasks.recordsPerLook = 4;
		const taskId = await lockTen();
		const seen: unknown[] = [];
		for (let looks = 0; looks < 5; looks += 1) seen.push((await look(atAccount(taskId))).json());
		expect(seen).toEqual([
			{ status: 'NOT_STARTED', progress: 0, total: 10, message: '' },
			{ status: 'RUNNING', progress: 4, total: 10, message: '' },
			{ status: 'RUNNING', progress: 8, total: 10, message: '' },
			{ status: 'COMPLETED', progress: 10, total: 10, message: '' },
			{ status: 'COMPLETED', progress: 10, total: 10, message: '' },
		]);
	});

	it('of a task ends with a reset', async () => {
		service().tasks.hold();
		await lockTen();
		service().reset();
		expect(service().tasks.all).toEqual([]);
		expect(locked()).toBe(0);
	});
});

describe('an answer', () => {
	async function taskAtEnd(): Promise<string> {
		const taskId = await lockTen();
		service().tasks.step(Infinity);
		return taskId;
	}

	it('comes at both addresses', async () => {
		const taskId = await taskAtEnd();
		const atBoth = [await look(atAccount(taskId)), await look(atSheet(taskId))];
		expect(atBoth.map((reply) => reply.json())).toEqual([
			expect.objectContaining({ status: 'COMPLETED' }),
			expect.objectContaining({ status: 'COMPLETED' }),
		]);
	});

	it.each(['taskAtAccount', 'taskAtSheet'] as const)('can be turned off: %s', async (name) => {
		const taskId = await taskAtEnd();
		const address = name === 'taskAtAccount' ? atAccount(taskId) : atSheet(taskId);
		const other = name === 'taskAtAccount' ? atSheet(taskId) : atAccount(taskId);
		service().switches[name] = 'http404';
		expect((await look(address)).status).toBe(404);
		service().switches[name] = 'code106';
		expect((await look(address)).json()).toMatchObject({ code: 106 });
		service().switches[name] = 'html';
		expect((await look(address)).text).toContain('<html>');
		expect((await look(other)).json()).toMatchObject({ status: 'COMPLETED' });
	});

	it('has three shapes', async () => {
		service().tasks.obstacle = (id) => (id === 12 ? 'In use' : undefined);
		const taskId = await taskAtEnd();
		const message = 'Record 12: In use';
		expect((await look(atAccount(taskId))).json()).toEqual({
			status: 'COMPLETED',
			progress: 10,
			total: 10,
			message,
		});
		service().switches.taskShape = 'counts';
		expect((await look(atAccount(taskId))).json()).toEqual({
			id: taskId,
			ap: 'acme',
			taskName: 'massLock',
			status: 'COMPLETED',
			processed: 10,
			success: 9,
			fail: 1,
			message,
		});
		service().switches.taskShape = 'short';
		expect((await look(atAccount(taskId))).json()).toEqual({ status: 'COMPLETED' });
	});

	it('has the words that are set', async () => {
		service().switches.taskWords.done = 'DONE';
		expect((await look(atAccount(await taskAtEnd()))).json()).toMatchObject({ status: 'DONE' });
		service().reset();
		expect((await look(atAccount(await taskAtEnd()))).json()).toMatchObject({
			status: 'COMPLETED',
		});
	});

	it('is for whoever submitted the task, and for administrators', async () => {
		const taskId = await taskAtEnd();
		expect((await look(atAccount(taskId), 'reader')).json()).toMatchObject({ code: 404 });
		expect((await look(atAccount(taskId), 'admin')).json()).toMatchObject({ status: 'COMPLETED' });
	});

	it('is not given at the address of another sheet', async () => {
		const taskId = await taskAtEnd();
		const other = `/acme/${customers.path}/${customers.index}?api&taskId=${taskId}`;
		expect((await look(other)).json()).toMatchObject({ code: 404 });
	});

	it('about a task that is not known has three forms', async () => {
		expect((await look(atAccount('x'))).json()).toMatchObject({ code: 404 });
		service().switches.unknownTask = 'http404';
		expect((await look(atAccount('x'))).status).toBe(404);
		service().switches.unknownTask = 'empty';
		expect((await look(atAccount('x'))).json()).toEqual({});
	});
});

describe('an end', () => {
	it('may be a bad one', async () => {
		service().tasks.breaksAfter = 6;
		const taskId = await lockTen();
		service().tasks.step(Infinity);
		expect((await look(atAccount(taskId))).json()).toEqual({
			status: 'FAILED',
			progress: 6,
			total: 10,
			message: 'The operation was broken off.',
		});
		expect(locked()).toBe(6);
	});

	it('has its usual message again after a reset', async () => {
		service().tasks.breakMessage = 'Out of paper';
		service().reset();
		service().tasks.breaksAfter = 1;
		await lockTen();
		service().tasks.step(Infinity);
		expect(service().tasks.all[0]?.message).toBe('The operation was broken off.');
	});

	it('is forgotten after a while', async () => {
		service().switches.looksUntilForgotten = 1;
		const taskId = await lockTen();
		service().tasks.step(Infinity);
		expect((await look(atAccount(taskId))).json()).toMatchObject({ status: 'COMPLETED' });
		expect((await look(atAccount(taskId))).json()).toMatchObject({ code: 404 });
		expect(locked()).toBe(10);
	});
});
