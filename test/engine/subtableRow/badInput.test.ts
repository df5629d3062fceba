import { orders } from '../../service';
import { mapped } from '../record/recordValues';
import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowOfItem } from './rowTestbed';

const testbed = useRecordTestbed();
const { article } = orders.subtables.lines.fields;
const good = rowAsJson({ [article]: 'a' });

it.each([
	['no record', { recordId: { __rl: true, mode: 'id', value: '={{ "" }}' } }, "'Record'"],
	['a record that is none', { recordId: { __rl: true, mode: 'id', value: 'abc' } }, "'abc'"],
	['no subtable', { subtableId: '={{ "" }}' }, "Choose a 'Subtable'"],
	['JSON that is none', rowAsJson('{ "Article": '), "'Row (JSON)' is not valid JSON"],
	['JSON that is no object', rowAsJson('[1]'), "'Row (JSON)' must be a JSON object"],
	['nothing to write', rowAsJson({ [article]: '' }), 'There is nothing to write'],
	['an empty mapper', mapped({}), 'There is nothing to write'],
	['a value that is an object', rowAsJson({ [article]: { a: 1 } }), article],
] as const)(
	'refuses %s before anything is sent, with the number of the item',
	async (_, more, text) => {
		const result = await testbed.run({ ...onLines('add', good), ...more }, [{ order: 11 }]);
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(text);
		expect(result.error?.context).toMatchObject({ itemIndex: 0 });
		expect(testbed.service.requests.count).toBe(0);
	},
);

it.each([
	['', "'Row ID' is empty"],
	['abc', "'abc' is not a row ID"],
	['-1', "'-1' is not a row ID"],
	['1.5', "'1.5' is not a row ID"],
])('refuses the row id %j', async (line, text) => {
	for (const operation of ['update', 'delete']) {
		const parameters = onLines(operation, { ...good, rowId: '={{ $json.line }}' });
		const result = await testbed.run(parameters, [{ order: 11, line }]);
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(text);
	}
	expect(testbed.service.requests.count).toBe(0);
});

it.each([
	['a name that two have', 'Order Lines', 'is the name of 2 subtables (2000001, 77)'],
	['a name that no subtable has', 'Lines', "'Lines' is not the name of a subtable"],
])('refuses a subtable by %s, and writes nothing', async (_, subtableId, text) => {
	const { subtables } = testbed.service.data.sheet(orders);
	if (subtableId === 'Order Lines') subtables.push({ id: '77', name: subtableId, fields: [] });
	const credentials = testbed.credentials('admin');
	const parameters = { ...onLines('add', good), subtableId };
	const result = await testbed.run(parameters, [{ order: 11 }], { credentials });
	expect(result.error?.message).toContain(text);
	expect(result.error?.description).toContain('ID');
	expect(testbed.writes).toEqual([]);
});

it('says to give the ID where the service tells no names', async () => {
	Object.assign(testbed.service.switches, { schema: 'http404', definition: 'http404' });
	const parameters = { ...onLines('getAll'), subtableId: 'Order Lines' };
	const result = await testbed.run(parameters, [{ order: 11 }]);
	expect(result.error?.description).toContain('give its ID, e.g. 2000001');
});

it('says what to do with what reading adds', async () => {
	const row = rowAsJson({ _recordId: 11, _rowId: 3, [article]: 'a' });
	const result = await testbed.run(onLines('add', row), [{ order: 11 }]);
	expect(result.error).toMatchObject({
		message: expect.stringContaining("'_recordId' is not a field"),
		description: expect.stringContaining('Leave them out'),
	});
	expect(testbed.writes).toEqual([]);
});

it('names the near misses of a name that the subtable does not have', async () => {
	const result = await testbed.run(onLines('add', rowAsJson({ Artikle: 'a' })), [{ order: 11 }]);
	expect(result.error?.message).toContain("'Artikle' is not a field of subtable 2000001");
	expect(result.error?.message).toContain("'Article'");
	expect(testbed.writes).toEqual([]);
});

it('does not take a field of the record for one of the row', async () => {
	const result = await testbed.run(onLines('add', rowAsJson({ Status: 'Open' })), [{ order: 11 }]);
	expect(result.error?.message).toContain("'Status' is not a field of subtable 2000001");
	expect(testbed.writes).toEqual([]);
});

it('stops at the first bad item, and sends nothing of those behind it', async () => {
	const result = await testbed.run(onLines('add', rowOfItem), [
		{ order: 11, row: { [article]: 'before' } },
		{ order: 'x', row: { [article]: 'bad' } },
		{ order: 11, row: { [article]: 'behind' } },
	]);
	expect(result.status).toBe('error');
	expect(result.error?.context).toMatchObject({ itemIndex: 1 });
	expect(
		linesOf(testbed.service, 11)
			.slice(3)
			.map(([, text]) => text),
	).toEqual(['before']);
});

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'goes on with the items behind it on %s',
	async (onError) => {
		const result = await testbed.run(
			onLines('add', rowOfItem),
			[
				{ order: 11, row: { [article]: 'before' } },
				{ order: 11, row: {} },
				{ order: 11, row: { [article]: 'behind' } },
			],
			{ onError },
		);
		const all = [...result.items, ...result.errorItems];
		const failed = all.filter(({ json }) => json.error !== undefined);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(all).toHaveLength(3);
		expect(testbed.writes).toHaveLength(1);
		expect(
			linesOf(testbed.service, 11)
				.slice(3)
				.map(([, text]) => text),
		).toEqual(['before', 'behind']);
	},
);
