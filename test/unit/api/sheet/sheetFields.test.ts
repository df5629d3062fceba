import type { Client } from '../../../../nodes/api/http/client';
import { SheetFields } from '../../../../nodes/api/sheet/sheetFields';
import { FakeService, type FakeAnswer } from '../http/fakeService';
import { spyOnYields } from '../http/yields';
import { beginAnew, schemaOf, sheet } from './sources/fieldSources';

beginAnew();
afterEach(() => jest.restoreAllMocks());

const status = { fieldId: '1000001', name: 'Status' };
const choices = new Map([['1000001', { choices: ['Open'] }]]);
const answer: FakeAnswer = { body: { 7: { 1000001: 'Open' } } };

it('the newest records are requested again if the execution that requested them was cancelled', async () => {
	const cancel = new AbortController();
	const { signal } = cancel;
	const service = new FakeService(() => (signal.aborted ? answer : new Promise(() => {})));
	const account = 'cancelled';
	const ask = (client: Client) => new SheetFields(client, sheet).observedValues([status]);
	const first = ask(await service.connect({ signal, account }));
	const second = ask(await service.connect({ account }));
	cancel.abort(new Error('stopped by the user'));
	await expect(first).rejects.toThrow('stopped by the user');
	await expect(second).resolves.toEqual(choices);
});

it('the wait of a delivery for names ends when the names arrive', async () => {
	const waits: Array<AbortSignal | undefined> = [];
	const service = new FakeService(() => schemaOf({ fieldId: '1000001', fieldName: 'Total' }));
	const wait = async (milliseconds: number, signal?: AbortSignal) => {
		if (milliseconds === 2_000) waits.push(signal);
		return await new Promise<void>(() => {});
	};
	const sheetFields = new SheetFields(await service.connect({ sleep: wait }), sheet);
	expect(await sheetFields.namesAtOnce({}, async () => await Promise.resolve(false))).toEqual({
		' 1000001': 'Total',
	});
	expect(waits.map((signal) => signal?.aborted)).toEqual([true]);
});

it('each delivery that waited for the same names takes a turn of the event loop of its own', async () => {
	const service = new FakeService(() => schemaOf({ fieldId: '1000001', fieldName: 'Total' }));
	const client = await service.connect();
	const namesAtOnce = async (isComplete: boolean) =>
		await new SheetFields(client, sheet).namesAtOnce(
			{},
			async () => await Promise.resolve(isComplete),
		);
	const yields = spyOnYields();
	await Promise.all([1, 2, 3].map(async () => await namesAtOnce(false)));
	expect(yields).toHaveBeenCalledTimes(3);
	await namesAtOnce(true);
	expect(yields).toHaveBeenCalledTimes(3);
});
