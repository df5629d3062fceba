import { contacts, internalUsers, measurements, products } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();

it('there is a sheet with unique fields, whose values are told apart', async () => {
	const { productNumber, barcode } = products.fields;
	const create = async (values: object) =>
		(await client().postJson(addressOf(products), values)).json();
	const twice = { status: 'INVALID', code: 202, msg: expect.stringMatching(/already exists/) };
	expect(await create({ [productNumber]: 'P-001' })).toEqual(twice);
	expect(await create({ [productNumber]: 'P-100', [barcode]: '4000000000001' })).toEqual(twice);
	expect(await create({ [productNumber]: 'P-100' })).toMatchObject({
		status: 'SUCCESS',
		svcId: 31,
	});
	expect(await create({ [productNumber]: 'P-101' })).toMatchObject({
		status: 'SUCCESS',
		svcId: 32,
	});
});

it('there is a sheet whose schema tells the choices of its selections', async () => {
	const schema = addressOf(contacts).replace('?api', '/metadata/schema?api');
	const reply = await client().send('GET', schema, service().identities.admin);
	expect(reply.json()).toMatchObject({
		fields: expect.arrayContaining([
			expect.objectContaining({ type: 'singleSelection', options: contacts.languages }),
			expect.objectContaining({ type: 'multipleSelection', options: contacts.interests }),
		]),
	});
});

it('there is a sheet with a field for users, who are there', () => {
	const users = [...service().data.sheet(internalUsers).records.values()];
	const emails = users.map((user) => user.text(internalUsers.fields.email));
	const people = [...service().data.sheet(contacts).records.values()]
		.map((contact) => contact.text(contacts.fields.contactPerson))
		.filter((person) => person !== '');
	expect(people).toHaveLength(10);
	expect(emails).toEqual(expect.arrayContaining(people));
});

it('there is a sheet of forty fields', async () => {
	const reply = await client().get(addressOf(measurements, 7, 'naming=FNAME'));
	const fields = Array.from({ length: 40 }, (_, index) => [
		`Field ${index + 1}`,
		`${7 * (index + 1)} measured`,
	]);
	expect(reply.json()).toEqual({ 7: expect.objectContaining(Object.fromEntries(fields)) });
});
