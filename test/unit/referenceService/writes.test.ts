import { empty, orders, type SheetAddress } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;

const order = (id: number) => service().data.record(orders, id);
const written = { status: 'SUCCESS', rv: expect.any(String) };
const minimum = { [fields.customerNumber]: 'C-0001' };

async function save(sheet: SheetAddress, values: unknown, id?: number, query = '') {
	return (await client().postJson(addressOf(sheet, id, query), values)).json();
}

describe('a new record', () => {
	it('is answered with its id and by field id', async () => {
		const answer = await save(orders, { ...minimum, [fields.remark]: 'new' }, undefined, 'info=1');
		expect(answer).toEqual({
			...written,
			svcId: 51,
			data: expect.objectContaining({
				_svcId: 51,
				_create_user: 'max.member@acme.example',
				[fields.orderNumber]: 'SO-00051',
				[fields.remark]: 'new',
				[fields.tags]: [],
			}),
		});
		service().switches.answerCarriesData = false;
		service().switches.dialect = 'ragic';
		expect(await save(orders, minimum)).toEqual({ status: 'SUCCESS', rv: '0', ragicId: 52 });
		expect(await save(empty, {})).toEqual({ status: 'SUCCESS', rv: '0', ragicId: 0 });
	});

	it('is told to those concerned unless they are not to be told', async () => {
		await save(orders, minimum, undefined, 'notification=false');
		await save(orders, minimum);
		expect(service().data.notifications).toEqual([
			{ sheet: { path: 'sales/orders', index: 1 }, recordId: 52, user: 'max.member@acme.example' },
		]);
	});
});

it('a unique field refuses what another record holds, as the field is compared, and nothing else', async () => {
	const { title, amount } = empty.fields;
	for (const id of [title, amount])
		Object.assign(service().data.sheet(empty).field(id) ?? {}, { unique: true });
	const success = expect.objectContaining(written);
	const taken = {
		status: 'INVALID',
		code: 202,
		msg: 'Field "Amount" (1600002): "5.00" already exists.',
	};
	expect(await save(empty, { [title]: 'a', [amount]: '5' })).toEqual(success);
	expect(await save(empty, { [title]: 'A', [amount]: '5.00' })).toEqual(taken);
	expect(await save(empty, { [title]: 'A', [amount]: '' })).toEqual(success);
	expect(await save(empty, { [title]: 'b', [amount]: '' })).toEqual(success);
	expect(await save(empty, { [title]: 'a', [amount]: '5.0' }, 0)).toEqual(success);
});

it.each(['POST', 'PUT', 'PATCH'] as const)(
	'an update by %s merges; nothing clears',
	async (method) => {
		const before = order(2).text(fields.status);
		const changes = { [fields.remark]: 'changed', [fields.city]: '', [fields.note]: null };
		const reply = await client().postJson(addressOf(orders, 2), changes, 'member', method);
		expect(reply.json()).toEqual({
			...written,
			svcId: 2,
			msg: '',
			warning: '',
			data: expect.objectContaining({ [fields.remark]: 'changed' }),
		});
		const values = [fields.remark, fields.city, fields.note, fields.status];
		expect(values.map((field) => order(2).value(field))).toEqual(['changed', '', '', before]);
		expect(order(2).updated.user).toBe('max.member@acme.example');
	},
);

describe('an action button', () => {
	const press = async (button: string) =>
		(await client().send('POST', addressOf(orders, 4, `bId=${button}`), 'outsider')).json();

	it('needs the right to view the record, not to write it', async () => {
		const { outsider } = service().identities;
		outsider.groups.push('Finance');
		expect(await press(buttons.clearMargin)).toEqual(refused(106));
		expect(order(4).text(fields.internalMargin)).not.toBe('');
		outsider.groups.push('Readers');
		expect(await press(buttons.clearMargin)).toEqual({
			status: 'SUCCESS',
			msg: expect.any(String),
		});
		expect(order(4).text(fields.internalMargin)).toBe('');
	});
});
