import { createVerify } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { customers, orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { remark, reference } = orders.fields;

let receiver: Server;
let url: string;
const received: string[] = [];

const thanks = (response: ServerResponse) => {
	response.statusCode = 202;
	response.end('thanks');
};
/** What the receiver does with the next delivery. */
let answer = thanks;

beforeAll(async () => {
	receiver = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk) => chunks.push(chunk));
		request.on('end', () => {
			received.push(Buffer.concat(chunks).toString());
			answer(response);
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const address: AddressInfo | string | null = receiver.address();
	url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/hook` : '';
});
beforeEach(() => {
	answer = thanks;
	received.splice(0);
});
afterAll(async () => {
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});

/** What the receiver got, as event and record ids. */
async function told(): Promise<unknown[]> {
	await service().webhooks.settled();
	return received.map((text) => {
		const { eventType, data }: { eventType: string; data: Array<{ _svcId: number }> } =
			JSON.parse(text);
		return [eventType, ...data.map(({ _svcId }) => _svcId)];
	});
}

describe('a receiver is told', () => {
	it('of each kind of change', async () => {
		const { people, webhooks } = service();
		webhooks.register(orders, url);
		people.create(orders, { [reference]: 'X' });
		people.createMany(orders, [{}, {}]);
		people.edit(orders, 5, { [remark]: 'x' });
		people.editOnListPage(orders, [1, 2], {});
		people.massChange(orders, [30, 4], () => ({ [remark]: 'mass-changed' }));
		people.replaceText(orders, remark, 'mass-', 'mass ');
		people.delete(orders, 9);
		people.restore(orders, 9);
		people.importRows(orders, reference, [{ [reference]: 'X' }, { [reference]: 'New' }]);
		expect(await told()).toEqual([
			['CREATE', 2501],
			['CREATE', 2502, 2503],
			['UPDATE', 5],
			['UPDATE', 1],
			['UPDATE', 2],
			['UPDATE', 30, 4],
			['UPDATE', 4, 30],
			['DELETE', 9],
			['CREATE', 9],
			['CREATE', 2504],
			['UPDATE', 2501],
		]);
		expect(webhooks.log.map(({ status, answer }) => [status, answer])).toEqual(
			Array(11).fill([202, 'thanks']),
		);
	});

	it('of its own sheet and its own events only', async () => {
		const { people, webhooks } = service();
		webhooks.register(orders, url, { events: ['DELETE'] });
		people.edit(orders, 5, {});
		people.edit(customers, 5, {});
		people.delete(customers, 5);
		people.delete(orders, 5);
		expect(await told()).toEqual([['DELETE', 5]]);
		webhooks.unregister(orders, url);
		people.restore(orders, 5);
		people.delete(orders, 5);
		expect(await told()).toHaveLength(1);
	});

	it('the ids alone, without full content', async () => {
		service().webhooks.register(orders, url, { fullContent: false });
		service().people.massChange(orders, [30, 4], () => ({}));
		await service().webhooks.settled();
		expect(received).toEqual(['[30,4]']);
	});

	it('of writes through the API, unless a switch says otherwise', async () => {
		const { webhooks, switches, identities } = service();
		webhooks.register(orders, url);
		const record = '/acme/sales/orders/1/5?api';
		await client().send('DELETE', record, identities.member);
		expect(await told()).toEqual([['DELETE', 5]]);
		switches.webhooksOfApiWrites = false;
		await client().send('DELETE', '/acme/sales/orders/1/6?api', identities.member);
		expect(await told()).toHaveLength(1);
	});

	it('of an import through the API, once for each event', async () => {
		const { data, webhooks, switches, identities } = service();
		webhooks.register(customers, url);
		const { periodicImport } = data.sheet(customers);
		periodicImport.enabled = true;
		const { customerNumber: number } = customers.fields;
		const rows = ['C-0901', 'C-0003', 'C-0002', 'C-0902', 'C-0901'];
		data.importSources.set(
			periodicImport.url,
			rows.map((text) => ({ [number]: text })),
		);
		const start = async () =>
			await client().send('POST', addressOf(customers), identities.admin, {
				headers: { 'content-type': 'application/json' },
				body: '{"importData":""}',
			});
		await start();
		expect(await told()).toEqual([
			['CREATE', 301, 302],
			['UPDATE', 3, 2],
		]);
		switches.webhooksOfApiWrites = false;
		await start();
		expect(await told()).toHaveLength(2);
	});
});

describe('a receiver', () => {
	const statuses = () => service().webhooks.log.map(({ status }) => status);

	it('that breaks off in its answer holds up no other delivery', async () => {
		answer = (response) => {
			response.writeHead(200, { 'content-length': 100 });
			response.write('half', () => response.destroy());
			answer = thanks;
		};
		const { people, webhooks } = service();
		webhooks.register(orders, url);
		people.edit(orders, 5, {});
		people.edit(orders, 6, {});
		expect(await told()).toEqual([
			['UPDATE', 5],
			['UPDATE', 6],
		]);
		expect(statuses()).toEqual([0, 202]);
		expect(webhooks.log[0]?.answer).toMatch(/error/i);
	});

	it('without an address holds up no other delivery', async () => {
		const { people, webhooks } = service();
		webhooks.register(orders, 'nowhere');
		webhooks.register(orders, url);
		people.edit(orders, 5, {});
		expect(await told()).toEqual([['UPDATE', 5]]);
		expect(statuses()).toEqual([0, 202]);
	});

	it('that answers after a reset is not in the new log', async () => {
		const { people, webhooks } = service();
		const held = new Promise<ServerResponse>((resolve) => {
			answer = resolve;
		});
		webhooks.register(orders, url);
		people.edit(orders, 5, {});
		people.edit(orders, 6, {});
		const late = await held;
		answer = thanks;
		service().reset();
		thanks(late);
		expect(await webhooks.settled()).toEqual([]);
		expect(received).toHaveLength(2);
	});
});

describe('the signature', () => {
	it('is SHA256withRSA over the sorted line', () => {
		const { webhooks } = service();
		const body: { signature: string } = JSON.parse(
			webhooks.signedBody([{ b: 'é/', '105': 1, '1000001': [{ z: null, a: true }] }], {}),
		);
		const line = '[{"1000001":[{"a":true,"z":null}],"105":1,"b":"é/"}]';
		const verify = createVerify('RSA-SHA256').update(line, 'utf8');
		expect(verify.verify(webhooks.key.pem, body.signature, 'base64')).toBe(true);
	});

	it('is over the spelling that a switch names, whatever the body’s', () => {
		const { webhooks, switches } = service();
		Object.assign(switches, { bodySpelling: 'escapedNonAscii', signedSpelling: 'htmlSafe' });
		const text = webhooks.signedBody([{ a: '<é>' }], {});
		expect(text).toContain('{"a":"<\\u00e9>"}');
		expect(text).toContain(JSON.stringify(webhooks.sign('[{"a":"\\u003cé\\u003e"}]')));
	});

	it('has another key after a rotation', () => {
		const { key } = service().webhooks;
		const before = [key.pem, key.sign('x', 'hex')];
		key.rotate();
		expect([key.pem, key.sign('x', 'hex')]).not.toEqual(before);
		key.reset();
		expect([key.pem, key.sign('x', 'hex')]).toEqual(before);
	});
});

describe('the public key', () => {
	const address = '/api/http/getWebhookSignaturePublicKey.jsp?type=string';

	it.each(['der', 'json', 'pem'] as const)('is given to anybody: %s', async (publicKeyForm) => {
		const { webhooks, switches } = service();
		switches.publicKeyForm = publicKeyForm;
		const { der, pem } = webhooks.key;
		const forms = {
			der: `${der}\n`,
			pem,
			json: `{"status":"SUCCESS","code":200,"publicKey":"${der}"}`,
		};
		expect((await client().send('GET', address, undefined)).text).toBe(forms[publicKeyForm]);
	});

	it('is given as PEM to who asks for that', async () => {
		const answer = await client().send('GET', address.replace('string', 'pem'), undefined);
		expect(answer.text).toBe(service().webhooks.key.pem);
	});
});

describe('the subscription endpoints', () => {
	const sheetQuery = 'n8n&ap=acme&path=%2Fsales%2Forders&si=1';
	const hook = encodeURIComponent('https://n8n.example/hook');

	async function ask(endpoint: string, query: string, name: 'member' | 'reader' = 'member') {
		const address = `/sims/${endpoint}.jsp?${query}`;
		const reply = await client().send('GET', address, service().identities[name]);
		return reply.json();
	}

	it('enter, list and remove a receiver', async () => {
		const success = { status: 'SUCCESS' };
		const one = `${sheetQuery}&url=${hook}&event=CreateDelete`;
		expect(await ask('webhookSubscribe', one)).toEqual(success);
		const listed = [{ url: 'https://n8n.example/hook', event: 'CreateDelete' }];
		expect(await ask('webhooks', sheetQuery)).toEqual(listed);
		expect(await ask('webhookUnsubscribe', one)).toEqual(success);
		expect(await ask('webhooks', sheetQuery)).toEqual([]);
	});

	it.each([
		['another account', sheetQuery.replace('acme', 'other'), 101],
		['an unknown path', sheetQuery.replace('orders', 'nothing'), 102],
		['no event', `${sheetQuery}&url=${hook}`, 201],
		['events in another order', `${sheetQuery}&url=${hook}&event=DeleteCreate`, 201],
		['no address', `${sheetQuery}&event=Create`, 201],
	])('refuse %s', async (_what, query, code) => {
		expect(await ask('webhookSubscribe', query)).toMatchObject({ status: 'ERROR', code });
	});

	it('refuse who may only read, and everybody by a switch', async () => {
		expect(await ask('webhooks', sheetQuery, 'reader')).toMatchObject({ code: 106 });
		service().switches.subscriptions = 'code106';
		expect(await ask('webhooks', sheetQuery)).toMatchObject({ code: 106 });
	});
});
