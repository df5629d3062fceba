import { createRecord } from '../../../../nodes/api/write/records';
import { noChanges } from '../../../../nodes/api/write/recordContent';
import { FakeService } from '../http/fakeService';

async function created(body: unknown) {
	const client = await new FakeService(() => ({ body })).connect();
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	return await createRecord(client, sheet, { changes: noChanges(), files: [] }, {});
}

describe('the id of a new record', () => {
	it.each([
		['svcId', { status: 'SUCCESS', svcId: 0 }, '0'],
		['ragicId', { status: 'SUCCESS', ragicId: '7' }, '7'],
		['the saved record, _svcId', { status: 'SUCCESS', data: { _svcId: 7, 1000001: 'x' } }, '7'],
		['the saved record, _ragicId', { status: 'SUCCESS', data: { _ragicId: 7 } }, '7'],
		['both', { status: 'SUCCESS', svcId: 7, data: { _svcId: 8 } }, '7'],
	])('is taken from %s', async (_, body, recordId) => {
		expect((await created(body)).recordId).toBe(recordId);
	});

	it('is missing nowhere without a word', async () => {
		await expect(created({ status: 'SUCCESS', data: { 1000001: 'x' } })).rejects.toMatchObject({
			kind: 'malformed',
			message: 'The service confirmed a new record but did not say which',
		});
	});
});
