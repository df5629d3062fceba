import {
	contacts,
	internalUsers,
	orders,
	products,
	type IdentityName,
	type SheetAddress,
	type Switches,
} from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

/** What the deployed service was seen to do and the specification leaves open: each is a switch. */

const { service, client } = useService();
const { fields } = orders;
const { lines } = orders.subtables;

const turn = (positions: Partial<Switches>) => Object.assign(service().switches, positions);
const order = (id: number) => service().data.record(orders, id);
const contact = (id: number) => service().data.record(contacts, id);
const refused = (code: number) => ({ status: 'ERROR', code, msg: expect.any(String) });

async function get(address: string, name: IdentityName | 'nobody' = 'member', cookie = '') {
	const identity = name === 'nobody' ? undefined : service().identities[name];
	return await client().send('GET', address, identity, { headers: { cookie } });
}

async function found(query: string, sheet: SheetAddress = orders): Promise<number[]> {
	return (await client().get(addressOf(sheet, undefined, `subtables=0&${query}`))).ids();
}

describe('parameters', () => {
	it.each(['n8n', 'singleEntryMode=true'])(
		'of the vendor’s own clients may be known: %s',
		async (own) => {
			turn({ unknownReadParameter: 'code102' });
			const write = async () =>
				(await client().postJson(addressOf(orders, 10, own), { [fields.remark]: 'x' })).json();
			const lock = async () =>
				(
					await client().send(
						'POST',
						addressOf(orders, 10, `unlock&${own}`),
						service().identities.member,
					)
				).json();
			expect((await get(addressOf(orders, 10, own))).json()).toHaveProperty('10');
			expect(await write()).toMatchObject({ status: 'SUCCESS' });
			expect(await lock()).toMatchObject({ status: 'SUCCESS' });
			turn({ vendorParameters: 'unknown' });
			expect((await get(addressOf(orders, 10, own))).json()).toEqual(refused(102));
			expect(await write()).toEqual(refused(201));
			expect(await lock()).toEqual(refused(201));
		},
	);

	it('need not hold the mark of an API request beside a key', async () => {
		const address = addressOf(orders, 10).replace('?api', '');
		expect((await get(address)).text).toContain('<html>');
		turn({ apiFlag: 'notWithKey' });
		expect((await get(address)).ids()).toContain(10);
		const key = encodeURIComponent(service().identities.member.apiKey);
		const inQuery = await client().send('GET', `${address}?APIKey=${key}`, undefined);
		expect(inQuery.ids()).toContain(10);
		const { id } = await openSession();
		expect((await client().send('GET', `${address}?sid=${id}`, undefined)).text).toContain(
			'<html>',
		);
	});
});

async function openSession() {
	const { email, password } = service().identities.member;
	const query = `u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}`;
	const id = (await client().send('GET', `/AUTH?${query}`, undefined)).text;
	return { id, cookie: `JSESSIONID=${id}` };
}

describe('identity', () => {
	it('of a good key is taken for a guest’s now and then, in which case nothing is done', async () => {
		turn({ goodKeyRefusedEvery: 3 });
		const answers = [];
		for (const text of ['a', 'b', 'c', 'd']) {
			const reply = await client().postJson(addressOf(orders, 10), { [fields.remark]: text });
			answers.push(reply.json());
			if (text === 'c') expect(order(10).text(fields.remark)).toBe('b');
		}
		const done = expect.objectContaining({ status: 'SUCCESS' });
		expect(answers).toEqual([done, done, refused(106), done]);
		const { id } = await openSession();
		for (let count = 0; count < 4; count += 1) {
			const reply = await client().send('GET', addressOf(orders, 10, `sid=${id}`), undefined);
			expect(reply.ids()).toContain(10);
		}
	});

	it('of a key opens a session with every read', async () => {
		expect((await get(addressOf(orders, 10))).headers['set-cookie']).toBeUndefined();
		turn({ keyReadsOpenSession: true });
		const cookie = String((await get(addressOf(orders, 10))).headers['set-cookie']).split(';')[0];
		const reply = await client().send('GET', addressOf(orders, 10), undefined, {
			headers: { cookie: cookie ?? '' },
		});
		expect(reply.ids()).toContain(10);
		const written = await client().postJson(addressOf(orders, 10), {});
		expect(written.headers['set-cookie']).toBeUndefined();
	});
});

