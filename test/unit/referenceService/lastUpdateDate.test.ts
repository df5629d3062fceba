import { orders } from '../../service';
import { addressOf, massAddressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;

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
	'an action button': async () => await post(`bId=${buttons.ship}`),
	'a mass update': async () =>
		await massOperation('massUpdate', { action: [{ field: fields.remark, value: 'x' }] }),
	'an edit in the interface': () => service().people.edit(orders, 10, { [fields.remark]: 'x' }),
	'a restored record': () => {
		service().people.delete(orders, 10);
		service().people.restore(orders, 10);
	},
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
});
