import { discoverFields } from '../../../../nodes/api/schema/discovery';
import { FakeService } from '../http/fakeService';
import type { FakeRequest } from '../http/fakeService';

const refusal = { body: { status: 'ERROR', code: 106, msg: 'No access right' } };
const isSource = ({ url }: FakeRequest) =>
	url.pathname.includes('/metadata/') || url.searchParams.has('def');

describe('fields that are learnt from records', () => {
	it('are read twice, in the version of the API that this package is written for', async () => {
		const service = new FakeService((request) => {
			if (isSource(request)) return refusal;
			const isByName = request.url.searchParams.get('naming') === 'FNAME';
			return { body: { 7: { [isByName ? 'City' : '1000001']: 'Lyon' } } };
		});
		const list = await discoverFields(await service.connect(), {
			folders: ['sales'],
			sheetIndex: 1,
		});
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
		const sheet = { folders: ['sales'], sheetIndex: 2 };
		const list = await discoverFields(await service.connect(), sheet);
		expect(list?.fields).toEqual([{ fieldId: '1000001', name: '1000001' }]);
	});
});
