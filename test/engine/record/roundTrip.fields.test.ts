import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { fields } = orders;

const update = { ...onOrder('update', 12), ...autoMapped(), options: { doWorkflow: false } };
const tellNoFields = () =>
	Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });

/**
 * Time of the current test, in ms. Fields of a sheet are cached for ten minutes, and their source for an hour, so each test
 * starts later.
 */
let clock = 0;
beforeEach(() => {
	clock += 4_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => jest.restoreAllMocks());

describe('a field whose name begins with _', () => {
	const internalField = { id: '1000099', name: '_internal', type: 'text' } as const;
	beforeEach(() => void testbed.orders.fields.push(internalField));

	it.each([
		['mapped', '_internal', autoMapped()],
		['given as JSON', '_internal', asJson('={{ $json }}')],
		['given by name and ID', '_internal (1000099)', asJson('={{ $json }}')],
	])(
		'is recognized together with names, with IDs and on its own when values are %s',
		async (_, key, input) => {
			const beside = [{ Remark: 'x' }, { [fields.remark]: 'x' }, {}];
			const items = beside.map((values) => ({ ...values, [key]: 'y' }));
			await testbed.runById({ ...update, ...input }, items);
			expect(testbed.writes.map(({ body }) => Object(body)['1000099'])).toEqual(['y', 'y', 'y']);
		},
	);

	it('is omitted and named in a hint if the sheet has no such field', async () => {
		const { hintTexts } = await testbed.runById(update, [{ _id: '65f0', Remark: 'x' }]);
		expect(testbed.bodies).toEqual([{ [fields.remark]: 'x' }]);
		const expectedHint = "Not written: '_id' (not a field of the sheet).";
		expect(hintTexts).toEqual([expectedHint]);
	});

	it('a field whose name begins with _ is read and written back if the names come from records', async () => {
		tellNoFields();
		const read = await testbed.run({ ...update, operation: 'get', options: {} });
		await testbed.runById(update, [{ ...read.json[0], _internal: 'y', City: 'Ulm' }]);
		expect(testbed.writes[0]?.body).toMatchObject({ 1000099: 'y', [fields.city]: 'Ulm' });
	});
});

it('unknown keys in many items request each source of fields only once per run', async () => {
	const items = Array.from({ length: 5 }, () => ({ Colour: 'red' }));
	/** Returns the requests for names. The newest records are also read to infer kinds. */
	const requestedSources = () =>
		testbed.reads
			.map(({ rawUrl }) => rawUrl.replace(/&(limit|version)=.*$/, ''))
			.filter((url) => !url.includes('&order='));
	const [schema, definition, ...readings] = [
		'/acme/sales/orders/1/metadata/schema?api',
		'/acme/sales/orders/1?api&def',
		'/acme/sales/orders/1?api&naming=EID',
		'/acme/sales/orders/1?api&naming=FNAME',
	];
	const runs = [
		// A rejected request is repeated once, and the result is cached.
		{ prepare: () => {}, sources: [schema, schema, definition, ...readings] },
		// A field may have been added in the meantime.
		{ prepare: () => {}, sources: [definition, ...readings] },
		{ prepare: tellNoFields, sources: [definition, definition, ...readings] },
	];
	for (const { prepare, sources } of runs) {
		prepare();
		testbed.service.requests.clear();
		const result = await testbed.runAllById(update, items);
		expect(result.errorItems).toHaveLength(5);
		expect(requestedSources().sort()).toEqual([...sources].sort());
	}
});
