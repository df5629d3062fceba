import { empty, invoices, orders, type SheetAddress } from '../../service';
import { addressOf, type Caller } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = orders;

async function found(query: string, sheet: SheetAddress = orders, caller?: Caller) {
	const address = addressOf(sheet, undefined, `subtables=0&${query}`);
	return (await client().get(address, caller)).ids();
}

describe('a list', () => {
	it('has 1000 records without a limit, and the part that is asked for', async () => {
		expect(await found('')).toHaveLength(1000);
		const all = await found('limit=5000');
		expect(all).toHaveLength(2500);
		expect(await found('limit=8&offset=5')).toEqual(all.slice(5, 13));
		expect(await found('limit=5,8')).toEqual(all.slice(5, 13));
		expect(await found('offset=2495')).toEqual(all.slice(2495));
		expect(await found('limit=10&offset=2500')).toEqual([]);
		const below = await client().get('/acme/sales/orders/1/7.json?api&subtables=0&limit=3');
		expect(below.ids()).toEqual(all.slice(0, 3));
		expect((await client().get(addressOf(empty))).text).toBe('{}');
	});

	it.each([
		['limit=10', [1, 2, 3, 8, 5, 6, 7, 4, 9, 10]],
		['limit=3&reverse=true', [2500, 2499, 2494]],
		[`order=${fields.status},ASC&order=${fields.orderNumber},DESC&limit=3`, [2499, 2495, 2491]],
	])('is ordered by creation, or as it is asked for: %s', async (query, ids) => {
		expect(await found(query)).toEqual(ids);
	});
});

describe('a filter', () => {
	const where = (fieldId: string, operator: string, value: string) =>
		`where=${fieldId},${operator},${encodeURIComponent(value)}`;

	it.each<[query: string, ids: number[]]>([
		[where(fields.orderNumber, 'regex', '^SO-0000[1-3]$'), [1, 2, 3]],
		[where(fields.orderNumber, 'eqeq', '12'), [12]],
		[where(fields.orderNumber, 'eqeq', '012'), []],
		[where(fields.orderNumber, 'eqeq', 'SO-00012'), []],
		[where(fields.deliveryTime, 'lte', '2023/01/03 22:10'), [1, 2]],
		[where(fields.deliveryTime, 'gte', ''), []],
		[`where=${fields.remark},eq,Deliver%20before%20noon,%20please`, []],
		// What is encoded once is decoded a second time.
		[`where=${fields.remark},eq,${encodeURIComponent('Price list says 50%25 off')}`, []],
		[`${where('111', 'eq', 'true')}&limit=1`, [3]],
		[where('105', 'lte', '2023/01/02 14:00:00'), [1, 2]],
		[`${where('109', 'gte', '2023/02/02')}&${where('105', 'lt', '2023/01/03')}`, [1]],
		['fts=so-00017', [17]],
		['fts=39%25', []],
	])('finds by the letter of the rules: %s', async (query, ids) => {
		// Another record has the same key.
		service().data.record(orders, 13).set(fields.orderNumber, 'SO-00012');
		expect(await found(query)).toEqual(ids);
	});

	it('of each system field finds who and what it is about', async () => {
		expect(await found(where('112', 'eq', 'Yes'))).toHaveLength(125);
		const byMember = await found(`limit=9999&${where('108', 'eq', 'max.member@acme.example')}`);
		expect(byMember).toHaveLength(1250);
		service().data.record(orders, 5).entryManager = 'somebody';
		expect(await found(where('106', 'eq', 'somebody'))).toEqual([5]);
		expect(await found(`limit=9999&${where('110', 'eq', '')}`)).toHaveLength(2500);
	});

	it('that is fixed opens for the key of an administrator alone', async () => {
		const drafts = `ignoreFixedFilter=true&${where(invoices.fields.status, 'eq', 'Draft')}`;
		expect(await found('', invoices)).toHaveLength(100);
		expect(await found(drafts, invoices)).toEqual([]);
		expect(await found(drafts, invoices, 'admin')).toHaveLength(50);
		const { email, password } = service().identities.admin;
		const login = `u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}`;
		const sid = (await client().get(`/AUTH?${login}`, 'nobody')).text;
		expect(await found(`${drafts}&sid=${sid}`, invoices, 'nobody')).toEqual([]);
	});
});
