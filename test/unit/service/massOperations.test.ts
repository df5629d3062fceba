import { customers, orders, salaries, type IdentityName, type SheetAddress } from '../../service';
import { useService } from './useService';

const { service, client } = useService();
const { fields, buttons } = orders;

const order = (recordId: number) => service().data.record(orders, recordId);
const states = () => service().tasks.all.map(({ state }) => state);

function addressFor(type: string, query: string, { path, index }: SheetAddress = orders): string {
	return `/acme/${path}/${index}/massOperation/${type}?api${query && `&${query}`}`;
}

/** Submits as an identity and lets the task run to its end. */
async function submit(type: string, query: string, body: unknown, name: IdentityName = 'member') {
	const reply = await client().send('POST', addressFor(type, query), service().identities[name], {
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	service().tasks.step(Infinity);
	return reply;
}

const startedTask = { taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) };

describe('what a mass operation does to the selected records', () => {
	it('lock and unlock', async () => {
		const query = 'recordId=10&recordId=12';
		expect((await submit('massLock', query, { action: 'lock' })).json()).toEqual(startedTask);
		expect([10, 11, 12].map((id) => order(id).locked)).toEqual([true, false, true]);
		await submit('massLock', 'recordId=10', { action: 'unlock' });
		expect([10, 11, 12].map((id) => order(id).locked)).toEqual([false, false, true]);
	});

	it('approve and reject, with a comment', async () => {
		await submit('massApproval', 'recordId=10', { action: 'approve' });
		await submit('massApproval', 'recordId=12', { action: 'reject', comment: 'Too late' });
		const read = async (id: number) =>
			(await client().get(`/acme/sales/orders/1/${id}?api&approval=true`)).json();
		const approver = 'max.member@acme.example';
		expect(await read(10)).toMatchObject({ 10: { _approval: { status: 'Approved', approver } } });
		expect(await read(12)).toMatchObject({
			12: { _approval: { status: 'Rejected', approver, comment: 'Too late' } },
		});
	});

	it('press a button, as on one record', async () => {
		order(12).set(fields.status, 'Cancelled');
		const body = { buttonId: Number(buttons.ship) };
		await submit('massActionButton', 'recordId=10&recordId=12', body);
		expect(order(10).text(fields.workflowStamp)).toBe('Shipped by member');
		expect(order(12).text(fields.status)).toBe('Cancelled');
		expect(service().tasks.all[0]).toMatchObject({
			success: 1,
			fail: 1,
			message: 'Record 12: A cancelled order cannot be shipped.',
		});
	});

	it('update several fields', async () => {
		await submit('massUpdate', 'recordId=10', {
			action: [
				{ field: Number(fields.status), value: 'Shipped' },
				{ field: fields.tags, value: ['Gift', 'Export'] },
				{ field: Number(fields.remark), value: 12345678901234567n.toString() },
			],
		});
		expect(order(10).text(fields.status)).toBe('Shipped');
		expect(order(10).value(fields.tags)).toEqual(['Gift', 'Export']);
		expect(order(10).text(fields.remark)).toBe('12345678901234567');
		expect(order(10).history.at(-1)).toMatchObject({ type: 'Mass Update' });
	});

	it.each([
		['refused', /"code":201/, ['', 'Call us', '']],
		['fillsEmpty', /taskId/, ['new', 'Call us', 'new']],
		['ignored', /taskId/, ['', 'Call us', '']],
	] as const)('search and replace without an old value: %s', async (position, answer, remarks) => {
		service().switches.emptyOldValue = position;
		order(10).set(fields.remark, '').set(fields.tags, []);
		order(11).set(fields.remark, 'Call us').set(fields.tags, ['Gift']);
		order(12).values.delete(fields.remark);
		const action = [{ field: fields.remark, valueReplaced: '', valueNew: 'new' }];
		const query = 'recordId=10&recordId=11&recordId=12';
		expect((await submit('massSearchReplace', query, { action })).text).toMatch(answer);
		expect([10, 11, 12].map((id) => order(id).text(fields.remark))).toEqual(remarks);
		expect(order(11).value(fields.tags)).toEqual(['Gift']);
	});

	it('search and replace, in texts and in selections', async () => {
		order(10).set(fields.remark, 'old, older').set(fields.tags, ['Gift', 'Export']);
		await submit('massSearchReplace', 'recordId=10', {
			action: [
				{ field: Number(fields.remark), valueReplaced: 'old', valueNew: 'new' },
				{ field: Number(fields.tags), valueReplaced: 'Gift', valueNew: 'Express' },
			],
		});
		expect(order(10).text(fields.remark)).toBe('new, newer');
		expect(order(10).value(fields.tags)).toEqual(['Express', 'Export']);
	});

	it.each([
		['massUpdate', { value: 'x' }],
		['massSearchReplace', { valueReplaced: 'old', valueNew: 'new' }],
	])('refuse an unknown field, or leave it out by a switch: %s', async (type, values) => {
		order(10).set(fields.remark, 'old');
		const body = { action: [fields.remark, '999'].map((field) => ({ field, ...values })) };
		const refused = await submit(type, 'recordId=10', body);
		expect(refused.json()).toMatchObject({ status: 'ERROR', code: 201 });
		expect(order(10).text(fields.remark)).toBe('old');
		service().switches.unknownBodyField = 'ignored';
		expect((await submit(type, 'recordId=10', body)).json()).toEqual(startedTask);
		expect(order(10).text(fields.remark)).not.toBe('old');
		expect(order(10).value('999')).toBe('');
	});

	it('leave a record alone that would not be valid afterwards', async () => {
		const before = order(10).text(fields.customerNumber);
		await submit('massUpdate', 'recordId=10', {
			action: [{ field: Number(fields.customerNumber), value: '' }],
		});
		expect(order(10).text(fields.customerNumber)).toBe(before);
		expect(service().tasks.all[0]).toMatchObject({ success: 0, fail: 1, state: 'done' });
	});
});

describe('the selection', () => {
	const lock = { action: 'lock' };
	const lockedIds = () =>
		[...service().data.sheet(customers).records.values()]
			.filter(({ locked }) => locked)
			.map(({ id }) => id);

	async function lockCustomers(query: string) {
		const reply = await client().postJson(addressFor('massLock', query, customers), lock);
		service().tasks.step(Infinity);
		return reply.json();
	}

	it('follows conditions as a list does', async () => {
		const { customerNumber } = customers.fields;
		await lockCustomers(`where=${customerNumber},gte,C-0007&where=${customerNumber},lte,C-0009`);
		expect(lockedIds()).toEqual([7, 8, 9]);
	});

	it('takes each id once', async () => {
		await lockCustomers('recordId=7&recordId=9&recordId=7');
		expect(lockedIds()).toEqual([7, 9]);
		expect(service().tasks.all[0]).toMatchObject({ total: 2, success: 2 });
	});

	it('counts an id that is not there as failed', async () => {
		await lockCustomers('recordId=7&recordId=999');
		expect(service().tasks.all[0]).toMatchObject({ total: 2, success: 1, fail: 1, state: 'done' });
	});

	it.each([
		['everyRecord', 300],
		['nothing', 0],
	] as const)('without conditions and ids is %s, by a switch', async (emptySelection, count) => {
		service().switches.emptySelection = emptySelection;
		expect(await lockCustomers('')).toEqual(startedTask);
		expect(lockedIds()).toHaveLength(count);
		expect(states()).toEqual(['done']);
	});

	it('without conditions and ids may be refused', async () => {
		service().switches.emptySelection = 'refused';
		expect(await lockCustomers('')).toMatchObject({ status: 'ERROR', code: 201 });
		expect(service().tasks.all).toEqual([]);
	});

	it.each([
		['both ways', 'recordId=7&where=1100001,eq,C-0007', 201],
		['no id', 'recordId=x', 201],
		['an unknown field', 'where=99,eq,x', 201],
		['another parameter', 'recordId=7&naming=EID', 201],
	])('is refused with %s', async (_, query, code) => {
		expect(await lockCustomers(query)).toMatchObject({ status: 'ERROR', code });
		expect(service().tasks.all).toEqual([]);
	});
});

describe('the bodies', () => {
	const second: Array<[string, unknown]> = [
		['massLock', { lock: true }],
		['massActionButton', { bId: Number(buttons.cancel) }],
		['massUpdate', { [fields.status]: 'Cancelled' }],
		['massSearchReplace', { fieldId: Number(fields.status), search: 'Open', replace: 'Cancelled' }],
	];

	it.each(second)('of the other description need a switch: %s', async (type, body) => {
		order(10).set(fields.status, 'Open');
		expect((await submit(type, 'recordId=10', body)).json()).toMatchObject({ code: 201 });
		service().switches.massBodies = 'both';
		expect((await submit(type, 'recordId=10', body)).json()).toEqual(startedTask);
		const { locked } = order(10);
		expect(locked || order(10).text(fields.status) === 'Cancelled').toBe(true);
	});

	it('of the first description can be turned off', async () => {
		service().switches.massBodies = 'alternative';
		const reply = await submit('massLock', 'recordId=10', { action: 'lock' });
		expect(reply.json()).toMatchObject({ code: 201 });
	});

	it.each([
		['massLock', { action: 'open' }],
		['massApproval', { action: 'maybe' }],
		['massActionButton', {}],
		['massActionButton', { buttonId: 99 }],
		['massUpdate', { action: [] }],
		['massUpdate', { action: [{ field: 99, value: 'x' }] }],
		['massUpdate', { action: [{ field: Number(fields.status), value: ['a', 'b'] }] }],
		['massSearchReplace', { action: [{ field: Number(fields.status) }] }],
		['massSearchReplace', { action: [{ field: 99, valueReplaced: 'a', valueNew: 'b' }] }],
		['massDelete', { action: 'delete' }],
	])('are refused when they are none: %s %j', async (type, body) => {
		expect((await submit(type, 'recordId=10', body)).json()).toMatchObject({ status: 'ERROR' });
		expect(service().tasks.all).toEqual([]);
	});

	it('must be JSON, and posted', async () => {
		const address = addressFor('massLock', 'recordId=10');
		expect((await client().postForm(address, [['action', 'lock']])).json()).toMatchObject({
			code: 201,
		});
		expect((await client().get(address)).status).toBe(405);
	});
});

describe('rights', () => {
	const lock = { action: 'lock' };

	it('to write the sheet are needed, or to press the button', async () => {
		const refused = { status: 'ERROR', code: 106 };
		expect((await submit('massLock', 'recordId=10', lock, 'reader')).json()).toMatchObject(refused);
		const cancel = { buttonId: Number(buttons.cancel) };
		const pressed = await submit('massActionButton', 'recordId=10', cancel, 'reader');
		expect(pressed.json()).toEqual(startedTask);
		const clear = { buttonId: Number(buttons.clearMargin) };
		const refusal = await submit('massActionButton', 'recordId=10', clear);
		expect(refusal.json()).toMatchObject(refused);
		const closed = await client().postJson(addressFor('massLock', 'recordId=1', salaries), lock);
		expect(closed.json()).toMatchObject(refused);
	});
});

it('sends one webhook delivery with all records of an update', async () => {
	service().webhooks.register(orders, 'http://127.0.0.1:9/hook', { fullContent: false });
	await submit('massUpdate', 'recordId=10&recordId=12', {
		action: [{ field: Number(fields.remark), value: 'x' }],
	});
	await submit('massLock', 'recordId=10', { action: 'lock' });
	const deliveries = await service().webhooks.settled();
	expect(deliveries.map(({ body }) => body)).toEqual(['[10,12]']);
});
