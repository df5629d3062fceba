import { useRecordTestbed } from '../recordTestbed';
import type { InputItem, RunNodeOptions, RunResult } from '../runner';
import { byConditions, byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();

type Mode = NonNullable<RunNodeOptions['onError']>;

const outputs: Array<[Mode, (result: RunResult) => RunResult['items']]> = [
	['continueErrorOutput', (result) => result.errorItems],
	['continueRegularOutput', (result) => result.items.filter(({ json }) => 'error' in json)],
];

const sentIds = () => testbed.writes.map(({ rawUrl }) => rawUrl.split('?api&')[1]);

describe.each(outputs)('with %s', (onError, errorsOf) => {
	const run = async (parameters: Parameters<typeof testbed.run>[0], items: InputItem[] = [{}]) =>
		await testbed.run(parameters, items, { onError });

	it('an item without an id stands alone, the others are worked on', async () => {
		const result = await run(mass('lock', byItems()), [
			{ _recordId: 10 },
			{ title: 'none' },
			{ _recordId: 12 },
		]);
		expect(result.status).toBe('success');
		expect(sentIds()).toEqual(['recordId=10&recordId=12']);
		const message = "The item has no record ID in the field '_recordId'";
		const inOneText = expect.stringMatching(`^${message}\\. Set 'Record ID Field' to the name`);
		const error = onError === 'continueErrorOutput' ? inOneText : message;
		expect(errorsOf(result).map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[error, { item: 1 }],
		]);
		const good = result.items.filter(({ json }) => 'taskId' in json);
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 2 }]]);
	});

	it('what goes wrong for items together goes wrong for each of them', async () => {
		testbed.service.tasks.breaksAfter = 1;
		const result = await run(mass('lock', byItems()), itemsOf([10, 11, 12]));
		const taskId = testbed.service.tasks.all[0]?.id;
		expect(testbed.writes).toHaveLength(1);
		expect(errorsOf(result).map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1, 2].map((item) => [expect.stringContaining(`The task ${taskId} failed`), { item }]),
		);
	});

	it('an item that fails does not keep another from its operation', async () => {
		const result = await run(mass('lock', byIds('={{ $json.ids }}')), [
			{ ids: '10' },
			{ ids: '' },
			{ ids: '12' },
		]);
		expect(sentIds()).toEqual(['recordId=10', 'recordId=12']);
		expect(errorsOf(result).map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringContaining('The selection is empty'), { item: 1 }],
		]);
		expect(result.hints.map(({ message }) => message)).toEqual(['2 tasks ended: 2 of 2 records']);
	});

	it('the words of the service are in the details', async () => {
		const result = await run(mass('lock', byConditions(['9999999', 'eq', 'x'])));
		expect(errorsOf(result)[0]?.json).toMatchObject({ error: expect.stringContaining('9999999') });
		if (onError === 'continueRegularOutput') {
			expect(result.items[0]?.json).toMatchObject({ details: { code: 201 } });
		} else {
			expect(result.errorItems[0]?.json.error).toMatch(/\bcode 201\b/i);
			expect(result.errorItems[0]?.json).not.toHaveProperty('details');
		}
	});
});

it('without it the first failure ends the run', async () => {
	testbed.service.tasks.breaksAfter = 0;
	const result = await testbed.run(mass('lock', byIds('={{ $json.ids }}')), [
		{ ids: '10' },
		{ ids: '12' },
	]);
	expect(result.status).toBe('error');
	expect(result.error?.context).toMatchObject({ itemIndex: 0 });
	expect(testbed.writes).toHaveLength(1);
});
