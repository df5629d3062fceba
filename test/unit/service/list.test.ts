import { customers, empty, orders, recipes, tasks, type SheetAddress } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields, subtables } = orders;

async function listed(query = '', sheet: SheetAddress = orders): Promise<number[]> {
	return (await client().get(addressOf(sheet, undefined, `subtables=0&${query}`))).ids();
}

async function read(query: string, recordId = 2, sheet: SheetAddress = orders): Promise<unknown> {
	const reply = await client().get(addressOf(sheet, recordId, query));
	const json = reply.json();
	return typeof json === 'object' && json !== null && String(recordId) in json
		? Object.entries(json)[0]?.[1]
		: json;
}

describe('paging', () => {
	it('gives 1000 records without a limit and more with one', async () => {
		expect(await listed()).toHaveLength(1000);
		expect(await listed('limit=5000')).toHaveLength(2500);
	});

	it('skips with offset or with the combined form', async () => {
		const all = await listed('limit=13');
		expect(await listed('limit=8&offset=5')).toEqual(all.slice(5));
		expect(await listed('limit=5,8')).toEqual(all.slice(5));
		expect(await listed('offset=2495')).toHaveLength(5);
		expect(await listed('limit=10&offset=2500')).toEqual([]);
	});

	it('may cap the limit without a word', async () => {
		service().switches.maximumLimit = 1000;
		expect(await listed('limit=2000')).toHaveLength(1000);
	});

	it('refuses a limit that is no number', async () => {
		const reply = await client().get(addressOf(orders, undefined, 'limit=all'));
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
	});

	it('is the same at the address of a record that ends in .json, which can only be read', async () => {
		const list = '/acme/sales/orders/1/7.json?api&subtables=0&limit=3';
		expect((await client().get(list)).ids()).toEqual([1, 2, 3]);
		expect((await client().postJson(list, {})).status).toBe(405);
		expect(service().data.sheet(orders).records.size).toBe(2500);
	});

	it('answers an empty sheet with an empty object', async () => {
		expect((await client().get(addressOf(empty))).text).toBe('{}');
	});
});

