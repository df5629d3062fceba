import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const elsewhere = { subtableId: '2999999' };

describe('a subtable that is not there', () => {
	it.each([true, false])(
		'is an error of what was to be added, though the service says SUCCESS (with the record: %s)',
		async (answerCarriesData) => {
			Object.assign(testbed.service.switches, { unknownBodyField: 'ignored', answerCarriesData });
			const result = await testbed.run(
				onLines('add', { ...elsewhere, ...rowAsJson({ 3000001: 'Pen' }) }),
				[{ order: 11 }, { order: 12 }],
				{ onError: 'continueErrorOutput' },
			);
			expect(result.items).toEqual([]);
			expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
				[0, 1].map((item) => [expect.stringContaining('subtable 2999999'), { item }]),
			);
		},
	);

	it('is an error when its rows are asked for', async () => {
		const result = await testbed.run(onLines('getAll', { returnAll: true, ...elsewhere }), [
			{ order: 11 },
		]);
		expect(result.error).toMatchObject({
			message: 'The sheet has no subtable 2999999',
			context: { itemIndex: 0 },
		});
	});

	it('is none that a record without rows leaves out', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"4":{"_svcId":4}}',
			when: ({ path }) => path.endsWith('/4'),
		});
		const result = await testbed.run(onLines('getAll', { returnAll: true }), [{ order: 4 }]);
		expect(result.status).toBe('success');
		expect(result.items).toEqual([]);
	});
});

describe('a row that is not there', () => {
	it('is an error of its item alone when rows are deleted', async () => {
		const [first, second, third] = rowIdsOf(testbed.service, 11);
		const result = await testbed.run(
			onLines('delete', { rowId: '={{ $json.line }}' }),
			[
				{ order: 11, line: first },
				{ order: 11, line: 77_777 },
				{ order: 11, line: third },
				{ order: 11, line: first },
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.items.map(({ json, pairedItem }) => [json._rowId, pairedItem])).toEqual([
			[first, { item: 0 }],
			[third, { item: 2 }],
		]);
		expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringContaining('There is no row 77777 in the subtable'), { item: 1 }],
			[expect.stringContaining(`There is no row ${first} in the subtable`), { item: 3 }],
		]);
		expect(rowIdsOf(testbed.service, 11)).toEqual([second]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('does not have the others deleted again by a retry', async () => {
		const [first, second, third] = rowIdsOf(testbed.service, 11);
		const result = await testbed.run(
			onLines('delete', { rowId: '={{ $json.line }}' }),
			[77_777, first, second].map((line) => ({ order: 11, line })),
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError: 'continueRegularOutput' },
		);
		expect(result.items.map(({ json }) => json.deleted)).toEqual([undefined, true, true]);
		expect(rowIdsOf(testbed.service, 11)).toEqual([third]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('is an error when it is to be changed, though the service says SUCCESS', async () => {
		const before = linesOf(testbed.service, 11);
		const rows = JSON.stringify(Object.fromEntries(before.map(([id]) => [id, {}])));
		testbed.service.faults.inject({
			kind: 'body',
			body: `{"status":"SUCCESS","svcId":11,"data":{"_subtable_2000001":${rows}}}`,
			when: ({ method }) => method === 'POST',
		});
		const result = await testbed.run(
			onLines('update', { rowId: '77777', ...rowAsJson({ Article: 'Pen' }) }),
			[{ order: 11 }],
		);
		expect(result.error?.message).toContain('There is no row 77777 in the subtable');
	});
});
