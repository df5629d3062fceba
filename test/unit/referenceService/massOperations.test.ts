import { setTimeout as wait } from 'node:timers/promises';
import {
	customers,
	externalUsers,
	internalUsers,
	orders,
	type IdentityName,
	type SheetAddress,
} from '../../service';
import { massAddressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields, buttons } = orders;

const order = (recordId: number) => service().data.record(orders, recordId);
const startedTask = { taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
const idsOf = (...ids: number[]) => ids.map((id) => `recordId=${id}`).join('&');

/** Submits as an identity and lets the task run to its end. */
async function submit(
	type: string,
	query: string,
	body: unknown,
	{ sheet = orders, name = 'member' }: { sheet?: SheetAddress; name?: IdentityName } = {},
): Promise<unknown> {
	const reply = await client().postJson(massAddressOf(sheet, type, query), body, name);
	service().tasks.step(Infinity);
	return reply.json();
}

describe('a mass operation', () => {
	it('locks and unlocks', async () => {
		const answer = await submit('massLock', idsOf(10, 12), { action: 'lock' });
		expect(answer).toEqual(startedTask);
		await submit('massLock', idsOf(10), { action: 'unlock' });
		expect([10, 11, 12].map((id) => order(id).locked)).toEqual([false, false, true]);
	});

	it('approves and rejects, with a comment', async () => {
		await submit('massApproval', idsOf(10), { action: 'approve' });
		await submit('massApproval', idsOf(12), { action: 'reject', comment: 'Too late' });
		const approver = 'max.member@acme.example';
		expect([order(10).approval, order(12).approval]).toEqual([
			{ status: 'Approved', approver },
			{ status: 'Rejected', approver, comment: 'Too late' },
		]);
	});

	it('presses a button as on one record, for those who may press it', async () => {
		order(12).set(fields.status, 'Cancelled');
		await submit('massActionButton', idsOf(10, 12), { buttonId: Number(buttons.ship) });
		expect(order(10).text(fields.workflowStamp)).toBe('Shipped by member');
		expect(order(12).text(fields.status)).toBe('Cancelled');
		expect(service().tasks.all[0]).toMatchObject({
			success: 1,
			fail: 1,
			message: 'Record 12: A cancelled order cannot be shipped.',
		});
		const cancel = { buttonId: Number(buttons.cancel) };
		const answer = await submit('massActionButton', idsOf(10), cancel, { name: 'reader' });
		expect(answer).toEqual(startedTask);
	});

	it('updates several fields, and leaves a record alone that would not be valid then', async () => {
		await submit('massUpdate', idsOf(10), {
			action: [
				{ field: Number(fields.status), value: 'Shipped' },
				{ field: fields.tags, value: ['Gift', 'Export'] },
			],
		});
		expect(order(10).text(fields.status)).toBe('Shipped');
		expect(order(10).value(fields.tags)).toEqual(['Gift', 'Export']);
		expect(order(10).history.at(-1)).toMatchObject({ type: 'Mass Update' });
		const before = order(10).text(fields.customerNumber);
		await submit('massUpdate', idsOf(10), {
			action: [{ field: fields.customerNumber, value: '' }],
		});
		expect(order(10).text(fields.customerNumber)).toBe(before);
		expect(service().tasks.all[1]).toMatchObject({ success: 0, fail: 1, state: 'done' });
	});

	it.each([
		['fillsEmpty', ['new', 'Call us', 'new']],
		['ignored', ['', 'Call us', '']],
	] as const)('replaces no old value as the switch says: %s', async (position, remarks) => {
		service().switches.emptyOldValue = position;
		order(10).set(fields.remark, '');
		order(11).set(fields.remark, 'Call us');
		order(12).values.delete(fields.remark);
		const action = [{ field: fields.remark, valueReplaced: '', valueNew: 'new' }];
		await submit('massSearchReplace', idsOf(10, 11, 12), { action });
		expect([10, 11, 12].map((id) => order(id).text(fields.remark))).toEqual(remarks);
	});

	it('replaces in texts, and whole choices', async () => {
		order(10).set(fields.remark, 'old, older').set(fields.tags, ['Gift', 'Gift card']);
		await submit('massSearchReplace', idsOf(10), {
			action: [
				{ field: Number(fields.remark), valueReplaced: 'old', valueNew: 'new' },
				{ field: Number(fields.tags), valueReplaced: 'Gift', valueNew: 'Express' },
			],
		});
		expect(order(10).text(fields.remark)).toBe('new, newer');
		expect(order(10).value(fields.tags)).toEqual(['Express', 'Gift card']);
	});

	it.each([
		['massUpdate', { value: 'new' }],
		['massSearchReplace', { valueReplaced: 'old', valueNew: 'new' }],
	])('leaves an unknown field out by a switch: %s', async (type, values) => {
		order(10).set(fields.remark, 'old');
		service().switches.unknownBodyField = 'ignored';
		await submit(type, idsOf(10), {
			action: [fields.remark, '999'].map((field) => ({ field, ...values })),
		});
		expect([order(10).text(fields.remark), order(10).value('999')]).toEqual(['new', '']);
	});

	it.each<[string, unknown]>([
		['massLock', { lock: true }],
		['massActionButton', { bId: Number(buttons.cancel) }],
		['massUpdate', { [fields.status]: 'Cancelled' }],
		['massSearchReplace', { fieldId: Number(fields.status), search: 'Open', replace: 'Cancelled' }],
	])('takes the body of the other description by a switch: %s', async (type, body) => {
		order(10).set(fields.status, 'Open');
		service().switches.massBodies = 'both';
		expect(await submit(type, idsOf(10), body)).toEqual(startedTask);
		expect(order(10).locked || order(10).text(fields.status) === 'Cancelled').toBe(true);
	});
});

describe('the selection', () => {
	async function locked(query: string): Promise<number[]> {
		await submit('massLock', query, { action: 'lock' }, { sheet: customers });
		const records = [...service().data.sheet(customers).records.values()];
		return records.flatMap((record) => (record.locked ? [record.id] : []));
	}

	it('follows conditions as a list does, and takes each id once', async () => {
		const { customerNumber } = customers.fields;
		const range = `where=${customerNumber},gte,C-0007&where=${customerNumber},lte,C-0008`;
		expect(await locked(range)).toEqual([7, 8]);
		expect(await locked(idsOf(7, 9, 7, 999))).toEqual([7, 8, 9]);
		expect(service().tasks.all[1]).toMatchObject({ total: 3, success: 2, fail: 1, state: 'done' });
	});

	it.each([
		['everyRecord', 300],
		['nothing', 0],
		['refused', 0],
	] as const)('without conditions and ids is %s, by a switch', async (emptySelection, count) => {
		service().switches.emptySelection = emptySelection;
		expect(await locked('')).toHaveLength(count);
		const states = service().tasks.all.map(({ state }) => state);
		expect(states).toEqual(emptySelection === 'refused' ? [] : ['done']);
	});
});

describe('the groups of users', () => {
	const groups = (sheet: SheetAddress, id: number) =>
		service().data.record(sheet, id).value(internalUsers.fields.groups);
	const change = async (sheet: SheetAddress, value: string, ...ids: number[]) => {
		const body = { action: [{ field: 3, value }] };
		await submit('massUpdate', idsOf(...ids), body, { sheet, name: 'admin' });
	};

	it('are a text that holds a JSON array; those of external users begin with x- or X-', async () => {
		await change(internalUsers, '["Sales","Support \\"B\\""]', 3);
		expect(groups(internalUsers, 3)).toEqual(['Sales', 'Support "B"']);
		await change(externalUsers, '["x-a","X-B"]', 3);
		expect(groups(externalUsers, 3)).toEqual(['x-a', 'X-B']);
	});

	it('keep one administrator', async () => {
		await change(internalUsers, '["Sales"]', 1, 2);
		expect([1, 2].map((id) => groups(internalUsers, id))).toEqual([['Sales'], ['SYSAdmin']]);
		expect(service().tasks.all[0]).toMatchObject({ success: 1, fail: 1 });
	});
});

describe('a task', () => {
	const tenIds = Array.from({ length: 10 }, (_, index) => index + 10);
	const locked = () => tenIds.filter((id) => order(id).locked).length;

	async function lockTen(): Promise<string> {
		await client().postJson(massAddressOf(orders, 'massLock', idsOf(...tenIds)), {
			action: 'lock',
		});
		return service().tasks.all.at(-1)?.id ?? '';
	}
	const look = async (taskId: string, name?: IdentityName, place = '') =>
		(await client().get(`/acme${place}?api&taskId=${taskId}`, name)).json();
	const untilItEnds = async () => {
		while (!service().tasks.all[0]?.hasEnded) await wait(1);
	};

	it('goes on in the background, at the speed that is set, unless it is held', async () => {
		const { tasks } = service();
		tasks.hold();
		tasks.speed = 200;
		const taskId = await lockTen();
		await wait(5);
		expect(await look(taskId)).toMatchObject({ status: 'NOT_STARTED' });
		tasks.step(4);
		expect(locked()).toBe(4);
		expect(await look(taskId)).toMatchObject({ status: 'RUNNING', progress: 4, total: 10 });
		const released = performance.now();
		tasks.release();
		await untilItEnds();
		expect(performance.now() - released).toBeGreaterThan(25);
		expect(locked()).toBe(10);
		service().reset();
		await lockTen();
		await untilItEnds();
		expect(locked()).toBe(10);
	});

	it('may go on only while somebody looks', async () => {
		service().tasks.recordsPerLook = 4;
		const taskId = await lockTen();
		const seen: unknown[] = [];
		for (let looks = 0; looks < 5; looks += 1) seen.push(await look(taskId));
		expect(seen).toEqual([
			{ status: 'NOT_STARTED', progress: 0, total: 10, message: '' },
			{ status: 'RUNNING', progress: 4, total: 10, message: '' },
			{ status: 'RUNNING', progress: 8, total: 10, message: '' },
			{ status: 'COMPLETED', progress: 10, total: 10, message: '' },
			{ status: 'COMPLETED', progress: 10, total: 10, message: '' },
		]);
	});

	it('has three shapes, and is told to whoever submitted it and to administrators, until it is forgotten', async () => {
		Object.assign(service().switches, { taskShape: 'counts', looksUntilForgotten: 2 });
		service().tasks.obstacle = (id) => (id === 12 ? 'In use' : undefined);
		const taskId = await lockTen();
		service().tasks.step(Infinity);
		expect(await look(taskId, 'admin', '/sales/orders/1')).toEqual({
			id: taskId,
			ap: 'acme',
			taskName: 'massLock',
			status: 'COMPLETED',
			processed: 10,
			success: 9,
			fail: 1,
			message: 'Record 12: In use',
		});
		service().switches.taskShape = 'short';
		expect(await look(taskId)).toEqual({ status: 'COMPLETED' });
		expect(await look(taskId)).toEqual(refused(404));
	});

	it('is told to nobody else, and at no other sheet', async () => {
		const taskId = await lockTen();
		expect(await look(taskId, 'reader')).toEqual(refused(404));
		expect(await look(taskId, 'member', '/sales/customers/2')).toEqual(refused(404));
	});

	it('may end badly', async () => {
		service().tasks.breakMessage = 'Out of paper';
		service().reset();
		service().tasks.breaksAfter = 6;
		const taskId = await lockTen();
		service().tasks.step(Infinity);
		const message = 'The operation was broken off.';
		expect(await look(taskId)).toEqual({ status: 'FAILED', progress: 6, total: 10, message });
		expect(locked()).toBe(6);
	});
});
