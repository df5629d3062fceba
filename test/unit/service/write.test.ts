import { customers, empty, orders, recipes } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = orders;
const { lines } = orders.subtables;

const minimum = { [fields.customerNumber]: 'C-0001' };
const order = (id: number) => service().data.record(orders, id);
const rowsOf = (id: number) => [...order(id).rows(lines.id)];

describe('create', () => {
	it('answers the id and the saved record by field id', async () => {
		const reply = await client().postJson(addressOf(orders), {
			...minimum,
			[fields.remark]: 'new',
		});
		expect(reply.json()).toEqual({
			status: 'SUCCESS',
			rv: expect.any(String),
			svcId: 2501,
			data: expect.objectContaining({
				_svcId: 2501,
				[fields.orderNumber]: 'SO-02501',
				[fields.remark]: 'new',
				[fields.tags]: [],
			}),
		});
		expect(order(2501).created.user).toBe('max.member@acme.example');
	});

	it('can leave the record out of the answer, and speak the other dialect', async () => {
		service().switches.answerCarriesData = false;
		service().switches.dialect = 'ragic';
		const reply = await client().postJson(addressOf(orders), minimum);
		expect(reply.json()).toEqual({ status: 'SUCCESS', rv: '0', ragicId: 2501 });
	});

	it('gives id 0 to the first record of an empty sheet', async () => {
		const reply = await client().postForm(addressOf(empty), [[empty.fields.title, 'first']]);
		expect(reply.json()).toMatchObject({ status: 'SUCCESS', svcId: 0 });
	});

	it('is refused by a custom form (104) and by a full sheet (109)', async () => {
		const sheet = service().data.sheet(orders);
		sheet.maximumRecords = 2500;
		const full = await client().postJson(addressOf(orders), minimum);
		expect(full.json()).toMatchObject({ status: 'ERROR', code: 109 });
		sheet.acceptsPost = false;
		const custom = await client().postJson(addressOf(orders), minimum);
		expect(custom.json()).toMatchObject({ status: 'ERROR', code: 104 });
	});

	it('keeps numbers to the last digit', async () => {
		const { creditLimit, customerNumber, name } = customers.fields;
		await client().send('POST', addressOf(customers), service().identities.member, {
			headers: { 'content-type': 'application/json' },
			body: `{"${customerNumber}":"C-1","${name}":"x 12","${creditLimit}":12345678901234567890}`,
		});
		const saved = service().data.record(customers, 301);
		expect(saved.value(creditLimit)).toBe('12345678901234567890');
		expect(saved.value(name)).toBe('x 12');
	});
});

describe('a unique field', () => {
	const { title, amount } = empty.fields;

	it('refuses what another record holds, as the field is compared, and nothing else', async () => {
		for (const id of [title, amount])
			Object.assign(service().data.sheet(empty).field(id) ?? {}, { unique: true });
		const save = async (record: object, id?: number) =>
			(await client().postJson(addressOf(empty, id), record)).json();
		expect(await save({ [title]: 'a', [amount]: '5' })).toMatchObject({ status: 'SUCCESS' });
		expect(await save({ [title]: 'A', [amount]: '5.00' })).toEqual({
			status: 'INVALID',
			code: 202,
			msg: 'Field "Amount" (1600002): "5.00" already exists.',
		});
		expect(await save({ [title]: 'A', [amount]: '' })).toMatchObject({ status: 'SUCCESS' });
		expect(await save({ [title]: 'b', [amount]: '' })).toMatchObject({ status: 'SUCCESS' });
		expect(await save({ [title]: 'a', [amount]: '5.0' }, 0)).toMatchObject({ status: 'SUCCESS' });
		expect(await save({ [title]: 'a' }, 1)).toMatchObject({ status: 'INVALID', code: 202 });
	});
});

