import { createServer } from 'node:net';

import { orders } from '../../service';
import type { Fault, SeenRequest } from '../../service';
import { listenAtNewPort } from '../../service/newPort';
import { errorsOf, linksOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [orders.fields.customerNumber]: 'C-0001' }),
};
const unknown = 'It is not known whether the change was made';
const isWrite = ({ method }: SeenRequest) => method === 'POST';
const soon = { headers: { 'retry-after': '0' } };

/** How many orders there are beyond those of the demo data. */
const created = () => testbed.service.data.sheet(orders).records.size - 300;

/** Failures after which nobody knows whether the record exists, and whether it does. */
it.each<[name: string, fault: Fault, exists: boolean]>([
	['a connection cut after the work', { kind: 'resetAfterWork' }, true],
	['an empty answer', { kind: 'body', body: '' }, false],
	['broken JSON', { kind: 'body', body: '{"status":"SUCC' }, false],
	['HTTP 503 that says when to come back', { kind: 'status', status: 503, ...soon }, false],
	['HTTP 502 with a web page', { kind: 'body', status: 502, body: '<html></html>' }, false],
])(
	'after %s a create is not sent again, and the next item is written',
	async (_, fault, exists) => {
		testbed.service.faults.inject({ ...fault, when: isWrite });
		const result = await testbed.run(create, [{}, {}], { onError: 'continueErrorOutput' });
		expect(errorsOf(result.errorItems)).toEqual([[expect.stringContaining(unknown), { item: 0 }]]);
		expect(linksOf(result.items)).toEqual([{ item: 1 }]);
		expect(testbed.writes).toHaveLength(2);
		expect(created()).toBe(exists ? 2 : 1);
	},
);

it("an unclear write stops the workflow, also with n8n's own Retry On Fail turned off", async () => {
	testbed.service.faults.inject({ kind: 'resetAfterWork', when: isWrite });
	const result = await testbed.run(create, [{}], { maxTries: 3, waitBetweenTries: 1 });
	expect(result.status).toBe('error');
	expect(result.error?.description).toContain(unknown);
	expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
	expect(created()).toBe(1);
});

it('a service that hangs up before the connection is secure is tried again', async () => {
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