describe('order', () => {
	it('is by creation, oldest first, in the text of the answer', async () => {
		expect(await listed('limit=10')).toEqual([1, 2, 3, 8, 5, 6, 7, 4, 9, 10]);
	});

	it('is newest first with reverse', async () => {
		expect(await listed('limit=3&reverse=true')).toEqual([2500, 2499, 2494]);
	});

	it('is by a field, as its type compares', async () => {
		const ids = await listed(`order=${fields.total},DESC&limit=2500`);
		const totals = ids.map((id) => Number(service().data.record(orders, id).text(fields.total)));
		expect(totals).toEqual([...totals].sort((left, right) => right - left));
		expect(new Set(totals).size).toBeGreaterThan(50);
	});

	it('is by a second field where the first is equal', async () => {
		const ids = await listed(`order=${fields.status},ASC&order=${fields.orderNumber},DESC&limit=3`);
		expect(ids).toEqual([2499, 2495, 2491]);
	});

	it('keeps rows of a subtable in their own order', async () => {
		const { text } = await client().get(addressOf(orders, 7, 'naming=EID'));
		const rowIds = [...text.matchAll(/"(\d+)":\{"_svcId":\d+,"3000001"/g)].map(([, id]) =>
			Number(id),
		);
		expect(rowIds).toHaveLength(3);
		expect(rowIds).toEqual([...rowIds].sort((left, right) => right - left));
	});
});

describe('naming', () => {
	it('is by name, with numbers where names are missing or repeated, or as the switch says', async () => {
		const byName = await read('');
		expect(byName).toHaveProperty('Order Number', 'SO-00002');
		expect(Object.keys(byName ?? {})).toEqual(expect.arrayContaining(['Note', 'Note2', '1']));
		service().switches.defaultNaming = 'EID';
		expect(await read('')).toHaveProperty('1000001', 'SO-00002');
		expect(await read('naming=FNAME')).toHaveProperty('Order Number');
	});

	it('by id keeps the order of the sheet in the text, where the short id is not first', async () => {
		const { text } = await client().get(addressOf(orders, 2, 'naming=EID'));
		expect(text.indexOf('"512"')).toBeGreaterThan(text.indexOf('"1000004"'));
	});
});

describe('what is shown', () => {
	it('can leave out subtables', async () => {
		expect(await read('')).toHaveProperty(`_subtable_${subtables.lines.id}`);
		expect(await read('subtables=0')).not.toHaveProperty(`_subtable_${subtables.lines.id}`);
	});

	it('can be the fields of the listing page', async () => {
		const reply = await client().get(addressOf(orders, undefined, 'listing=true&limit=1'));
		expect(reply.json()).toEqual({
			'1': {
				_svcId: 1,
				_star: false,
				_index_title_: 'SO-00001',
				'Order Number': 'SO-00001',
				'Customer Number': 'C-0007',
				'Customer Name': expect.any(String),
				'Order Date': '2023/01/01',
				Status: 'Confirmed',
				Total: '12.50',
			},
		});
	});

	it('can be single fields', async () => {
		const only = `fetchDomainIds=${fields.city}&fetchDomainIds=${subtables.lines.fields.article}`;
		expect(await read(`${only}&naming=EID`)).toEqual({
			_svcId: 2,
			_star: false,
			_index_title_: 'SO-00002',
			[fields.city]: 'Oslo',
			_subtable_2000001: {
				'2': { _svcId: 2, '3000001': 'USB cable 2 m' },
				'3': { _svcId: 3, '3000001': 'Tea, green' },
			},
		});
	});

	it('can be more: metadata, comments, history, approval, conversation', async () => {
		expect(await read('info=true')).toMatchObject({
			_create_date: '2023/01/02 14:00:00',
			_create_user: 'max.member@acme.example',
			_update_date: '2023/01/02 14:00:00',
			_update_user: 'max.member@acme.example',
			_seq: 2,
		});
		expect(await read('comment=true', 1)).toMatchObject({
			_subtable_61: {
				'2': {
					'61': '2023/02/01 09:30:00',
					'65': 'ada.admin@acme.example',
					'66': 'Yes, "very" 🙂',
					'67': '',
					'73': '1675243800000',
				},
			},
		});
		expect(await read('history=1', 1)).toMatchObject({
			_history: [{ Type: 'Create' }, { Time: '2023/02/02 00:00:00', Sheet: 'Orders' }],
		});
		expect(await read('approval=true')).toMatchObject({ _approval: { status: 'Waiting' } });
		expect(await read('conversation=true')).toMatchObject({
			_conversation: [{ subject: 'Where is my order?' }],
		});
	});

	it('can be raw markup instead of HTML', async () => {
		expect(await read('', 8)).toHaveProperty(
			'Description',
			'<b>Handle with care</b><br>See &lt;label&gt;',
		);
		expect(await read('bbcode=true', 8)).toHaveProperty(
			'Description',
			'[b]Handle with care[/b]\nSee <label>',
		);
	});

	it('can be unmasked for those who may see it', async () => {
		expect(await read('ignoreMask=true')).toHaveProperty('Internal Margin', '****');
		const reply = await client().send(
			'GET',
			addressOf(orders, 2, 'ignoreMask=true'),
			service().identities.admin,
		);
		expect(reply.text).toContain('"Internal Margin":"12%"');
	});

	it('has flags that take true or 1 and nothing else', async () => {
		expect(await read('info=1')).toHaveProperty('_seq');
		expect(await read('info')).not.toHaveProperty('_seq');
		expect(await read('info=yes')).not.toHaveProperty('_seq');
	});
});

describe('values', () => {
	it('of date-times and metadata shift with tz, whole days do not', async () => {
		expect(await read('tz=8&info=true', 1)).toMatchObject({
			'Order Date': '2023/01/01',
			'Delivery Time': '2023/01/04 06:05:00',
			_create_date: '2023/01/02 19:00:00',
		});
		expect(await read('tz=-3.5', 1)).toHaveProperty('Delivery Time', '2023/01/03 18:35:00');
		expect(await read('tz=Berlin')).toMatchObject({ status: 'ERROR', code: 201 });
	});

	it('of numbers are texts, or numbers to the last digit', async () => {
		const address = addressOf(customers, 10, 'naming=EID');
		expect((await client().get(address)).text).toContain('"1100006":"12345678901234567010"');
		service().switches.numbersAsText = false;
		expect((await client().get(address)).text).toContain('"1100006":12345678901234567010,');
	});

	it('of selections are arrays, or one plain text', async () => {
		expect(await read('', 1, customers)).toHaveProperty('Categories', ['Wholesale']);
		expect(await read('', 3, customers)).toHaveProperty('Categories', []);
		service().switches.singleChoiceAsText = true;
		expect(await read('', 1, customers)).toHaveProperty('Categories', 'Wholesale');
		expect(await read('', 2, customers)).toHaveProperty('Categories', ['Online', 'Public']);
	});

	it('of several files are an array that may begin with an empty text', async () => {
		const record = service().data.record(recipes, 0);
		record.set(recipes.fields.photos, ['a@one.png', 'b@two.png']);
		expect(await read('', 0, recipes)).toHaveProperty('Fotos', ['', 'a@one.png', 'b@two.png']);
		service().switches.leadingEmptyFile = false;
		expect(await read('', 0, recipes)).toHaveProperty('Fotos', ['a@one.png', 'b@two.png']);
	});
});

describe('the answer', () => {
	it('is JSON in UTF-8, or a call to the callback', async () => {
		const plain = await client().get(addressOf(recipes, 2, 'version=2025-01-01'));
		expect(plain.headers['content-type']).toBe('application/json;charset=UTF-8');
		expect(plain.text).toContain('Crème brûlée');
		const wrapped = await client().get(addressOf(recipes, 2, 'v=3&callback=show'));
		expect(wrapped.text).toBe(`show(${plain.text})`);
		expect(wrapped.headers['content-type']).toContain('javascript');
	});

	it('is about record 0 too', async () => {
		expect(await listed('', recipes)).toEqual([0, 1, 2, 3]);
		expect(await read('', 0, recipes)).toMatchObject({ _svcId: 0, Titel: 'Gazpacho' });
	});

	it('finds a sheet in a folder with a number for a name', async () => {
		expect(await listed('', tasks)).toHaveLength(40);
		expect(await read('', 3, tasks)).toMatchObject({ _svcId: 3 });
	});

	it('speaks the dialect of the deployed service when asked to', async () => {
		service().switches.dialect = 'ragic';
		service().switches.extraReservedKeys = true;
		const record = await read('');
		expect(record).toMatchObject({ _ragicId: 2, _index_: '', _dataTimestamp: expect.any(Number) });
		expect(record).not.toHaveProperty('_svcId');
	});

	it('to a missing record is as the switch says', async () => {
		const missing = addressOf(orders, 99_999);
		expect((await client().get(missing)).text).toBe('{}');
		service().switches.missingRecord = 'code404';
		expect((await client().get(missing)).json()).toMatchObject({ status: 'ERROR', code: 404 });
		service().switches.missingRecord = 'http404';
		expect((await client().get(missing)).status).toBe(404);
	});

	it('passes over unknown parameters unless the switch says otherwise', async () => {
		expect(await listed('limit=1&PAGEID=abc')).toEqual([1]);
		service().switches.unknownReadParameter = 'code102';
		const reply = await client().get(addressOf(orders, undefined, 'PAGEID=abc'));
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 102 });
	});

	it('gives a page of ten thousand records', async () => {
		const sheet = service().data.sheet(empty);
		for (let counter = 0; counter < 10_000; counter += 1) {
			sheet.add({ at: counter, user: 'test' }).set(empty.fields.title, `Title ${counter}`);
		}
		expect(await listed('limit=10000', empty)).toHaveLength(10_000);
	});
});
