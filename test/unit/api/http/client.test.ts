import { recordRequest } from '../../../../nodes/api/http/client';
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
