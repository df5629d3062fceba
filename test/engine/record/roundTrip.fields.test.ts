import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { fields } = orders;

const update = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId(12),
	...autoMapped(),
	options: { doWorkflow: false },
};

/** What was learnt of a sheet is kept for a minute, and who told it for an hour: so far apart are these tests. */
let clock = 0;
beforeEach(() => {
	clock += 4_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => jest.restoreAllMocks());

describe('a field whose name begins with _', () => {
	beforeEach(() => {
		const { fields: known } = testbed.service.data.sheet(orders);
		known.push({ id: '1000099', name: '_internal', type: 'text' });
	});

	it.each([
		['names', { Remark: 'x' }],
		['ids', { [fields.remark]: 'x' }],
		['nothing', {}],
	])('is one beside %s, however the values are given', async (_, beside) => {
		for (const input of [autoMapped(), { inputMode: 'json', recordJson: '={{ $json }}' }]) {
			const parameters = { ...update, ...input };
			const result = await testbed.run(parameters, [{ ...beside, _internal: 'y' }]);
			expect(result.error).toBeUndefined();
			expect(testbed.writes.at(-1)?.body).toMatchObject({ 1000099: 'y' });
		}
	});

	it('is read and written back where the names come from readings', async () => {
		Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
		const read = await testbed.run({ ...update, operation: 'get', options: {} });
		const item = { ...read.items[0]?.json, _internal: 'y', City: 'Ulm' };
		const result = await testbed.run(update, [item]);
		expect(result.error).toBeUndefined();
		expect(testbed.writes[0]?.body).toMatchObject({ 1000099: 'y', [fields.city]: 'Ulm' });
	});
});

describe('discovery', () => {
	const stray = Array.from({ length: 20 }, () => ({ Colour: 'red' }));
	const failing = async () => await testbed.run(update, stray, { onError: 'continueErrorOutput' });
	const asked = () => testbed.reads.map(({ rawUrl }) => rawUrl.replace(/&(limit|version)=.*$/, ''));
	const sources = [
		'/acme/sales/orders/1/metadata/schema?api',
		'/acme/sales/orders/1?api&def',
		'/acme/sales/orders/1?api&naming=EID',
		'/acme/sales/orders/1?api&naming=FNAME',
	];

	it('asks each source once, however many items have a key that the sheet does not know', async () => {
		const result = await failing();
		expect(result.errorItems).toHaveLength(20);
		expect(asked()).toEqual(sources);
	});

	it('asks once when nothing tells the fields', async () => {
		Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
		testbed.service.data.sheet(orders).records.clear();
		const result = await failing();
		expect(result.errorItems).toHaveLength(20);
		expect(asked()).toEqual(sources);
	});

	it('asks anew in the next run, as a field may have been added', async () => {
		await failing();
		testbed.service.requests.clear();
		await failing();
		expect(asked().sort()).toEqual(sources.sort());
	});
});
