import { customers, orders, type IdentityName, type SheetAddress } from '../../service';
import { massAddressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = orders;

const order = (recordId: number) => service().data.record(orders, recordId);
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
});

describe('the selection', () => {
	async function locked(query: string): Promise<number[]> {
		await submit('massLock', query, { action: 'lock' }, { sheet: customers });
		const records = [...service().data.sheet(customers).records.values()];
		return records.flatMap((record) => (record.locked ? [record.id] : []));
	}

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

describe('a task', () => {
	const tenIds = Array.from({ length: 10 }, (_, index) => index + 10);

	async function lockTen(): Promise<string> {
		await client().postJson(massAddressOf(orders, 'massLock', idsOf(...tenIds)), {
			action: 'lock',
		});
		return service().tasks.all.at(-1)?.id ?? '';
	}
	const look = async (taskId: string, name?: IdentityName, place = '') =>
		(await client().get(`/acme${place}?api&taskId=${taskId}`, name)).json();

	it('is told to nobody else, and at no other sheet', async () => {
		const taskId = await lockTen();
		expect(await look(taskId, 'reader')).toEqual(refused(404));
		expect(await look(taskId, 'member', '/sales/customers/2')).toEqual(refused(404));
	});
});
