import type { Client } from '../../../../nodes/api/http/client';
import { Schema } from '../../../../nodes/api/schema/schema';
import { FakeService, type FakeAnswer } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };

const status = { fieldId: '1000001', name: 'Status' };
const choices = new Map([['1000001', { choices: ['Open'] }]]);
const answer: FakeAnswer = { body: { 7: { 1000001: 'Open' } } };

it('the newest records are requested again if the execution that requested them was cancelled', async () => {
	const cancel = new AbortController();
	const { signal } = cancel;
	const service = new FakeService(() => (signal.aborted ? answer : new Promise(() => {})));
	const account = 'cancelled';
	const ask = (client: Client) => new Schema(client, sheet).observedValues([status]);
	const first = ask(await service.connect({ signal, account }));
	const second = ask(await service.connect({ account }));
	cancel.abort(new Error('stopped by the user'));
	await expect(first).rejects.toThrow('stopped by the user');
	await expect(second).resolves.toEqual(choices);
});
