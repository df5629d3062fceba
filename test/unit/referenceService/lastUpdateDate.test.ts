import { orders } from '../../service';
import { addressOf, massAddressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;
const { lines } = orders.subtables;

const tenToTwelve = Date.UTC(2030, 0, 1, 11, 50, 30);

async function changedSince(time: string) {
	const query = `where=109,gte,${encodeURIComponent(time)}&subtables=0`;
	return (await client().get(addressOf(orders, undefined, query))).ids();
}

const order = (query = '') => addressOf(orders, 10, query);
const post = async (query: string) => await client().send('POST', order(query), 'admin');
const massOperation = async (type: string, body: unknown) => {
	await client().postJson(massAddressOf(orders, type, 'recordId=10'), body, 'admin');
	service().tasks.step(Infinity);
};

type Ways = Record<string, () => unknown>;

const updates: Ways = {
	'an update that changes nothing': async () => await client().postJson(order(), {}),
	'a deleted row': async () => await client().postForm(order(), [[`DELSUB_${lines.id}`, '1']]),
	'a file': async () => await client().postParts(order(), [[fields.contract, 'a', 'a.txt']]),
	'an action button': async () => await post(`bId=${buttons.ship}`),
	'a mass update': async () =>
		await massOperation('massUpdate', { action: [{ field: fields.remark, value: 'x' }] }),
	'a search and replace': async () =>
		await massOperation('massSearchReplace', {
			action: [{ field: fields.remark, valueReplaced: 'a', valueNew: 'b' }],
		}),
	'a mass action button': async () =>
		await massOperation('massActionButton', { buttonId: buttons.ship }),
	'an edit in the interface': () => service().people.edit(orders, 10, { [fields.remark]: 'x' }),
	'a list page that is saved unmodified': () => service().people.editOnListPage(orders, [10], {}),
	'a mass update in the interface': () =>
		service().people.massChange(orders, [10], () => ({ [fields.remark]: 'x' })),
	'a find and replace in the interface': () => {
		service().data.record(orders, 10).set(fields.remark, 'only here');
		service().people.replaceText(orders, fields.remark, 'only here', 'there');
	},
	'an import in the interface': () =>
		service().people.importRows(orders, fields.orderNumber, [
			{ [fields.orderNumber]: service().data.record(orders, 10).text(fields.orderNumber) },
		]),
	'a restored record': () => {
		service().people.delete(orders, 10);
		service().people.restore(orders, 10);
	},
};

const creations: Ways = {
	'a create': async () =>
		await client().postJson(addressOf(orders), { [fields.customerNumber]: 'C-0001' }),
	'a create in the interface': () => service().people.create(orders, {}),
	'an import in the interface': () =>
		service().people.importRows(orders, fields.orderNumber, [{ [fields.orderNumber]: 'new' }]),
};

const actions: Ways = {
	'a comment': async () => await client().postParts(order(), [['c', 'A word']]),
	'a lock': async () => await post('lock'),
	'a mass lock': async () => await massOperation('massLock', { action: 'lock' }),
	'a mass approval': async () => await massOperation('massApproval', { action: 'approve' }),
};

beforeEach(() => service().clock.set(tenToTwelve));

describe('the Last Update Date (field 109)', () => {
	it.each(Object.entries(updates))(
		'is renewed by %s, the Create Date is not',
		async (_, change) => {
			const { created } = service().data.record(orders, 10);
			await change();
			expect(await changedSince('2030/01/01 11:50:30')).toEqual([10]);
			const record = service().data.record(orders, 10);
			expect(record.created).toEqual(created);
			expect([record.updated.at, record.writtenAt, record.history.at(-1)?.at]).toEqual(
				Array(3).fill(tenToTwelve),
			);
		},
	);

	it.each(Object.entries(creations))('is the Create Date after %s', async (_, create) => {
		await create();
		expect(await changedSince('2030/01/01 11:50:30')).toEqual([51]);
		const { created, updated, writtenAt } = service().data.record(orders, 51);
		expect([created.at, updated.at, writtenAt]).toEqual(Array(3).fill(tenToTwelve));
	});

	it.each(Object.entries(actions))('is renewed by %s when a switch says so', async (_, act) => {
		await act();
		expect(await changedSince('2030/01/01')).toEqual([]);
		service().switches.updateDateRenewedBy = 'everyAction';
		await act();
		expect(await changedSince('2030/01/01')).toEqual([10]);
	});
});
