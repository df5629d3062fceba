import { useRecordTestbed } from '../recordTestbed';
import type { InputItem } from '../runner';
import { byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();

const sentIds = () => testbed.writes.map(({ rawUrl }) => rawUrl.split('?api&')[1]);

const run = async (parameters: Parameters<typeof testbed.run>[0], items: InputItem[] = [{}]) =>
	await testbed.run(parameters, items, { onError: 'continueErrorOutput' });

it('an item without an id stands alone, the others are worked on', async () => {
	const items = [{ _recordId: 10 }, { title: 'none' }, { _recordId: 12 }];
	const result = await run(mass('lock', byItems()), items);
	expect(result.status).toBe('success');
	expect(sentIds()).toEqual(['recordId=10&recordId=12']);
	const message = "The item has no record ID in the field '_recordId'";
	const error = expect.stringMatching(`^${message}\\. Set 'Record ID Field' to the name`);
	expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
		[error, { item: 1 }],
	]);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 2 }]]);
});

it('what goes wrong for items together goes wrong for each of them', async () => {
	testbed.service.tasks.breaksAfter = 1;
	const result = await run(mass('lock', byItems()), itemsOf([10, 11, 12]));
	const taskId = testbed.service.tasks.all[0]?.id;
	expect(testbed.writes).toHaveLength(1);
	expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
		[0, 1, 2].map((item) => [expect.stringContaining(`The task ${taskId} failed`), { item }]),
	);
});

it('an item that fails does not keep another from its operation', async () => {
	const items = [{ ids: '10' }, { ids: '' }, { ids: '12' }];
	const result = await run(mass('lock', byIds('={{ $json.ids }}')), items);
	expect(sentIds()).toEqual(['recordId=10', 'recordId=12']);
	expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
		[expect.stringContaining('The selection is empty'), { item: 1 }],
	]);
	expect(result.hints.map(({ message }) => message)).toEqual(['2 tasks ended: 2 of 2 records']);
});
