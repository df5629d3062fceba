import fc from 'fast-check';
import { customers, empty, invoices, orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields, subtables } = orders;

/**
 * Encodes a filter value: a comma once (rule 4), a percent sign before two hex characters twice
 * (rule 5).
 */
function encodeValue(value: string): string {
	const once = encodeURIComponent(value);
	return /%[0-9a-f]{2}/i.test(value) ? encodeURIComponent(once) : once;
}

function where(fieldId: string, operator: string, value: string): string {
	return `where=${fieldId},${operator},${encodeValue(value)}`;
}

async function found(sheet: { path: string; index: number }, ...query: string[]) {
	const address = addressOf(sheet, undefined, ['subtables=0', 'limit=9999', ...query].join('&'));
	return (await client().get(address)).ids();
}

/** What the data says, for comparison: the ids of the orders for which the test holds. */
function expected(test: (text: (fieldId: string) => string) => boolean): number[] {
	const records = [...service().data.sheet(orders).records.values()];
	return records.filter((record) => test((id) => record.text(id))).map(({ id }) => id);
}

describe('operators', () => {
	it.each([
		['eq', '187.50', (total: number) => total === 187.5],
		['eq', '187.5', (total: number) => total === 187.5],
		['gte', '187.50', (total: number) => total >= 187.5],
		['gt', '187.50', (total: number) => total > 187.5],
		['lte', '187.50', (total: number) => total <= 187.5],
		['lt', '187.50', (total: number) => total < 187.5],
	])('%s %s compares numbers as numbers', async (operator, value, test) => {
		const ids = await found(orders, where(fields.total, operator, value));
		expect(ids.length).toBeGreaterThan(0);
		expect(ids).toEqual(expected((text) => test(Number(text(fields.total)))));
	});

	it('like finds a part of a text', async () => {
		const ids = await found(orders, where(fields.remark, 'like', 'noon, pl'));
		expect(ids).toEqual(expected((text) => text(fields.remark).includes('noon, pl')));
	});

	it('regex finds a pattern, and a broken one is refused', async () => {
		const ids = await found(orders, where(fields.orderNumber, 'regex', '^SO-0000[1-3]$'));
		expect(ids).toEqual([1, 2, 3]);
		const address = addressOf(orders, undefined, where(fields.orderNumber, 'regex', '('));
		expect((await client().get(address)).json()).toMatchObject({ code: 201 });
	});

	it('eqeq finds by the node that a link names', async () => {
		const ids = await found(orders, where(fields.customerNumber, 'eqeq', '7'));
		expect(ids).toEqual(expected((text) => text(fields.customerNumber) === 'C-0007'));
		expect(await found(orders, where(fields.orderNumber, 'eqeq', '12'))).toEqual([12]);
	});

	it('eqeq of a sheet’s own key finds the node alone, though another record has the same key', async () => {
		const { data } = service();
		data.record(orders, 13).set(fields.orderNumber, 'SO-00012');
		expect(await found(orders, where(fields.orderNumber, 'eqeq', '12'))).toEqual([12]);
		expect(await found(orders, where(fields.orderNumber, 'eqeq', '13'))).toEqual([13]);
		expect(await found(orders, where(fields.orderNumber, 'eqeq', '012'))).toEqual([]);
		expect(await found(orders, where(fields.orderNumber, 'eqeq', 'SO-00012'))).toEqual([]);
	});

	it.each(['lk', 'range', 'EQ'])('%s is refused', async (operator) => {
		const address = addressOf(orders, undefined, where(fields.status, operator, 'Open'));
		expect((await client().get(address)).json()).toMatchObject({ status: 'ERROR', code: 201 });
	});

	it('compares long numbers to the last digit', async () => {
		const [first] = await found(
			customers,
			where(customers.fields.creditLimit, 'eq', '12345678901234567010'),
		);
		expect(first).toBe(10);
		const above = where(customers.fields.creditLimit, 'gt', '12345678901234567289');
		expect(await found(customers, above)).toEqual([290, 300]);
	});
});

