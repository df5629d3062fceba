import { startUnknownServer } from '../client/unknownAuthority';
import { readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { useSkippingClock } from '../clock';

const testbed = useRecordTestbed({ demoRecords: 10 });
const clock = useSkippingClock();
const hour = 3_600_000;
const inTwoSeconds = 2_000;

/** n8n's clock and the service's differ, and only the service's own times can be compared. */
it.each([
	['an hour ahead', hour],
	['an hour behind', -hour],
])('a time to come back is met when the clock of the service is %s', async (_, wrongBy) => {
	const now = Date.now() + wrongBy;
	testbed.service.faults.inject({
		kind: 'status',
		status: 503,
		headers: {
			date: new Date(now).toUTCString(),
			'retry-after': new Date(now + inTwoSeconds).toUTCString(),
		},
	});
	const waitsBefore = clock.waits.length;
	const result = await testbed.run(readOrder());
	expect(result.status).toBe('success');
	const waits = clock.waits.slice(waitsBefore);
	expect(waits).toContain(inTwoSeconds);
	expect(testbed.service.requests.all().map(({ status }) => status)).toEqual([503, 200]);
});

const day = 24 * hour;

/** Runs against a server whose certificate is valid in another time. */
async function runAgainst(notBeforeDate: Date, notAfterDate: Date) {
	const server = await startUnknownServer('localhost', { notBeforeDate, notAfterDate });
	const credentials = testbed.credentials('member', { baseUrl: server.baseUrl });
	const { error } = await testbed.run(readOrder(), [{}], { credentials });
	await server.close();
	return { error, requests: server.requests() };
}

it.each([
	['is not valid yet', 1, 9],
	['has expired', -9, -1],
])('a certificate that %s by the clock of n8n is told as such', async (_, from, to) => {
	const now = Date.now();
	const { error, requests } = await runAgainst(
		new Date(now + from * day),
		new Date(now + to * day),
	);
	expect(error?.message).toBe("The service's certificate cannot be verified");
	expect(error?.description).toContain("check the clock of n8n's host");
	expect(requests).toBe(0);
});
