import { createVerify } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { customers, orders } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

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

// Of each kind of change in the interface, engine tests of the trigger tell.

describe('a receiver is told', () => {
	it('of its own sheet and its own events only', async () => {
		const { people, webhooks } = service();
		webhooks.register(orders, url, { events: ['DELETE'] });
		people.edit(orders, 5, {});
		people.edit(customers, 5, {});
		people.delete(customers, 5);
		people.delete(orders, 5);
		expect(await told()).toEqual([['DELETE', 5]]);
		expect(webhooks.log).toMatchObject([{ status: 202, answer: 'thanks' }]);
		webhooks.unregister(orders, url);
		people.restore(orders, 5);
		people.delete(orders, 5);
		expect(await told()).toHaveLength(1);
	});

	it('of an import and of writes through the API, unless a switch says otherwise', async () => {
		const { data, webhooks, switches } = service();
		webhooks.register(customers, url);
		const { periodicImport } = data.sheet(customers);
		periodicImport.enabled = true;
		const { customerNumber: number } = customers.fields;
		const rows = ['C-0901', 'C-0003', 'C-0002', 'C-0902', 'C-0901'];
		data.importSources.set(
			periodicImport.url,
			rows.map((text) => ({ [number]: text })),
		);
		const write = async () => {
			await client().postJson(addressOf(customers), { importData: '' }, 'admin');
			await client().send('DELETE', addressOf(customers, 5));
		};
		await write();
		expect(await told()).toEqual([
			['CREATE', 301, 302],
			['UPDATE', 3, 2],
			['DELETE', 5],
		]);
		switches.webhooksOfApiWrites = false;
		await write();
		expect(await told()).toHaveLength(3);
	});
});

it('the signature is SHA256withRSA over the sorted line, by the key before the next rotation', () => {
	const { webhooks } = service();
	const body: { signature: string } = JSON.parse(
		webhooks.signedBody([{ b: 'é/', '105': 1, '1000001': [{ z: null, a: true }] }], {}),
	);
	const line = '[{"1000001":[{"a":true,"z":null}],"105":1,"b":"é/"}]';
	const isByKey = () =>
		createVerify('RSA-SHA256')
			.update(line, 'utf8')
			.verify(webhooks.key.pem, body.signature, 'base64');
	expect(isByKey()).toBe(true);
	webhooks.key.rotate();
	expect(isByKey()).toBe(false);
	webhooks.key.reset();
	expect(isByKey()).toBe(true);
});
