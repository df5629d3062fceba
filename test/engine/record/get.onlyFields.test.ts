import type { GenericValue, INodeParameters } from 'n8n-workflow';
import { empty, orders } from '../../service';
import { onOrder, sheet, unname, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
beforeEach(() => unname(testbed.service));
const { fields } = orders;
const { lines } = orders.subtables;
const subtable = `_subtable_${lines.id}`;

const always = { _recordId: 9, _title: 'SO-00009', _starred: false };

/** Reads order 9, which has both notes, with other fields for each item. */
async function readOrder(only: GenericValue[], more: INodeParameters = {}) {
	const { simplify = true, ...options } = more;
	const get = { ...onOrder('get', 9), simplify };
	return await testbed.runAll(
		{ ...get, options: { onlyFields: '={{ $json.only }}', ...options } },
		only.map((fieldList) => ({ only: fieldList })),
	);
}

async function fieldsOf(only: GenericValue[], more: INodeParameters = {}) {
	const { items, errorItems } = await readOrder(only, more);
	expect(errorItems).toEqual([]);
	return items.map(({ json }) => json);
}

describe('Only Fields', () => {
	it.each(['standard', 'ragic'])('Only Fields keeps comments: %s', async (serviceDialect) => {
		await testbed.run({ resource: 'comment', ...onOrder('add', 9), comment: 'Hi' });
		const options = { comment: true, onlyFields: 'Reference' };
		const list = { operation: 'getAll', sheet: onOrder('get', 9).sheet, returnAll: true };
		for (const read of [onOrder('get', 9), list]) {
			const as = testbed.as('member', { serviceDialect });
			const { json } = await testbed.run({ ...read, options }, [{}], as);
			const order = json.find(({ _recordId }) => _recordId === 9);
			expect(order).toEqual({
				...{ ...always, Reference: 'REF-9' },
				_subtable_61: [expect.objectContaining({ 66: 'Hi' })],
			});
		}
	});

	it('Only Fields accepts names and IDs, also in an array, independent of the keys in the output', async () => {
		const byName = { ...always, Reference: 'REF-9', Status: 'Confirmed' };
		const mixed = ['Reference, Status', `${fields.reference},Status`, ['Reference', fields.status]];
		expect(await fieldsOf(mixed)).toEqual([byName, byName, byName]);
		const byId = { ...always, [fields.reference]: 'REF-9', [fields.status]: 'Confirmed' };
		const only = ['Reference, 1000007', `${fields.reference},${fields.status}`];
		expect(await fieldsOf(only, { fieldKeys: 'id' })).toEqual([byId, byId]);
	});

	it('Only Fields accepts subtables, and an empty list means all fields', async () => {
		const [rows, all] = await fieldsOf(['Reference, _subtable_2000001', ' , ']);
		const chosenNames = ['Reference', '_subtable_2000001'];
		expect(Object.keys(rows ?? {})).toEqual([...Object.keys(always), ...chosenNames]);
		expect(Object.keys(all ?? {}).length).toBeGreaterThan(20);
	});

	it.each([
		{ keys: 'names', article: 'Article', quantity: 'Quantity', more: {} },
		{
			keys: 'IDs',
			article: lines.fields.article,
			quantity: lines.fields.quantity,
			more: { fieldKeys: 'id' },
		},
	])('Only Fields accepts fields of rows, by $keys', async ({ article, quantity, more }) => {
		const stored = [...testbed.order(9).rows(lines.id)];
		expect(stored).not.toEqual([]);
		const rowsWith = (fieldIds: Record<string, string>) =>
			stored.map(([_rowId, row]) => ({
				_rowId,
				...Object.fromEntries(Object.entries(fieldIds).map(([key, id]) => [key, row.get(id)])),
			}));
		const [one, two, byId] = await fieldsOf(
			[article, [quantity, article, fields.reference], [lines.fields.article]],
			more,
		);
		const justArticles = rowsWith({ [article]: lines.fields.article });
		expect(one).toEqual({ ...always, [subtable]: justArticles });
		expect(two).toEqual({
			...always,
			[more.fieldKeys === 'id' ? fields.reference : 'Reference']: 'REF-9',
			[subtable]: rowsWith({ [article]: lines.fields.article, [quantity]: lines.fields.quantity }),
		});
		expect(byId).toEqual(one);
	});

	it('Only Fields with a subtable and one of its fields returns whole rows', async () => {
		const [whole, both] = await fieldsOf([subtable, [subtable, 'Article']]);
		expect(Object.keys(Object(whole?.[subtable])[0]).length).toBeGreaterThan(3);
		expect(both).toEqual(whole);
	});

	it('Only Fields with fields of rows narrows the rows of a raw record', async () => {
		const [raw] = await fieldsOf(['Article'], { simplify: false });
		const [row] = Object.values(Object(raw?.[subtable]));
		const keys = Object.keys(Object(row));
		expect(keys.filter((key) => !key.startsWith('_'))).toEqual(['Article']);
		// Keys that the service adds to rows stay.
		expect(keys.filter((key) => ['_ragicId', '_svcId'].includes(key))).toHaveLength(1);
	});

	it('Only Fields narrows a raw record', async () => {
		const [raw] = await fieldsOf(['Reference'], { simplify: false });
		expect(raw).toMatchObject({ _star: false, _index_title_: 'SO-00009', Reference: 'REF-9' });
		expect(raw).not.toHaveProperty('City');
	});
});

const { secondNote, unnamed } = fields;

it('fields without a unique name are found by ID, or by their name in the output', async () => {
	const untitled = `Untitled (${unnamed})`;
	const both = { ...always, Note2: 'Shelf 4', [untitled]: '' };
	expect(await fieldsOf([`${secondNote},${unnamed}`, `Note2,${untitled}`])).toEqual([both, both]);
});

it.each(['id', 'name'])(
	'the error for an unknown name suggests similar names: %s',
	async (fieldKeys) => {
		testbed.expectErrors(await readOrder(['Reference, Referense'], { fieldKeys }), "'Reference'");
		expect(testbed.reads.filter(({ path }) => path.endsWith('/9'))).toEqual([]);
	},
);

it.each(['1999999', '777'])(
	'an ID that is no field is an error in reads by IDs: %s',
	async (id) => {
		const result = await readOrder([`Reference, ${id}`], { fieldKeys: 'id' });
		testbed.expectErrors(result, `'${id}' in 'Only Fields' is not a field of the sheet`);
	},
);

it('an ID in Download Files that is no field is reported with this option', async () => {
	const options = { fieldKeys: 'id', downloadFiles: '1999999' };
	const result = await readOrder(['Reference'], options);
	testbed.expectErrors(result, `'1999999' in 'Download Files' is not a field of the sheet`);
});

it('an ID that the list of fields lacks is returned if the records have it', async () => {
	const body = JSON.stringify({ fields: { fid1000007: { name: 'Status', attr_must: false } } });
	const when = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('&def');
	testbed.inject({ kind: 'body', body, when, times: Infinity });
	const json = await fieldsOf([fields.reference], { fieldKeys: 'id' });
	expect(json).toEqual([{ ...always, [fields.reference]: 'REF-9' }]);
});

it.each(['Article', lines.fields.article, subtable])(
	"rows are not selected while 'Subtables' is off: %s",
	async (only) => {
		for (const fieldKeys of ['id', 'name']) {
			const result = await readOrder([`Reference, ${only}`], { fieldKeys, subtables: false });
			testbed.expectErrors(result, `The option 'Subtables' is off, so '${subtable}'`);
		}
	},
);

it("comments are returned with Only Fields while 'Subtables' is off", async () => {
	testbed.order(9).comments.push({ id: 1, author: '', text: 'Hi', attachment: '', at: 1000 });
	const json = await fieldsOf(['Reference'], { comment: true, subtables: false });
	const _subtable_61 = [expect.objectContaining({ 66: 'Hi' })];
	expect(json).toEqual([{ ...always, Reference: 'REF-9', _subtable_61 }]);
});

it('an unknown name is accepted on a sheet whose names are not available', async () => {
	Object.assign(testbed.service.switches, { schema: 'code106', definition: 'html' });
	const list = { operation: 'getAll', sheet: sheet(empty), options: { onlyFields: 'Name' } };
	const { error, items } = await testbed.run(list);
	expect([error, items]).toEqual([undefined, []]);
});
