import { timeLimit, timeLimitFactor } from '../../timeLimit';
import { until } from '../../until';
import { useSkippingClock } from '../clock';
import { readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

/**
 * The clock of the nodes is faster than the network, so the time-out for silence, which uses the clock of the network, never
 * passes. The factor is lower on a busy machine, because an answer that is only slow must not be given up.
 */
useSkippingClock(1000 / timeLimitFactor);

it('an incomplete answer is given up after five minutes, and another execution continues', async () => {
	testbed.inject({ kind: 'stall' });
	const startTime = performance.now();
	const [slow, other] = await Promise.all([0, 1].map(async () => await testbed.run(readOrder())));
	const milliseconds = performance.now() - startTime;
	expect(milliseconds).toBeGreaterThanOrEqual(300_000);
	expect(slow?.error?.message).toBe('The service did not complete its answer within 300 seconds');
	expect(other?.items).toMatchObject([{ json: { _recordId: 1 } }]);
	expect(testbed.service.requests.count).toBe(2);
});

it(
	'the connection of a request that is given up is closed',
	async () => {
		testbed.inject({ kind: 'hang' });
		const { error } = await testbed.run(readOrder());
		expect(error?.message).toBe('The service did not complete its answer within 300 seconds');
		await until(() => testbed.service.requests.openRequests.size === 0);
	},
	timeLimit(5),
);

it.each([
	['big5', Buffer.from([0xa4, 0xa4, 0xa4, 0xe5]), '中文'],
	['"ISO-8859-1"', Buffer.from([0x4d, 0xfc]), 'Mü'],
	['unheard-of', Buffer.from('Mü'), 'Mü'],
])('an answer is read by the charset that it declares: %s', async (charset, bytes, text) => {
	const [before = '', behind = ''] = '{"1":{"_svcId":1,"City":"|"}}'.split('|');
	const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(behind)]);
	const headers = { 'content-type': `application/json; charset=${charset}` };
	testbed.inject({ kind: 'body', body, headers });
	expect((await testbed.run(readOrder())).items).toMatchObject([{ json: { City: text } }]);
});
