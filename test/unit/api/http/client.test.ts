import { recordRequest, sheetRequest } from '../../../../nodes/api/http/client';
import { FakeService } from './fakeService';

const record = { sheet: { folders: ['sales'], sheetIndex: 1 }, recordId: '5' };

it.each([
	{ words: 'No record found.', isRecord: true },
	{ words: 'There is no row 999.', isRecord: false },
	{ words: 'The tomorrow list is gone.', isRecord: true },
])('code 404 with the words "$words" is about the record: $isRecord', async (answer) => {
	const body = { status: 'ERROR', code: 404, msg: answer.words };
	const client = await new FakeService(() => ({ body })).connect();
	const message = answer.isRecord
		? `There is no record 5 on this sheet (${answer.words})`
		: answer.words;
	await expect(client.read(recordRequest(client, record, []))).rejects.toMatchObject({
		kind: 'notFound',
		details: { message: expect.stringContaining(message.replace(/\.$/, '')) },
	});
	await expect(client.read(recordRequest(client, record, []))).rejects.not.toMatchObject({
		message: expect.stringContaining(answer.isRecord ? 'no such' : 'no record 5'),
	});
});

describe('the error of a request', () => {
	const place = { folders: ['sales', 'eu'], sheetIndex: 7 };
	const refusal = (code?: number) => ({ status: 'ERROR', code, msg: 'Words of the service.' });

	it.each<
		[what: string, status: number, code: number | undefined, ofSheet: string, ofRecord: string]
	>([
		['HTTP 404', 404, undefined, '', ': record 5$'],
		['code 404', 200, 404, 'Words of the service', '^There is no record 5 on this sheet \\(Words'],
		[
			'code 103',
			200,
			103,
			"^There is no sheet 7 in the folder 'sales/eu' \\(",
			"^There is no sheet 7 in the folder 'sales/eu'",
		],
		['code 102', 200, 102, '^Invalid path: Words', '^Invalid path: Words'],
	])('names what does not exist: %s', async (_, status, code, ofSheet, ofRecord) => {
		const client = await new FakeService(() => ({ status, body: refusal(code) })).connect();
		const messageOf = async (request: Parameters<typeof client.read>[0]) =>
			await client.read(request).then(String, ({ message }) => String(message));
		expect(await messageOf(sheetRequest(client, place, []))).toMatch(new RegExp(ofSheet));
		expect(await messageOf(sheetRequest(client, place, []))).not.toContain('record 5');
		const record = { sheet: place, recordId: '5' };
		expect(await messageOf(recordRequest(client, record, []))).toMatch(new RegExp(ofRecord));
	});

	it.each<
		[what: string, status: number, code: number | undefined, withKey: string, withSession: string]
	>([
		['an identity that is not accepted', 401, undefined, 'copyKey', 'checkSession'],
		['code 105', 200, 105, 'copyKey', 'checkSession'],
		['code 304', 200, 304, 'copyKey', 'checkSession'],
		['an account that has expired', 200, 303, '', ''],
		['no access', 200, 106, 'a guest', ''],
		['no access by a proxy', 403, undefined, '', ''],
	])('has the advice for its credential: %s', async (_, status, code, ...advices) => {
		for (const [at, advice] of advices.entries()) {
			const service = new FakeService(() => ({ status, body: refusal(code) }));
			const client = await service.connect({ hasSession: at === 1 });
			const failing = client.read(sheetRequest(client, place, []));
			const { remedy = '', description = '' } = await failing.then(Object, ({ details }) =>
				Object(details),
			);
			const found = ['copyKey', 'checkSession'].includes(remedy)
				? remedy
				: /a guest/.exec(description)?.[0];
			expect([at, found ?? '']).toEqual([at, advice]);
		}
	});
});