describe('update', () => {
	it.each(['POST', 'PUT', 'PATCH'] as const)(
		'%s merges, and an empty text clears',
		async (method) => {
			const before = order(2).text(fields.status);
			const changes = { [fields.remark]: 'changed', [fields.city]: '', [fields.note]: null };
			const reply = await client().postJson(addressOf(orders, 2), changes, method);
			expect(reply.json()).toMatchObject({ status: 'SUCCESS', svcId: 2, msg: '', warning: '' });
			expect(order(2).text(fields.remark)).toBe('changed');
			expect(order(2).value(fields.city)).toBe('');
			expect(order(2).text(fields.status)).toBe(before);
			expect(order(2).updated.user).toBe('max.member@acme.example');
		},
	);

	it('takes selections as an array or as a repeated name', async () => {
		await client().postJson(addressOf(orders, 2), { [fields.tags]: ['Gift', 'Repeat, large'] });
		expect(order(2).value(fields.tags)).toEqual(['Gift', 'Repeat, large']);
		await client().postForm(addressOf(orders, 2), [
			[fields.tags, 'Bulk'],
			[fields.tags, 'Export'],
			[fields.remark, 'a+b & 100%'],
		]);
		expect(order(2).value(fields.tags)).toEqual(['Bulk', 'Export']);
		expect(order(2).value(fields.remark)).toBe('a+b & 100%');
		await client().postForm(addressOf(orders, 2), [[fields.tags, '']]);
		expect(order(2).value(fields.tags)).toEqual([]);
	});

	it('stores times with seconds and checkboxes as Yes or No', async () => {
		await client().postJson(addressOf(orders, 2), {
			[fields.deliveryTime]: '2024/05/01 08:30',
			[fields.express]: true,
		});
		expect(order(2).value(fields.deliveryTime)).toBe('2024/05/01 08:30:00');
		expect(order(2).value(fields.express)).toBe('Yes');
	});

	it('of a missing record is code 404', async () => {
		const reply = await client().postJson(addressOf(orders, 99_999), { [fields.remark]: 'x' });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 404 });
	});

	it('can carry a warning', async () => {
		service().switches.writeWarning = 'Nearly full';
		const reply = await client().postJson(addressOf(orders, 2), { [fields.remark]: 'x' });
		expect(reply.json()).toMatchObject({ status: 'SUCCESS', warning: 'Nearly full' });
	});
});

describe('subtable rows', () => {
	const { article, quantity } = lines.fields;

	it('are added, changed and deleted as JSON', async () => {
		await client().postJson(addressOf(orders, 2), {
			[`_subtable_${lines.id}`]: {
				'-1': { [article]: 'Vase', [quantity]: 2 },
				'-2': { [article]: 'Desk lamp' },
				'2': { [quantity]: '9' },
			},
			[`_DELSUB_${lines.id}`]: [3],
		});
		const rows = rowsOf(2);
		expect(rows.map(([, row]) => row.get(article))).toEqual(['USB cable 2 m', 'Vase', 'Desk lamp']);
		expect(rows[0]?.[1].get(quantity)).toBe('9');
		expect(rows[1]?.[1].get(quantity)).toBe('2');
		expect(rows[1]?.[0]).toBeGreaterThan(3);
	});

	it('are added, changed and deleted as form data', async () => {
		const reply = await client().postForm(addressOf(orders, 2), [
			[`${article}_-1`, 'Vase'],
			[`${quantity}_-1`, '2'],
			[`${quantity}_2`, '9'],
			[`DELSUB_${lines.id}`, '3'],
		]);
		expect(reply.json()).toMatchObject({ status: 'SUCCESS' });
		expect(rowsOf(2).map(([, row]) => [row.get(article), row.get(quantity)])).toEqual([
			['USB cable 2 m', '9'],
			['Vase', '2'],
		]);
	});

	it('that are not there are refused and leave nothing changed', async () => {
		const reply = await client().postForm(addressOf(orders, 2), [
			[fields.remark, 'changed'],
			[`${quantity}_99999`, '9'],
		]);
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
		expect(order(2).text(fields.remark)).not.toBe('changed');
	});
});

