import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { byConditions, byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

const preview = { options: { preview: true } };

describe('a preview', () => {
	it('a preview by conditions returns every matching record, and changes nothing', async () => {
		testbed.service.switches.defaultOrder = 'oldestFirst';
		for (const id of [20, 10, 12]) testbed.order(id).set(fields.reference, 'mine');
		const selection = byConditions([fields.reference, 'eq', 'mine']);
		const result = await testbed.run(mass('lock', { ...selection, ...preview }));
		expect(result.ids).toEqual([10, 12, 20]);
		expect(result.json[0]).toMatchObject({ Reference: 'mine', _title: 'SO-00010' });
		expect(result.links).toEqual(result.items.map(() => ({ item: 0 })));
		expect(testbed.writes).toEqual([]);
		expect(testbed.service.tasks.all).toEqual([]);
		const where = expect.stringContaining(`&where=${fields.reference},eq,mine`);
		expect(testbed.readUrls).toContainEqual(where);
	});

	it.each([
		['from the list, when they were changed together', 40, 1],
		['one by one, when they are few', 10, 10],
	])(
		'a preview by IDs reads the records %s, in the order of the IDs',
		async (_, count, requests) => {
			const ids = Array.from({ length: count }, (_item, index) => 200 - 3 * index);
			testbed.service.people.massChange(orders, ids, ({ id }) => ({
				[fields.remark]: `new ${id}`,
			}));
			const result = await testbed.run(mass('lock', { ...byIds(ids.join()), ...preview }));
			expect(result.items.map(({ json }) => [json._recordId, json.Remark])).toEqual(
				ids.map((id) => [id, `new ${id}`]),
			);
			expect(testbed.reads).toHaveLength(requests);
		},
	);

	it('a preview returns a record once, although its ID comes twice', async () => {
		const result = await testbed.run(mass('lock', { ...byIds('10,11,10'), ...preview }));
		expect(result.ids).toEqual([10, 11]);
	});

	it('a preview by input items links each record to its own items', async () => {
		const parameters = mass('lock', { ...byItems(), ...preview });
		const result = await testbed.run(parameters, itemsOf([12, 10, 12]));
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[12, [{ item: 0 }, { item: 2 }]],
			[10, { item: 1 }],
		]);
		expect(testbed.writes).toEqual([]);
	});

	it.each([byConditions([fields.reference, 'eq', 'nobody']), byIds('9999')])(
		'a preview without records says so: %j',
		async (selection) => {
			const result = await testbed.run(mass('lock', { ...selection, ...preview }));
			expect(result.items).toEqual([]);
			expect(result.hintTexts).toEqual(['No record matched the selection.']);
		},
	);
});