describe('stored files', () => {
	const address = () => {
		const value = order(50).text(fields.contract);
		return `/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`;
	};

	it('may be read by whoever knows their value', async () => {
		expect(await get(address(), 'nobody')).toMatchObject({ status: 401 });
		turn({ filesAreOpen: true, filesNeedSession: true });
		expect((await get(address(), 'nobody')).text).toContain('%PDF');
		expect((await get(address(), 'outsider')).text).toContain('%PDF');
		turn({ accountState: 'expired' });
		expect((await get(address(), 'nobody')).json()).toEqual(refused(303));
	});

	it('may need the session beside the key', async () => {
		turn({ filesNeedSession: 'besideKey' });
		const { cookie } = await openSession();
		expect((await get(address())).json()).toEqual(refused(105));
		expect((await get(address(), 'nobody', cookie)).json()).toEqual(refused(105));
		expect((await get(address(), 'member', cookie)).text).toContain('%PDF');
	});
});

describe('refusals of a write', () => {
	it('may hold nothing but their message, if it is what was sent that is wrong', async () => {
		turn({ writeRefusal: 'messageOnly' });
		const update = async (values: object, query = '') =>
			(await client().postJson(addressOf(orders, 3, query), values)).json();
		expect(await update({ 999: 'x' })).toEqual({ msg: expect.stringContaining('999') });
		expect(await update({ [fields.customerNumber]: '' })).toMatchObject({ status: 'INVALID' });
		expect(await update({}, 'checkLock=true')).toEqual(refused(402));
		expect((await get(addressOf(orders, undefined, 'limit=x'))).json()).toEqual(refused(201));
	});
});

describe('what is stored', () => {
	const { language, interests, contactPerson, metOn } = contacts.fields;

	async function update(values: object, query = '') {
		return (await client().postJson(addressOf(contacts, 1, query), values)).json();
	}

	it('of a unique field is checked on every write, or where validation is asked for', async () => {
		const { productNumber } = products.fields;
		const rename = async (query = '') =>
			(await client().postJson(addressOf(products, 2, query), { [productNumber]: 'P-001' })).json();
		const invalid = {
			status: 'INVALID',
			code: 202,
			msg: expect.stringContaining('already exists'),
		};
		expect(await rename()).toEqual(invalid);
		turn({ uniqueFields: 'doValidation' });
		expect(await rename('doValidation=true')).toEqual(invalid);
		expect(await rename()).toMatchObject({ status: 'SUCCESS' });
	});

	it.each([
		['refusedByValidation', 'Klingon', ['Coffee', 'Opera'], 'INVALID'],
		['stored', 'Klingon', ['Coffee', 'Opera'], 'SUCCESS'],
		['dropped', '', ['Coffee'], 'SUCCESS'],
	] as const)('of a choice that is none: %s', async (position, one, several, validated) => {
		turn({ unknownChoices: position });
		const values = { [language]: 'Klingon', [interests]: ['Coffee', 'Opera'] };
		expect(await update(values)).toMatchObject({ status: 'SUCCESS' });
		expect([contact(1).value(language), contact(1).value(interests)]).toEqual([one, several]);
		expect(await update(values, 'doValidation=true')).toMatchObject({ status: validated });
	});

	it('of people may be none who is unknown', async () => {
		await update({ [contactPerson]: 'Nobody' });
		expect(contact(1).text(contactPerson)).toBe('Nobody');
		turn({ unknownPeople: 'dropped' });
		await update({ [contactPerson]: 'Nobody at all' });
		expect(contact(1).text(contactPerson)).toBe('');
		const known = service().data.record(internalUsers, 3);
		for (const field of [internalUsers.fields.email, internalUsers.fields.fullName]) {
			await update({ [contactPerson]: known.text(field) });
			expect(contact(1).text(contactPerson)).toBe(known.text(field));
		}
	});

	it('of dates may be a text, or nothing', async () => {
		await update({ [metOn]: 'last spring' });
		expect(contact(1).text(metOn)).toBe('last spring');
		turn({ wrongDates: 'lost' });
		await update({ [metOn]: 'next spring' });
		expect(contact(1).text(metOn)).toBe('');
		await update({ [metOn]: '2024/02/29' });
		expect(contact(1).text(metOn)).toBe('2024/02/29');
	});

	it('is dropped in rows and by mass updates as well', async () => {
		turn({ unknownChoices: 'dropped' });
		const [field] = service().data.sheet(orders).subtable(lines.id)?.fields ?? [];
		if (field) field.choices = ['Pen'];
		const rows = { 1: { [field?.id ?? '']: 'Pencil' } };
		await client().postJson(addressOf(orders, 1), { [`_subtable_${lines.id}`]: rows });
		expect(
			order(1)
				.rows(lines.id)
				.get(1)
				?.get(field?.id ?? ''),
		).toBe('');
		const action = [{ field: language, value: 'Klingon' }];
		const address = '/acme/marketing/contacts/12/massOperation/massUpdate?api&recordId=2';
		await client().postJson(address, { action });
		service().tasks.step(Infinity);
		expect(contact(2).text(language)).toBe('');
	});
});

