import { orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();

const wrongPath = '/acme/sales/nothing/1?api';

describe('errors of addresses', () => {
	it.each([
		['101', '/other/sales/orders/1?api', 'other'],
		['102', wrongPath, '/sales/nothing/1'],
		['102', '/acme/archive/2024?api', '/archive/2024'],
		['103', '/acme/sales/orders/8?api', '8'],
		['103', '/acme/sales/orders/8/12?api', '8'],
		['103', '/acme/sales/orders?api', ''],
	])('have code %s for %s', async (code, address, named) => {
		const reply = await client().get(address);
		expect(reply.status).toBe(200);
		expect(reply.json()).toEqual({
			status: 'ERROR',
			code: Number(code),
			msg: expect.stringContaining(named),
		});
	});

	it('are none for a page of the interface, which is HTML', async () => {
		const reply = await client().get('/acme/sales/orders/1?PAGEID=abc');
		expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('<html>') });
	});

	it('have HTTP status 405 for a method that makes no sense', async () => {
		const admin = service().identities.admin;
		expect((await client().send('DELETE', addressOf(orders), admin)).status).toBe(405);
	});
});

describe('the form of errors', () => {
	it('can be an HTTP status', async () => {
		service().switches.errorTransport = 'httpStatus';
		expect((await client().get(wrongPath)).status).toBe(404);
		expect((await client().get('/acme/private/salaries/4?api')).status).toBe(403);
		expect((await client().get(addressOf(orders, undefined, 'limit=x'))).status).toBe(400);
	});

	it('can name the code differently', async () => {
		service().switches.errorCodeKey = 'errorCode';
		expect((await client().get(wrongPath)).json()).toMatchObject({ errorCode: 102 });
	});

	it('can be HTML', async () => {
		service().switches.errorFormat = 'html';
		const reply = await client().get(wrongPath);
		expect(reply.headers['content-type']).toContain('text/html');
		expect(reply.text).toContain('Invalid path');
	});
});
