import { contacts, internalUsers, orders, type SheetAddress } from '../../service';
import { addressOf, massAddressOf, refused } from './client';
import { useService } from './useService';

/** What the deployed service was seen to do and the specification leaves open: what the probe does not ask of it. */

const { service, client } = useService({ demoRecords: 50 });
const { fields } = orders;
const { lines } = orders.subtables;

const turn = (position: object) => Object.assign(service().switches, position);
const order = (id: number) => service().data.record(orders, id);
const contact = (id: number) => service().data.record(contacts, id);

async function save(sheet: SheetAddress, values: unknown, id: number, query = '') {
	return (await client().postJson(addressOf(sheet, id, query), values)).json();
}

it.each(['n8n', 'singleEntryMode=true'])(
	'a parameter of the vendor’s own clients may be known: %s',
	async (own) => {
		turn({ unknownReadParameter: 'code102' });
		const answers = async () => [
			(await client().get(addressOf(orders, 10, own))).json(),
			await save(orders, { [fields.remark]: 'x' }, 10, own),
			await save(orders, {}, 10, `unlock&${own}`),
		];
		const success = expect.objectContaining({ status: 'SUCCESS' });
		expect(await answers()).toEqual([{ 10: expect.anything() }, success, success]);
		turn({ vendorParameters: 'unknown' });
		expect(await answers()).toEqual([refused(102), refused(201), refused(201)]);
	},
);

it('a refusal holds nothing but its message only where a write is wrong', async () => {
	turn({ writeRefusal: 'messageOnly' });
	order(3).locked = true;
	expect(await save(orders, { 999: 'x' }, 3)).toEqual({ msg: expect.stringContaining('999') });
	expect(await save(orders, { [fields.customerNumber]: '' }, 3)).toMatchObject({
		status: 'INVALID',
	});
	expect(await save(orders, {}, 3, 'checkLock=true')).toEqual(refused(402));
	expect((await client().get(addressOf(orders, undefined, 'limit=x'))).json()).toEqual(
		refused(201),
	);
});

describe('what is stored', () => {
	const { language, interests, contactPerson, metOn } = contacts.fields;

	it('of choices is dropped in fields of several, in rows and by mass updates as well', async () => {
		turn({ unknownChoices: 'dropped' });
		await save(contacts, { [interests]: ['Coffee', 'Opera'] }, 1);
		expect(contact(1).value(interests)).toEqual(['Coffee']);
		const [field] = service().data.sheet(orders).subtable(lines.id)?.fields ?? [];
		if (field) field.choices = ['Pen'];
		const id = field?.id ?? '';
		await save(orders, { [`_subtable_${lines.id}`]: { 1: { [id]: 'Pencil' } } }, 1);
		expect(order(1).rows(lines.id).get(1)?.get(id)).toBe('');
		const action = [{ field: language, value: 'Klingon' }];
		await client().postJson(massAddressOf(contacts, 'massUpdate', 'recordId=2'), { action });
		service().tasks.step(Infinity);
		expect(contact(2).text(language)).toBe('');
	});

	it('of people and dates is dropped only where they are none', async () => {
		turn({ unknownPeople: 'dropped', wrongDates: 'lost' });
		await save(contacts, { [contactPerson]: 'Nobody', [metOn]: 'next spring' }, 1);
		expect([contactPerson, metOn].map((field) => contact(1).text(field))).toEqual(['', '']);
		const known = service().data.record(internalUsers, 3);
		for (const field of [internalUsers.fields.email, internalUsers.fields.fullName]) {
			const values = { [contactPerson]: known.text(field), [metOn]: '2024/02/29' };
			await save(contacts, values, 1);
			expect(contact(1).text(contactPerson)).toBe(known.text(field));
			expect(contact(1).text(metOn)).toBe('2024/02/29');
		}
	});
});

it('the users have an address and status words of their own', async () => {
	const { status } = internalUsers.fields;
	turn({ usersSheet: 'deployed' });
	service().data.record(internalUsers, 5).set(status, 'Suspended');
	const read = async (address: string) =>
		(await client().get(`${address}&naming=EID&subtables=0`, 'admin')).json();
	const users = '/acme/default/ragic-setup/1';
	expect(await read(`${users}/5?api`)).toMatchObject({ 5: { [status]: 'SUSPENDED' } });
	expect(await read(`${users}?api&where=${status},eq,SUSPENDED`)).toHaveProperty('5');
	expect(await read(addressOf(internalUsers, 4))).toMatchObject({ 4: { [status]: 'NORMAL' } });
});
