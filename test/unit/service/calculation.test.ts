import { customers, orders, tasks } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { fields } = orders;
const { lines } = orders.subtables;

const minimum = { [fields.customerNumber]: 'C-0001' };
const newOrder = () => service().data.record(orders, 2501);

async function create(query: string, body: object = minimum): Promise<unknown> {
	return (await client().postJson(addressOf(orders, undefined, query), body)).json();
}

describe('doFormula', () => {
	const withLines = {
		...minimum,
		[`_subtable_${lines.id}`]: {
			'-1': { [lines.fields.quantity]: '3', [lines.fields.unitPrice]: '1.50' },
			'-2': { [lines.fields.quantity]: '2', [lines.fields.unitPrice]: '10' },
		},
	};

	it('computes amounts and the total, and keeps the workflow script from running', async () => {
		await create('doFormula=true', withLines);
		expect(newOrder().text(fields.total)).toBe('24.50');
		const amounts = [...newOrder().rows(lines.id).values()].map((row) =>
			row.get(lines.fields.amount),
		);
		expect(amounts).toEqual(['4.50', '20.00']);
		expect(newOrder().text(fields.workflowStamp)).toBe('');
	});

	it('computes nothing unless it is asked for', async () => {
		await create('', withLines);
		expect(newOrder().text(fields.total)).toBe('');
		expect(newOrder().text(fields.workflowStamp)).toBe('Checked for member');
	});
});

describe('doLinkLoad', () => {
	const name = () => service().data.record(customers, 1).text(customers.fields.name);

	it('loads the customer after the formulas', async () => {
		await create('doLinkLoad=true&doFormula=true');
		expect(newOrder().text(fields.customerName)).toBe(name());
		expect(newOrder().text(fields.shippingLabel)).toBe('');
	});

	it('loads the customer first when asked to', async () => {
		await create('doLinkLoad=first&doFormula=true');
		expect(newOrder().text(fields.shippingLabel)).toContain(name());
	});

	it('does not recalculate by itself', async () => {
		await create('doLinkLoad=first');
		expect(newOrder().text(fields.customerName)).toBe(name());
		expect(newOrder().text(fields.shippingLabel)).toBe('');
	});
});

describe('other options', () => {
	it('doDefaultValue fills what is empty and not named', async () => {
		await create('doDefaultValue=true', { ...minimum, [fields.express]: '' });
		expect(newOrder().text(fields.status)).toBe('Open');
		expect(newOrder().text(fields.express)).toBe('');
	});

	it('doWorkflow=false keeps the script from running', async () => {
		await create('doWorkflow=false');
		expect(newOrder().text(fields.workflowStamp)).toBe('');
	});

	it('notification=false tells nobody', async () => {
		await create('');
		expect(service().data.notifications).toEqual([
			{
				sheet: { path: 'sales/orders', index: 1 },
				recordId: 2501,
				user: 'max.member@acme.example',
			},
		]);
		await create('notification=false');
		expect(service().data.notifications).toHaveLength(1);
	});

	it('info=true shows the metadata of the saved record', async () => {
		expect(await create('info=true&tz=2&version=2025-01-01')).toMatchObject({
			data: { _create_user: 'max.member@acme.example', _seq: 2501 },
		});
	});

	it('callback wraps the answer', async () => {
		const { text } = await client().postJson(
			addressOf(orders, undefined, 'callback=done'),
			minimum,
		);
		expect(text).toMatch(/^done\(\{"status":"SUCCESS"/);
	});
});

describe('validation', () => {
	it('refuses an empty required field without being asked', async () => {
		expect(await create('', { [fields.remark]: 'x' })).toEqual({
			status: 'INVALID',
			code: 202,
			msg: expect.stringContaining('Customer Number'),
		});
		expect(service().data.sheet(orders).records.size).toBe(2500);
	});

	it('looks at the whole record on an update', async () => {
		service().data.record(tasks, 1).set(tasks.fields.title, '');
		const reply = await client().postJson(addressOf(tasks, 1), { [tasks.fields.done]: 'Yes' });
		expect(reply.json()).toMatchObject({ status: 'INVALID', code: 202 });
		expect(service().data.record(tasks, 1).text(tasks.fields.done)).toBe('No');
	});

	it.each([
		['a date', { [fields.orderDate]: '2024-05-01' }, 'Order Date'],
		['a day of the calendar', { [fields.orderDate]: '2024/02/30' }, 'Order Date'],
		['a time', { [fields.deliveryTime]: '2024/05/01 25:00' }, 'Delivery Time'],
		['a number', { [fields.total]: 'many' }, 'Total'],
		['a choice', { [fields.status]: 'Lost' }, 'Status'],
		['choices', { [fields.tags]: ['Gift', 'Lost'] }, 'Tags'],
		[
			'a whole quantity',
			{ [`_subtable_${lines.id}`]: { '-1': { [lines.fields.quantity]: '1.5' } } },
			'Quantity',
		],
	])('with doValidation demands %s', async (_what, body, named) => {
		const unasked = await client().postJson(addressOf(orders, 2), body);
		expect(unasked.json()).toMatchObject({ status: 'SUCCESS' });
		expect(await create('doValidation=true', { ...minimum, ...body })).toEqual({
			status: 'INVALID',
			code: 202,
			msg: expect.stringContaining(named),
		});
	});
});