describe('filters and lists', () => {
	it('may find nothing by the fields of a subtable', async () => {
		const conditions = [
			`where=${lines.fields.article},like,a`,
			`where=${lines.fields.article},eq,`,
		];
		for (const condition of conditions) {
			expect((await found(condition)).length).toBeGreaterThan(0);
			turn({ subtableFilters: 'findNothing' });
			expect(await found(condition)).toEqual([]);
			service().reset();
		}
	});

	it('may know the Last Update Date by a name', async () => {
		const queries = ['where=_ragicModified,gte,2023/02/02', 'order=_ragicModified,DESC&limit=1'];
		for (const query of queries) {
			turn({ modifiedName: 'unknown' });
			expect((await get(addressOf(orders, undefined, query))).json()).toEqual(refused(201));
			turn({ modifiedName: 'known' });
			expect(await found(query)).toEqual(await found(query.replace('_ragicModified', '109')));
		}
	});

	it('of the listing page may have no rows', async () => {
		const { article } = lines.fields;
		const sheet = service().data.sheet(orders);
		const field = sheet.subtableField(article)?.field;
		if (field) field.onListing = true;
		const listing = addressOf(orders, undefined, 'listing=true&limit=3');
		expect((await get(listing)).text).toContain(`_subtable_${lines.id}`);
		turn({ listingSubtables: 'leftOut' });
		expect((await get(listing)).text).not.toContain('_subtable_');
		expect((await get(addressOf(orders, 2))).text).toContain(`_subtable_${lines.id}`);
	});
});

describe('the vendor’s own addresses', () => {
	const picker = '/api/http/integromatForms.jsp?n8n';

	it('list the sheets that a key may see, without the mark', async () => {
		const forMember = (await get(picker)).json();
		expect(Object.values(Object(forMember))).toContainEqual({
			displayName: 'Sales / Orders',
			path: 'acme/sales/orders/1',
		});
		expect(JSON.stringify(forMember)).not.toContain('salaries');
		expect((await get(picker, 'admin')).text).toContain('acme/private/salaries/4');
		expect(await get(picker, 'nobody')).toMatchObject({ status: 401 });
		turn({ pickerList: 'array' });
		expect((await get(picker)).json()).toEqual(Object.values(Object(forMember)));
	});

	it('may be refused', async () => {
		turn({ picker: 'code106' });
		expect((await get(picker)).json()).toEqual(refused(106));
		turn({ picker: 'http404' });
		expect((await get(picker)).status).toBe(404);
		turn({ picker: 'html' });
		expect((await get(picker)).text).toContain('<html>');
	});

	it('have the users, with status words of their own', async () => {
		const users = '/acme/default/ragic-setup/1';
		const { status } = internalUsers.fields;
		expect((await get(`${users}?api`, 'admin')).json()).toEqual(refused(102));
		turn({ usersSheet: 'deployed' });
		service().data.record(internalUsers, 5).set(status, 'Suspended');
		const read = async (address: string) =>
			(await get(`${address}&naming=EID&subtables=0`, 'admin')).json();
		expect(await read(`${users}/5?api`)).toMatchObject({ 5: { [status]: 'SUSPENDED' } });
		expect(await read(`${users}?api&where=${status},eq,SUSPENDED`)).toHaveProperty('5');
		expect(await read(addressOf(internalUsers, 4))).toMatchObject({ 4: { [status]: 'NORMAL' } });
	});
});
