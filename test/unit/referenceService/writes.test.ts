import { empty, orders, type SheetAddress } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;

const order = (id: number) => service().data.record(orders, id);
const written = { status: 'SUCCESS', rv: expect.any(String) };

async function save(sheet: SheetAddress, values: unknown, id?: number, query = '') {
	return (await client().postJson(addressOf(sheet, id, query), values)).json();
}

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
