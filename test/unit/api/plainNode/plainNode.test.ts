import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCertificates, orders, startReferenceService } from '../../../service';

it('the API works in plain Node.js, with fetch in place of n8n', async () => {
	const { certificateAuthorityPath } = await ensureCertificates();
	const service = await startReferenceService({ demoRecords: 1200 });
	const { baseUrl, account, identities, data, requests, webhooks } = service;
	const sheet = data.sheet(orders);
	const field = orders.fields.customerNumber;
	data.record(orders, 7).set(field, 'C-only');
	const host = {
		credential: { baseUrl, account, apiKey: identities.member.apiKey, requestsPerSecond: 0 },
		sheet: { folders: orders.path.split('/'), sheetIndex: orders.index },
		...{ field, values: [['C-only'], ['C-new']] },
		delivery: webhooks.body(sheet, 'UPDATE', [data.record(orders, 1)]),
	};
	const program = ['--import', 'tsx', join(__dirname, 'program.ts'), JSON.stringify(host)];
	const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificateAuthorityPath };
	const { stdout } = await promisify(execFile)(process.execPath, program, { env }).finally(
		async () => await service.close(),
	);
	const done = { listed: 1200, written: ['7', '1201'], verified: true, ofN8n: [] };
	expect(JSON.parse(stdout)).toEqual(done);
	const writes = requests.all().filter(({ method }) => method === 'POST');
	expect(writes.map(({ rawUrl }) => rawUrl)).toEqual([
		expect.stringMatching(/\/1\/7\?api$/),
		expect.stringMatching(/\/1\?api$/),
	]);
	expect(data.record(orders, 1201).value(field)).toBe('C-new');
});
