import { createServer } from 'node:net';

import { orders } from '../../service';
import type { Fault, SeenRequest } from '../../service';
import { listenAtNewPort } from '../../service/newPort';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [fields.customerNumber]: 'C-0001' }),
};
const unknown = 'It is not known whether the change was made';
const isWrite = ({ method }: SeenRequest) => method === 'POST';

/** How many orders there are beyond those of the demo data. */
const created = () => testbed.service.data.sheet(orders).records.size - 300;

/** Failures after which nobody knows whether the record exists: [name, fault, whether it does exist]. */
const unclear: Array<[name: string, fault: Fault, exists: boolean]> = [
	['a connection cut before the work', { kind: 'reset' }, false],
	['a connection cut after the work', { kind: 'resetAfterWork' }, true],
	['half an answer, then a cut', { kind: 'truncate' }, true],
	['half an answer as if it were all', { kind: 'truncateSilently' }, true],
	['an empty answer', { kind: 'body', body: '' }, false],
	['broken JSON', { kind: 'body', body: '{"status":"SUCC' }, false],
	['a web page', { kind: 'body', body: '<!DOCTYPE html><title>Busy</title>' }, false],
	...[408, 500, 502, 503, 504].map((status): [string, Fault, boolean] => [
		`HTTP ${status}`,
		{ kind: 'status', status },
		false,
	]),
	['HTTP 503 that says when to come back', retryLater({ kind: 'status', status: 503 }), false],
	[
		'HTTP 502 with a web page',
		{ kind: 'body', status: 502, body: '<html><title>Bad Gateway</title></html>' },
		false,
	],
];

function retryLater(fault: Fault): Fault {
	return { ...fault, headers: { 'retry-after': '0' } };
}

describe.each(unclear)('after %s', (_, fault, exists) => {
	it('a create is not sent again, and the error says that its outcome is unknown', async () => {
		testbed.service.faults.inject({ ...fault, when: isWrite, times: Infinity });
		const result = await testbed.run(create);
		expect(result.status).toBe('error');
		expect(result.error?.description).toContain(unknown);
		expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
		expect(testbed.writes).toHaveLength(1);
		expect(created()).toBe(exists ? 1 : 0);
	});

	it('the error output says so too, and the next item is written', async () => {
		testbed.service.faults.inject({ ...fault, when: isWrite });
		const result = await testbed.run(create, [{}, {}], { onError: 'continueErrorOutput' });
		expect(result.errorItems).toEqual([
			expect.objectContaining({
				json: { error: expect.stringContaining(unknown) },
				pairedItem: { item: 0 },
			}),
		]);
		expect(result.items).toEqual([expect.objectContaining({ pairedItem: { item: 1 } })]);
		expect(testbed.writes).toHaveLength(2);
		expect(created()).toBe(exists ? 2 : 1);
	});
});

/** Refusals at the door: the service did nothing. */
const atTheDoor: Array<[name: string, fault: Fault]> = [
	['HTTP 429', retryLater({ kind: 'status', status: 429 })],
	[
		'code 204 in HTTP 200',
		retryLater({ kind: 'body', body: '{"status":"ERROR","code":204,"msg":"Too frequent"}' }),
	],
	[
		'code 204 in HTTP 429',
		retryLater({
			kind: 'body',
			status: 429,
			body: '{"status":"ERROR","code":204,"msg":"Too frequent"}',
		}),
	],
];

describe.each(atTheDoor)('after %s', (_, fault) => {
	it('a create is sent again, and makes exactly one record', async () => {
		testbed.service.faults.inject({ ...fault, when: isWrite, times: 3 });
		const result = await testbed.run(create);
		expect(result.status).toBe('success');
		expect(result.items.map(({ json }) => json._recordId)).toEqual([301]);
		expect(testbed.writes).toHaveLength(4);
		expect(new Set(testbed.writes.map(({ body }) => JSON.stringify(body))).size).toBe(1);
		expect(created()).toBe(1);
	});

	it('a create is given up in the end, and the error does not claim an unknown outcome', async () => {
		testbed.service.faults.inject({ ...fault, when: isWrite, times: Infinity });
		const result = await testbed.run(create);
		expect(result.status).toBe('error');
		expect(result.error?.description).toContain('Tried 8 times');
		expect(result.error?.description).not.toContain(unknown);
		expect(testbed.writes).toHaveLength(8);
		expect(created()).toBe(0);
	});
});

describe('a service that cannot be reached', () => {
	it('is tried again when it hangs up before the connection is secure', async () => {
		let connections = 0;
		const server = createServer((socket) => {
			connections += 1;
			socket.destroy();
			if (connections === 2) server.close();
		});
		const port = await listenAtNewPort(server);
		try {
			const credentials = testbed.credentials('member', { baseUrl: `https://localhost:${port}` });
			const result = await testbed.run(create, [{}], { credentials });
			expect(result.error?.message).toContain('cannot be reached');
			expect(result.error?.description).not.toContain(unknown);
			expect(connections).toBe(2);
		} finally {
			server.close();
		}
	});
});

describe("n8n's own Retry On Fail", () => {
	it('off, which is the default, leaves an unclear write alone', async () => {
		testbed.service.faults.inject({ kind: 'resetAfterWork', when: isWrite });
		const result = await testbed.run(create, [{}], { maxTries: 3, waitBetweenTries: 1 });
		expect(result.status).toBe('error');
		expect(created()).toBe(1);
	});
});