describe('a refused write', () => {
	it.each([
		['an unknown field', { '999999': 'x' }],
		['a field name', { Remark: 'x' }],
		['an array for a single value', { [fields.remark]: ['x'] }],
		['an object for a value', { [fields.remark]: { x: 1 } }],
		['the form way of deleting rows in JSON', { [`DELSUB_${lines.id}`]: [2] }],
		['an unknown subtable', { _subtable_1: { '-1': {} } }],
	])('is one with %s', async (_reason, body) => {
		const reply = await client().postJson(addressOf(orders, 2), { ...minimum, ...body });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
		expect(order(2).text(fields.customerNumber)).toBe('C-0014');
	});

	it.each(['PAGEID=abc', 'naming=EID', 'subtables=0'])(
		'is one with %s in the query',
		async (query) => {
			const reply = await client().postJson(addressOf(orders, undefined, query), minimum);
			expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
			expect(service().data.sheet(orders).records.size).toBe(2500);
		},
	);

	it('is one whose body is no JSON', async () => {
		const reply = await client().send('POST', addressOf(orders), service().identities.member, {
			headers: { 'content-type': 'application/json' },
			body: '{"1000002": ',
		});
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
	});

	it('can pass over a row that is not there, and number rows by subtable', async () => {
		const { lines } = orders.subtables;
		const { article } = lines.fields;
		const save = async (record: number, rows: Record<string, object>) =>
			(
				await client().postJson(addressOf(orders, record), { [`_subtable_${lines.id}`]: rows })
			).json();
		const wrong = { 999999: { [article]: 'Pen' } };
		const before = [...order(2).rows(lines.id).keys()];
		expect(await save(2, wrong)).toMatchObject({ status: 'ERROR', code: 201 });
		service().switches.unknownRows = 'passedOver';
		expect(await save(2, wrong)).toMatchObject({ status: 'SUCCESS' });
		expect([...order(2).rows(lines.id).keys()]).toEqual(before);
		service().switches.rowNumbers = 'bySubtable';
		for (const id of [4, 8]) {
			order(id).rows(lines.id).clear();
			await save(id, { '-1': { [article]: 'Pen' }, '-2': { [article]: 'Ink' } });
			expect([...order(id).rows(lines.id).keys()]).toEqual([1, 2]);
		}
	});

	it('can be saved by ignoring unknown fields', async () => {
		service().switches.unknownBodyField = 'ignored';
		const reply = await client().postJson(addressOf(orders, 2), {
			Remark: 'by name',
			[fields.city]: 'Rome',
		});
		expect(reply.json()).toMatchObject({ status: 'SUCCESS' });
		expect(order(2).text(fields.city)).toBe('Rome');
	});
});

describe('delete', () => {
	const remove = async (id: number) =>
		await client().send('DELETE', addressOf(orders, id), service().identities.member);

	it('removes the record and gives no error when there is none', async () => {
		expect((await remove(5)).json()).toEqual({ status: 'SUCCESS' });
		expect(service().data.sheet(orders).records.has(5)).toBe(false);
		expect((await remove(5)).json()).toEqual({ status: 'SUCCESS' });
	});

	it('can speak of a recycle bin and miss the missing', async () => {
		service().switches.deleteMessage = 'Moved to the recycle bin';
		service().switches.missingDelete = 'code404';
		expect((await remove(5)).json()).toEqual({
			status: 'SUCCESS',
			msg: 'Moved to the recycle bin',
		});
		expect((await remove(5)).json()).toMatchObject({ status: 'ERROR', code: 404 });
	});
});

describe('locks', () => {
	it('are set and removed, and hold only for writes that ask', async () => {
		const locked = await client().postJson(addressOf(orders, 2, 'lock'), {});
		expect(locked.json()).toEqual({ status: 'SUCCESS', code: 200 });
		expect(order(2).locked).toBe(true);

		const change = { [fields.remark]: 'x' };
		const refused = await client().postJson(addressOf(orders, 2, 'checkLock=true'), change);
		expect(refused.json()).toMatchObject({ status: 'ERROR', code: 402 });
		expect(order(2).text(fields.remark)).not.toBe('x');
		const unasked = await client().postJson(addressOf(orders, 2), change);
		expect(unasked.json()).toMatchObject({ status: 'SUCCESS' });

		const bare = await client().send(
			'POST',
			addressOf(orders, 2, 'unlock'),
			service().identities.member,
		);
		expect(bare.json()).toEqual({ status: 'SUCCESS', code: 200 });
		expect(order(2).locked).toBe(false);
	});
});

describe('sheets with encoded folders', () => {
	it('can be written', async () => {
		const reply = await client().postJson(addressOf(recipes, 0), { [recipes.fields.title]: 'Süß' });
		expect(reply.json()).toMatchObject({ status: 'SUCCESS', svcId: 0 });
	});
});
