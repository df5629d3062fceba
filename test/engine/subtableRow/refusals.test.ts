import { orders } from '../../service';
import { errorsOf, linksOf, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowIdsOf, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { article, quantity } = orders.subtables.lines.fields;

const add = onLines('add', { ...rowOfItem, options: { doValidation: true } });
const items = [
	{ order: 11, row: { [article]: 'a', [quantity]: 1 } },
	{ order: 11, row: { [article]: 'b', [quantity]: 'many' } },
	{ order: 11, row: { [article]: 'c', [quantity]: 3 } },
];
const goOn = { onError: 'continueErrorOutput' } as const;

/** The articles that were added to order 11, which begins with three rows. */
const added = () => linesOf(testbed.service, 11).slice(3);

describe('a row that is refused', () => {
	it('does not take the others along, and none is saved twice', async () => {
		const result = await testbed.run(add, items, goOn);
		expect(added().map(([, text]) => text)).toEqual(['a', 'c']);
		expect(
			result.items.map(({ json, pairedItem }) => [json._rowId, json[article], pairedItem]),
		).toEqual(added().map(([id, text], index) => [id, text, { item: 2 * index }]));
		expect(errorsOf(result.errorItems)).toEqual([
			[expect.stringContaining('the quantity must be a whole number'), { item: 1 }],
		]);
		expect(rowsSent(testbed).map((rows) => Object.keys(rows).length)).toEqual([3, 1, 1, 1]);
	});

	it('is refused once when it is alone', async () => {
		expect((await testbed.run(add, items.slice(1, 2))).status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	});
});

it('changes what can be changed when one of the rows is not there', async () => {
	const [first, second] = rowIdsOf(testbed.service, 11);
	const changes = [first, 999999, second].map((line, index) => ({ ...items[index], line }));
	const update = onLines('update', { ...rowOfItem, rowId: '={{ $json.line }}' });
	const result = await testbed.run(update, changes, goOn);
	const texts = linesOf(testbed.service, 11).map(([, text]) => text);
	expect(texts).toEqual(['a', 'c', expect.anything()]);
	expect(linksOf(result.items)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(errorsOf(result.errorItems)).toEqual([[expect.stringContaining('999999'), { item: 1 }]]);
});

it.each([
	['a lock', 'member', 3, /Record locked.*'Unlock'.*Code 402/s, 1],
	['a record that is not there', 'member', 99999, /Record not found/, 1],
	// Code 106 is asked about once more.
	['a user who may only read', 'reader', 11, /No access right/, 2],
] as const)(
	'what concerns the whole record is told to each item, not asked for each: %s',
	async (_, identity, order, message, requests) => {
		const rows = items.map(({ row }) => ({ order, row }));
		const credentials = testbed.credentials(identity);
		const checked = { ...add, options: { checkLock: true } };
		const result = await testbed.run(checked, rows, { ...goOn, credentials });
		expect(testbed.writes).toHaveLength(requests);
		expect(errorsOf(result.errorItems)).toEqual(
			rows.map((__, item) => [expect.stringMatching(message), { item }]),
		);
	},
);
