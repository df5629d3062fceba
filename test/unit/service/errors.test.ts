import { customers, orders } from '../../service';
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
		['102', '/acme/sales/orders/1/abc?api', '/sales/orders/1/abc'],
		['102', '/acme/sales/orders/1/1/2?api', '/sales/orders/1/1/2'],
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

describe('errors of the account, a sheet or the service', () => {
	const codeOf = async (address: string) => (await client().get(address)).json();
	const anyOrder = addressOf(orders, 1);

	it.each([
		['expired', 303],
		['withoutResources', 107],
	] as const)('are there for an account that is %s', async (accountState, code) => {
		service().switches.accountState = accountState;
		for (const address of [anyOrder, '/acme?api', '/sims/file.jsp?a=acme&f=x']) {
			expect(await codeOf(address)).toMatchObject({ status: 'ERROR', code });
		}
	});

	it('are there for a form that fails to load', async () => {
		service().data.sheet(orders).canBeLoaded = false;
		for (const address of [anyOrder, addressOf(orders), '/acme/sales/orders/1/1.pdf?api']) {
			expect(await codeOf(address)).toMatchObject({ status: 'ERROR', code: 108 });
		}
		expect(await codeOf(addressOf(customers, 1))).toHaveProperty('1');
	});

	it.each([
		['undone', ''],
		['done', 'late'],
	] as const)('are there for a POST that does not finish: %s', async (unfinishedPosts, stored) => {
		service().switches.unfinishedPosts = unfinishedPosts;
		const { remark } = orders.fields;
		service().data.record(orders, 1).set(remark, '');
		const reply = await client().postJson(anyOrder, { [remark]: 'late' });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 203 });
		expect(service().data.record(orders, 1).text(remark)).toBe(stored);
		const put = await client().postJson(anyOrder, { [remark]: 'x' }, 'PUT');
		expect(put.json()).toMatchObject({ status: 'SUCCESS' });
	});
});

describe('the form of errors', () => {
	it('can be an HTTP status', async () => {
		service().switches.errorTransport = 'httpStatus';
		expect((await client().get(wrongPath)).status).toBe(404);
		expect((await client().get('/acme/private/salaries/4?api')).status).toBe(403);
		expect((await client().get(addressOf(orders, undefined, 'limit=x'))).status).toBe(400);
		service().switches.accountState = 'expired';
		expect((await client().get(addressOf(orders, 1))).status).toBe(402);
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
