import { invoices, orders, type SheetAddress } from '../../service';
import { addressOf, type Caller } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = orders;

async function found(query: string, sheet: SheetAddress = orders, caller?: Caller) {
	const address = addressOf(sheet, undefined, `subtables=0&${query}`);
	return (await client().get(address, caller)).ids();
}

describe('a filter', () => {
	const where = (fieldId: string, operator: string, value: string) =>
		`where=${fieldId},${operator},${encodeURIComponent(value)}`;

	it.each<[query: string, ids: number[]]>([
		[where(fields.orderNumber, 'regex', '^SO-0000[1-3]$'), [1, 2, 3]],
		[where(fields.orderNumber, 'eqeq', '12'), [12]],
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