describe('values', () => {
	it('are dates and date-times in one form', async () => {
		const day = where(fields.orderDate, 'eq', '2023/01/05');
		expect(await found(orders, day)).toEqual(
			expected((text) => text(fields.orderDate) === '2023/01/05'),
		);
		const moment = where(fields.deliveryTime, 'lte', '2023/01/03 22:10');
		expect(await found(orders, moment)).toEqual([1, 2]);
		const address = addressOf(orders, undefined, where(fields.orderDate, 'gte', '2023-01-05'));
		expect((await client().get(address)).json()).toMatchObject({ code: 201 });
	});

	it('are empty to find what is empty', async () => {
		const ids = await found(orders, where(fields.remark, 'eq', ''));
		expect(ids).toEqual(expected((text) => text(fields.remark) === ''));
		for (const operator of ['gte', 'gt', 'lte', 'lt', 'like', 'regex', 'eqeq']) {
			expect(await found(orders, where(fields.remark, operator, ''))).toEqual(ids);
		}
		const dates = where(fields.deliveryTime, 'gte', '');
		expect(await found(orders, dates)).toEqual([]);
	});

	it('are empty beside others: alternatives of like, bounds of gte', async () => {
		const empty = expected((text) => text(fields.remark) === '');
		const polite = where(fields.remark, 'like', 'please');
		const either = await found(orders, where(fields.remark, 'like', ''), polite);
		expect(either).toEqual(
			expected((text) => text(fields.remark) === '' || text(fields.remark).includes('please')),
		);
		expect(either.length).toBeGreaterThan(empty.length);
		expect(await found(orders, where(fields.remark, 'gte', ''), polite)).toEqual([]);
		const range = [where(fields.remark, 'gte', ''), where(fields.remark, 'lte', '')];
		expect(await found(orders, ...range)).toEqual(empty);
	});

	it('with a bare comma end at the comma; encoded commas are part of them', async () => {
		const encoded = `where=${fields.remark},eq,Deliver%20before%20noon%2C%20please`;
		expect((await found(orders, encoded)).length).toBeGreaterThan(300);
		expect(
			await found(orders, `where=${fields.remark},eq,Deliver%20before%20noon,%20please`),
		).toEqual([]);
		const allEncoded = `where=${encodeURIComponent(`${fields.remark},eq,Deliver before noon, please`)}`;
		expect(await found(orders, allEncoded)).toEqual(await found(orders, encoded));
	});

	it('with a percent sign and two hex characters need a second encoding', async () => {
		const text = 'Price list says 50%25 off';
		const once = `where=${fields.remark},eq,${encodeURIComponent(text)}`;
		expect(await found(orders, once)).toEqual([]);
		expect((await found(orders, where(fields.remark, 'eq', text))).length).toBeGreaterThan(300);
	});

	it('of any kind find exactly their record when they are encoded by the rules', async () => {
		const sheet = service().data.sheet(empty);
		const created = { at: Date.now(), user: 'test' };
		for (let id = 0; id < 5; id += 1) {
			sheet.add(created, id).set(empty.fields.title, `other ${id}`);
		}
		const troublesome = fc.constantFrom(
			'%',
			',',
			'%2',
			'%2C',
			'%41',
			'+',
			'&',
			'#',
			'?',
			' ',
			'\n',
			'é',
			'🎉',
		);
		const text = fc
			.array(fc.oneof(troublesome, fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1 })
			.map((parts) => parts.join(''))
			.filter((value) => value !== '' && !value.startsWith('other '));
		await fc.assert(
			fc.asyncProperty(text, async (value) => {
				sheet.record(3).set(empty.fields.title, value);
				expect(await found(empty, where(empty.fields.title, 'eq', value))).toEqual([3]);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('combination', () => {
	it('takes eq, like and regex of one field as alternatives (rule 6)', async () => {
		const ids = await found(
			orders,
			where(fields.status, 'eq', 'Open'),
			where(fields.status, 'like', 'hip'),
			where(fields.status, 'regex', '^Canc'),
		);
		expect(ids).toEqual(expected((text) => text(fields.status) !== 'Confirmed'));
	});

	it('takes bounds of one field as a range (rule 7)', async () => {
		const ids = await found(
			orders,
			where(fields.total, 'gt', '100'),
			where(fields.total, 'lte', '120'),
		);
		expect(ids.length).toBeGreaterThan(0);
		expect(ids).toEqual(
			expected((text) => Number(text(fields.total)) > 100 && Number(text(fields.total)) <= 120),
		);
	});

	it('takes different fields together (rule 8)', async () => {
		const ids = await found(
			orders,
			where(fields.status, 'eq', 'Open'),
			where(fields.express, 'eq', 'true'),
			where(fields.city, 'eq', 'Oslo'),
		);
		expect(ids).toEqual(
			expected(
				(text) =>
					text(fields.status) === 'Open' &&
					text(fields.express) === 'Yes' &&
					text(fields.city) === 'Oslo',
			),
		);
	});
});

describe('fields', () => {
	it('may hold several choices, each of which can be found', async () => {
		const ids = await found(orders, where(fields.tags, 'eq', 'Repeat, large'));
		expect(ids).toEqual(expected((text) => text(fields.tags).includes('Repeat, large')));
	});

	it('may be in a subtable', async () => {
		const { article } = subtables.lines.fields;
		const ids = await found(orders, where(article, 'eq', 'Tea, green'));
		expect(ids).toContain(2);
		const record = service().data.record(orders, ids[0] ?? 0);
		const articles = [...record.rows(subtables.lines.id).values()].map((row) => row.get(article));
		expect(articles).toContain('Tea, green');
	});

	it('may be system fields', async () => {
		expect(await found(orders, where('111', 'eq', 'true'))).toContain(3);
		expect(await found(orders, where('112', 'eq', 'Yes'))).toHaveLength(125);
		expect(await found(orders, where('105', 'lte', '2023/01/02 14:00:00'))).toEqual([1, 2]);
		expect(
			await found(orders, where('109', 'gte', '2023/02/02'), where('105', 'lt', '2023/01/03')),
		).toEqual([1]);
		const byMember = await found(orders, where('108', 'eq', 'max.member@acme.example'));
		expect(byMember).toHaveLength(1250);
		expect(await found(orders, where('106', 'eq', 'max.member@acme.example'))).toEqual(byMember);
		expect(await found(orders, where('110', 'eq', ''))).toHaveLength(2500);
	});

	it('that do not exist are refused', async () => {
		const address = addressOf(orders, undefined, 'where=999999,eq,1');
		expect((await client().get(address)).json()).toMatchObject({ status: 'ERROR', code: 201 });
	});
});

describe('other filters', () => {
	it('search the full text, subtables too, masked texts not', async () => {
		expect(await found(orders, 'fts=so-00017')).toEqual([17]);
		expect((await found(orders, 'fts=usb%20cable')).length).toBeGreaterThan(0);
		expect(await found(orders, 'fts=39%25')).toEqual([]);
	});

	it('are saved as a shared view, a default filter and a fixed filter', async () => {
		const open = expected((text) => text(fields.status) === 'Open');
		expect(await found(orders, `filterId=${orders.views.open}`)).toEqual(open);
		expect(await found(orders, 'defaultFilter=1')).toEqual(
			expected((text) => ['Open', 'Confirmed'].includes(text(fields.status))),
		);
		expect(await found(invoices)).toHaveLength(100);
		expect(await found(invoices, 'ignoreFixedFilter=true')).toHaveLength(100);
		const drafts = where(invoices.fields.status, 'eq', 'Draft');
		expect(await found(invoices, drafts)).toEqual([]);
	});

	it('may lag behind a write', async () => {
		service().switches.filterLagMilliseconds = 60_000;
		await client().postJson(addressOf(empty), { [empty.fields.title]: 'new' });
		expect(await found(empty, where(empty.fields.title, 'eq', 'new'))).toEqual([]);
		expect(await found(empty)).toEqual([0]);
	});
});
