import { learnChoices } from '../../../../nodes/api/schema/requestChoices';
import { FakeService } from '../http/fakeService';
import type { FakeAnswer } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const status = { fieldId: '1000001', name: 'Status' };
const choices = new Map([['1000001', ['Open']]]);
const answer: FakeAnswer = { body: { 7: { 1000001: 'Open' } } };

describe('the choices in the newest records', () => {
	it('are asked for once for each set of fields', async () => {
		const service = new FakeService(() => answer);
		const client = await service.connect();
		const city = { fieldId: '1000002', name: 'City' };
		for (const fields of [[status], [status], [status, city]]) {
			await expect(learnChoices(client, sheet, fields)).resolves.toEqual(choices);
		}
		expect(service.requests).toHaveLength(2);
	});

	it('are asked for by itself when another execution, which asked for them, is cancelled', async () => {
		const cancel = new AbortController();
		const { signal } = cancel;
		const service = new FakeService(() => (signal.aborted ? answer : new Promise(() => {})));
		const account = 'cancelled';
		const first = learnChoices(await service.connect({ signal, account }), sheet, [status]);
		const second = learnChoices(await service.connect({ account }), sheet, [status]);
		cancel.abort(new Error('stopped by the user'));
		await expect(first).rejects.toThrow('stopped by the user');
		await expect(second).resolves.toEqual(choices);
	});
});
