import { startUnknownServer } from '../client/unknownAuthority';
import { readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 10 });
const hour = 3_600_000;

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
