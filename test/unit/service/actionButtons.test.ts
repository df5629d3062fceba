import { customers, orders, salaries, type IdentityName } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { buttons, fields } = orders;

const list = '/acme/sales/orders/1/metadata/actionButton?api&category=massOperation';

async function ask(address: string, name: IdentityName = 'member') {
	return await client().send('GET', address, service().identities[name]);
}

async function press(recordId: number, buttonId: string, name: IdentityName = 'member') {
	const address = addressOf(orders, recordId, `bId=${buttonId}`);
	return await client().send('POST', address, service().identities[name]);
}

const order = (recordId: number) => service().data.record(orders, recordId);

describe('the list of buttons', () => {
	const shown = [
		{ id: 4, name: 'Mark as Shipped' },
		{ id: 11, name: 'Cancel "at once" & for good 🛑' },
		{ id: 27, name: 'Clear Margin' },
	];

	it('comes inside an object or as a bare array', async () => {
		expect((await ask(list)).json()).toEqual({ actionButtons: shown });
		service().switches.actionButtonList = 'array';
		expect((await ask(list)).json()).toEqual(shown);
	});

	it('is that of mass operations, and there is no other', async () => {
		for (const query of ['', '&category=', '&category=form']) {
			const reply = await ask(`/acme/sales/orders/1/metadata/actionButton?api${query}`);
			expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
		}
	});

	it('is empty on a sheet without buttons', async () => {
		const reply = await ask(list.replace('orders/1', 'empty/9'));
		expect(reply.json()).toEqual({ actionButtons: [] });
	});

	it('is for those who may read the sheet', async () => {
		expect((await ask(list, 'reader')).json()).toEqual({ actionButtons: shown });
		expect((await ask(list, 'outsider')).json()).toMatchObject({ code: 106 });
		const closed = list.replace('sales/orders/1', `${salaries.path}/${salaries.index}`);
		expect((await ask(closed)).json()).toMatchObject({ code: 106 });
	});

	it('can be turned off', async () => {
		service().switches.actionButtons = 'code106';
		expect((await ask(list)).json()).toMatchObject({ status: 'ERROR', code: 106 });
		service().switches.actionButtons = 'http404';
		expect((await ask(list)).status).toBe(404);
		service().switches.actionButtons = 'html';
		expect((await ask(list)).text).toContain('<html>');
	});

	it('of a sheet that is not there names the wrong part', async () => {
		const reply = await ask('/acme/sales/orders/8/metadata/actionButton?api');
		expect(reply.json()).toMatchObject({ code: 103 });
	});

	it('is only read', async () => {
		expect((await client().postJson(list, {})).status).toBe(405);
	});
});

describe('pressing a button', () => {
	it('changes the record and says so', async () => {
		const number = order(4).text(fields.orderNumber);
		expect((await press(4, buttons.ship)).json()).toEqual({
			status: 'SUCCESS',
			msg: `Order ${number} is on its way.`,
		});
		expect(order(4).text(fields.status)).toBe('Shipped');
		expect(order(4).text(fields.workflowStamp)).toBe('Shipped by member');
		expect(order(4).history.at(-1)).toMatchObject({ type: 'Action Button' });
	});

	it('does on each sheet what the button of that sheet does', async () => {
		const address = addressOf(customers, 9, `bId=${customers.buttons.makePublic}`);
		const reply = await client().send('POST', address, service().identities.member);
		expect(reply.json()).toEqual({ status: 'SUCCESS', msg: 'The customer is public.' });
		const customer = service().data.record(customers, 9);
		expect(customer.value(customers.fields.categories)).toEqual(['Public']);
	});

	it('needs the right to press it, which is not the right to write', async () => {
		expect((await press(4, buttons.clearMargin)).json()).toMatchObject({ code: 106 });
		expect(order(4).text(fields.internalMargin)).not.toBe('');
		expect((await press(4, buttons.ship, 'reader')).json()).toMatchObject({ code: 106 });
		expect((await press(4, buttons.cancel, 'reader')).json()).toMatchObject({ msg: '' });
		expect(order(4).text(fields.status)).toBe('Cancelled');
		expect((await press(4, buttons.clearMargin, 'admin')).json()).toMatchObject({
			status: 'SUCCESS',
		});
		expect(order(4).text(fields.internalMargin)).toBe('');
	});

	it('needs the right to view the record', async () => {
		service().identities.outsider.groups.push('Finance');
		expect((await press(4, buttons.clearMargin, 'outsider')).json()).toMatchObject({ code: 106 });
		expect(order(4).text(fields.internalMargin)).not.toBe('');
	});

	it('keeps nothing of a press that the button refuses', async () => {
		order(4).set(fields.status, 'Cancelled');
		const before = order(4).history.length;
		expect((await press(4, buttons.ship)).json()).toMatchObject({
			status: 'ERROR',
			code: 202,
			msg: 'A cancelled order cannot be shipped.',
		});
		expect(order(4).text(fields.status)).toBe('Cancelled');
		expect(order(4).history).toHaveLength(before);
	});

	it.each([
		['a button that is not there', 4, '99', 202],
		['a button without an id', 4, '', 202],
		['a record that is not there', 99999, buttons.ship, 404],
	])('refuses %s', async (_, recordId, buttonId, code) => {
		expect((await press(recordId, buttonId)).json()).toMatchObject({ status: 'ERROR', code });
	});
});
