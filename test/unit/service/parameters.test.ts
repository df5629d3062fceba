import { customers, orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { buttons } = orders;

describe('a parameter that an endpoint does not have', () => {
	const form = { 'content-type': 'application/x-www-form-urlencoded' };

	it.each([
		['a lock', addressOf(orders, 2, 'lock'), undefined],
		['an unlock', addressOf(orders, 2, 'unlock'), undefined],
		['a button', addressOf(orders, 2, `bId=${buttons.ship}`), undefined],
		['an import', addressOf(customers), 'importData='],
	])('refuses %s, of which nothing is done', async (_, address, body) => {
		const { admin } = service().identities;
		service().data.sheet(customers).periodicImport.enabled = true;
		const order = service().data.record(orders, 2);
		const before = [order.locked, order.text(orders.fields.status)];
		const send = async (query: string) => {
			const more = body === undefined ? {} : { headers: form, body };
			return (await client().send('POST', `${address}${query}`, admin, more)).json();
		};
		for (const stranger of ['PAGEID=abc', 'doFormula=true', 'tz=2']) {
			expect(await send(`&${stranger}`)).toMatchObject({ status: 'ERROR', code: 201 });
		}
		expect([order.locked, order.text(orders.fields.status)]).toEqual(before);
		expect(service().data.sheet(customers).records.size).toBe(300);
		expect(await send('&version=2025-01-01')).toMatchObject({ status: 'SUCCESS' });
	});

	it('is passed over by the reading of one record, though lists have it', async () => {
		const ofList = ['listing=true', 'limit=0', 'reverse=true', `where=${orders.fields.city},eq,`];
		const plain = (await client().get(addressOf(orders, 2))).text;
		for (const parameter of ofList) {
			expect((await client().get(addressOf(orders, 2, parameter))).text).toBe(plain);
		}
		service().switches.unknownReadParameter = 'code102';
		for (const parameter of ofList) {
			const reply = await client().get(addressOf(orders, 2, parameter));
			expect(reply.json()).toMatchObject({ status: 'ERROR', code: 102 });
		}
		const own = 'naming=EID&info=true&tz=2&version=2025-01-01&fetchDomainIds=512';
		expect((await client().get(addressOf(orders, 2, own))).json()).toHaveProperty('2');
	});
});

describe('an address that is only read', () => {
	it.each([
		'/AUTH?u=a&p=b',
		'/sims/file.jsp?a=acme&f=x%40y',
		'/api/http/getWebhookSignaturePublicKey.jsp?type=string',
		'/sims/webhooks.jsp?n8n',
	])('has no other method: %s', async (address) => {
		const { member } = service().identities;
		for (const method of ['POST', 'PUT', 'DELETE'] as const) {
			expect((await client().send(method, address, member)).status).toBe(405);
		}
		expect((await client().send('GET', address, member)).status).not.toBe(405);
	});
});
