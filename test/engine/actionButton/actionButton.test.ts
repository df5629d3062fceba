import { orders, type SeenRequest } from '../../service';
import {
	type Locator,
	onOrder,
	onOrders,
	sheet,
	sheetAt,
	useRecordTestbed,
} from '../recordTestbed';

const testbed = useRecordTestbed();
const { buttons, fields } = orders;

const button = (value: string): Locator => ({ __rl: true, mode: 'id', value });
const run = {
	resource: 'actionButton',
	...onOrder('run', '={{ $json.order }}'),
	buttonId: button(buttons.ship),
};
const list = { resource: 'actionButton', ...onOrders('getAll'), returnAll: true };

const order = (id: number) => testbed.order(id);

describe('running a button', () => {
	it('running a button runs it on the record of each item, and returns the message of the service', async () => {
		const result = await testbed.run(run, [{ order: 4 }, { order: 5 }]);
		expect(result.status).toBe('success');
		for (const id of [4, 5]) {
			expect(order(id).text(fields.status)).toBe('Shipped');
			expect(order(id).text(fields.workflowStamp)).toBe('Shipped by member');
		}
		expect(result.items).toEqual(
			[4, 5].map((id, item) => ({
				json: {
					_recordId: id,
					buttonId: buttons.ship,
					message: `Order ${order(id).text(fields.orderNumber)} is on its way.`,
				},
				pairedItem: { item },
			})),
		);
		expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual([
			['POST', '/acme/sales/orders/1/4?api&bId=4', undefined],
			['POST', '/acme/sales/orders/1/5?api&bId=4', undefined],
		]);
	});

	it('running a button reports the error for a user without the right to run it', async () => {
		const parameters = { ...run, buttonId: button(buttons.clearMargin) };
		expect(await testbed.errorOf(parameters, [{ order: 4 }])).toContain('No access right');
	});

	it.each(['list', 'id'])('a button by its ID is not looked up (%s)', async (mode) => {
		const parameters = { ...run, buttonId: { __rl: true, mode, value: buttons.ship } };
		const { json } = await testbed.run(parameters, [{ order: 4 }]);
		expect(json).toMatchObject([{ _recordId: 4, buttonId: buttons.ship }]);
		expect(testbed.reads).toEqual([]);
	});

	it.each([
		['name', 'Mark as Shipped'],
		['id', 'Mark as Shipped'],
	])(
		'running a button accepts its name (by %s: %s), which is looked up once',
		async (mode, value) => {
			const parameters = { ...run, buttonId: { __rl: true, mode, value } };
			const items = [4, 5].map((id) => ({ order: id, button: 'Mark as Shipped' }));
			const result = await testbed.run(parameters, items);
			expect(result.items.map(({ json }) => json.buttonId)).toEqual([buttons.ship, buttons.ship]);
			expect([4, 5].map((id) => order(id).text(fields.status))).toEqual(['Shipped', 'Shipped']);
			expect(testbed.reads).toHaveLength(1);
		},
	);

	it.each([
		{
			mode: 'name',
			value: 'Mark as Shiped',
			message: "'Mark as Shiped' is the name of no action button",
			advice: "'Mark as Shipped' (4)",
		},
		{
			mode: 'id',
			value: 'a b&lock',
			message: "'a b&lock' is the name or ID of no action button",
			advice: "'Mark as Shipped' (4)",
		},
		{
			mode: 'id',
			value: '-5',
			message: "'-5' is the name or ID of no action button",
			advice: "'Mark as Shipped' (4)",
		},
		{
			mode: 'name',
			value: 'Twice',
			message: "'Twice' is the name of 2 action buttons",
			advice: "'Twice' (7), 'Twice' (a b)",
		},
	])(
		'running a button rejects an unknown or ambiguous name (by $mode: $value)',
		async ({ mode, value, message, advice }) => {
			if (value === 'Twice') {
				const body = '[{"id":7,"name":"Twice"},{"id":"a b","name":"Twice"}]';
				testbed.inject({ kind: 'body', body });
			}
			const parameters = { ...run, buttonId: { __rl: true, mode, value } };
			const result = await testbed.run(parameters, [{ order: 4 }]);
			expect(result.error?.message).toContain(message);
			expect(result.error?.description).toContain(advice);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('a button by its name is looked up on the sheet of each item', async () => {
		const name = 'Mark as Shipped';
		const when = ({ path }: SeenRequest) => path.includes('/sales/customers/2/metadata');
		testbed.inject({ kind: 'body', body: JSON.stringify([{ id: 9, name }]), when });
		const buttonId = { __rl: true, mode: 'name', value: name };
		const items = [
			{ sheet: 'sales/orders/1', order: 4 },
			{ sheet: 'sales/customers/2', order: 4 },
		];
		await testbed.run({ ...run, sheet: sheetAt('={{ $json.sheet }}'), buttonId }, items);
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/4?api&bId=4',
			'/acme/sales/customers/2/4?api&bId=9',
		]);
	});

	it('a button whose name is the ID of another button is run when it is given by name', async () => {
		const ship = testbed.orders.actionButtons.find(({ id }) => id === buttons.ship);
		if (!ship) throw new Error('The sheet has the button');
		const { name } = ship;
		Object.assign(ship, { name: buttons.cancel });
		const buttonId = { __rl: true, mode: 'name', value: buttons.cancel };
		const { items } = await testbed.run({ ...run, buttonId }, [{ order: 4 }]);
		Object.assign(ship, { name });
		expect(items[0]?.json.buttonId).toBe(buttons.ship);
		expect(order(4).text(fields.status)).toBe('Shipped');
	});

	it('an ID from the list is sent unchanged', async () => {
		testbed.inject({ kind: 'body', body: '[{"id":"a b&lock","name":"Odd"}]' });
		await testbed.run({ ...run, buttonId: button('a b&lock') }, [{ order: 4 }]);
		expect(testbed.writes[0]?.rawUrl).toBe('/acme/sales/orders/1/4?api&bId=a%20b%26lock');
		expect(order(4).locked).toBe(false);
	});
});

const ofOrders = [
	{ buttonId: buttons.ship, name: 'Mark as Shipped' },
	{ buttonId: buttons.cancel, name: 'Cancel "at once" & for good 🛑' },
	{ buttonId: buttons.clearMargin, name: 'Clear Margin' },
];

it.each(['object', 'array'] as const)('getting the buttons reads the list as %s', async (shape) => {
	testbed.service.switches.actionButtonList = shape;
	const parameters = { ...list, sheet: { ...sheet(orders), value: '={{ $json.sheet }}' } };
	const result = await testbed.run(parameters, [
		{ sheet: 'sales/orders/1' },
		{ sheet: 'sales/empty/9' },
		{ sheet: 'sales/customers/2' },
	]);
	expect(result.items).toEqual([
		...ofOrders.map((json) => ({ json, pairedItem: { item: 0 } })),
		{ json: { buttonId: '4', name: 'Make Public' }, pairedItem: { item: 2 } },
	]);
	expect(testbed.reads[0]?.rawUrl).toBe(
		'/acme/sales/orders/1/metadata/actionButton?api&category=massOperation',
	);
});

it('the limit keeps the first buttons', async () => {
	const { json } = await testbed.run({ ...list, returnAll: false, limit: 1 });
	expect(json).toEqual(ofOrders.slice(0, 1));
});

it('an answer that is not a list of buttons is an error', async () => {
	testbed.inject({ kind: 'body', body: '{"buttons":[]}' });
	expect(await testbed.errorOf(list)).toContain('something else than action buttons');
});
