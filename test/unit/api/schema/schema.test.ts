import type { Client } from '../../../../nodes/api/http/client';
import { Schema } from '../../../../nodes/api/schema/schema';
import { FakeService, type FakeAnswer, type FakeRequest } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const refusal = { body: { status: 'ERROR', code: 106, msg: 'No access right' } };
const isSource = ({ url }: FakeRequest) =>
	url.pathname.includes('/metadata/') || url.searchParams.has('def');

describe('fields that are inferred from records', () => {
	it('are read twice, in the version of the API that this package is written for', async () => {
		const service = new FakeService((request) => {
			if (isSource(request)) return refusal;
			const isByName = request.url.searchParams.get('naming') === 'FNAME';
			return { body: { 7: { [isByName ? 'City' : '1000001']: 'Lyon' } } };
		});
		const list = await new Schema(await service.connect(), sheet).list();
		expect(list?.fields).toEqual([{ fieldId: '1000001', name: 'City' }]);
		expect(service.requests.slice(-2).map(({ url }) => url.search)).toEqual([
			'?api&naming=EID&version=2025-01-01&limit=20',
			'?api&naming=FNAME&version=2025-01-01&limit=20',
		]);
	});

	it('keep their ids when the record is changed between the two readings', async () => {
		const service = new FakeService((request) => {
			if (isSource(request)) return refusal;
			const isByName = request.url.searchParams.get('naming') === 'FNAME';
			// "City" was emptied, and "Country" filled in.
			return { body: { 7: isByName ? { Country: 'France' } : { 1000001: 'Lyon' } } };
		});
		const schema = new Schema(await service.connect(), { folders: ['sales'], sheetIndex: 2 });
		const list = await schema.list();
		expect(list?.fields).toEqual([{ fieldId: '1000001', name: '1000001' }]);
	});
});

const status = { fieldId: '1000001', name: 'Status' };
const choices = new Map([['1000001', ['Open']]]);
const answer: FakeAnswer = { body: { 7: { 1000001: 'Open' } } };

describe('the choices in the newest records', () => {
	it('are asked for once for each set of fields', async () => {
		const service = new FakeService(() => answer);
		const client = await service.connect();
		const city = { fieldId: '1000002', name: 'City' };
		for (const fields of [[status], [status], [status, city]]) {
			await expect(new Schema(client, sheet).choices(fields)).resolves.toEqual(choices);
		}
		expect(service.requests).toHaveLength(2);
	});

	it('are asked for by itself when another execution, which asked for them, is cancelled', async () => {
		const cancel = new AbortController();
		const { signal } = cancel;
		const service = new FakeService(() => (signal.aborted ? answer : new Promise(() => {})));
		const account = 'cancelled';
		const ask = (client: Client) => new Schema(client, sheet).choices([status]);
		const first = ask(await service.connect({ signal, account }));
		const second = ask(await service.connect({ account }));
		cancel.abort(new Error('stopped by the user'));
		await expect(first).rejects.toThrow('stopped by the user');
		await expect(second).resolves.toEqual(choices);
	});
});
