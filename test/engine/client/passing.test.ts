import { Socket } from 'node:net';

import { orders, startReferenceService } from '../../service';
import { until } from '../../until';
import { useRealClock } from '../clock';
import { asJson } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

useRealClock();
const testbed = useRecordTestbed();

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };
const createOrder = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [orders.fields.customerNumber]: 'C-0001' }),
};

it('a full queue and a pace that is too fast pass', async () => {
	const { switches } = testbed.service;
	Object.assign(switches, { queueLength: 0, overloadAnswer: 'status429', retryAfter: '1' });
	const refused = (times: number) => () =>
		testbed.reads.filter(({ status }) => status === 429).length === times;
	const running = testbed.run(getOrder, [{ id: 1 }, { id: 2 }, { id: 3 }]);
	await until(refused(1));
	Object.assign(switches, { queueLength: 50, maximumRequestsPerSecond: 0 });
	await until(refused(2));
	switches.maximumRequestsPerSecond = undefined;
	const result = await running;
	expect(result.error).toBeUndefined();
	expect(result.items.map(({ json }) => json._recordId)).toEqual([1, 2, 3]);
	expect(testbed.reads.map(({ status }) => status)).toEqual([429, 429, 200, 200, 200]);
});

function wasRefused(socket: unknown): boolean {
	const error = socket instanceof Socket ? socket.errored : null;
	return error !== null && 'code' in error && error.code === 'ECONNREFUSED';
}

it('a creation that reaches nobody is tried again: it makes exactly one record', async () => {
	const first = await startReferenceService();
	const port = Number(new URL(first.baseUrl).port);
	await first.close();
	const credentials = testbed.credentials('member', { baseUrl: first.baseUrl });
	const connect = jest.spyOn(Socket.prototype, 'connect');
	const running = testbed.run(createOrder, [{}], { credentials });
	await until(() => connect.mock.contexts.some(wasRefused));
	connect.mockRestore();
	const second = await startReferenceService({ port });
	try {
		const result = await running;
		expect(result.status).toBe('success');
		expect(second.requests.count).toBe(1);
		expect(second.data.sheet(orders).records.size).toBe(2501);
	} finally {
		await second.close();
	}
});
