import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, tasks } from '../../service';
import { onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const upsert = onOrders('upsert');
/** Parameters of an upsert of each item, matched on the reference. */
const byReference = { ...upsert, ...asJson('={{ $json }}'), matchFields: ['Reference'] };
const record = (id: number) => testbed.order(id);

/** Returns the values of `where=` in all look-ups, unchanged. */
const lookUps = () =>
	testbed.reads.flatMap(({ rawUrl }) => {
		const conditions = rawUrl.match(/(?<=where=)[^&]*/g);
		return conditions ? [[...conditions]] : [];
	});

it('an upsert updates a record if one matches, and creates it otherwise', async () => {
	record(12).set(fields.reference, 'KEY-1');
	const result = await testbed.runById(byReference, [
		{ Reference: 'KEY-1', Remark: 'changed' },
		{ Reference: 'KEY-2', Remark: 'new', 'Customer Number': 'C-0002' },
	]);
	expect(result.outcomes).toEqual(['12 updated #0', '301 created #1']);
	expect(testbed.writeUrls).toEqual(['/acme/sales/orders/1/12?api', '/acme/sales/orders/1?api']);
	expect(record(12).text(fields.remark)).toBe('changed');
	expect(record(301).text(fields.reference)).toBe('KEY-2');
});

it('a rejected creation says that no record matches, because a user who expects an update may have mistyped the key', async () => {
	record(12).set(fields.reference, 'KEY-1');
	const result = await testbed.run(byReference, [{ Reference: 'KEY-1 ', Remark: 'changed' }]);
	expect(result.error?.message).toContain('"Customer Number" (1000002) must not be empty');
	expect(result.error?.description).toContain(
		" No record matches 'KEY-1 ' in 'Reference', so the item was to create one.",
	);
	const update = [{ Reference: 'KEY-1', 'Customer Number': '', City: 'Ulm' }];
	const ofUpdate = await testbed.run({ ...byReference, options: { clearEmpty: true } }, update);
	expect(ofUpdate.error?.message).toContain('must not be empty');
	expect(ofUpdate.error?.description).not.toContain('No record matches');
});

describe('the match fields', () => {
	beforeEach(() => {
		record(12).set(fields.reference, 'KEY-1').set(fields.city, 'Oslo');
		record(13).set(fields.reference, 'KEY-1').set(fields.city, 'Bern');
	});

	it('the match fields are the matching columns of the mapper, filled manually or automatically', async () => {
		const columns = [fields.reference, fields.city];
		const key = { [fields.reference]: 'KEY-1', [fields.city]: '={{ $json.City }}' };
		const value = { ...key, [fields.remark]: 'mapped' };
		await testbed.runById({ ...upsert, ...mapped(value, columns) }, [{ City: 'Bern' }]);
		await testbed.runById({ ...upsert, ...autoMapped(columns) }, [
			{ _recordId: 1, Reference: 'KEY-1', City: 'Oslo', Remark: 'auto' },
		]);
		expect([12, 13].map((id) => record(id).text(fields.remark))).toEqual(['auto', 'mapped']);
	});

	it.each<[string, string[]]>([
		['none is chosen', []],
		['one is unknown', ['Referenz']],
		['one is ambiguous', ['Note']],
	])('match fields are rejected before anything is written when %s', async (_, matchFields) => {
		const item = { Reference: 'KEY-1', [fields.note]: 'x' };
		const result = await testbed.runById({ ...byReference, matchFields }, [item]);
		expect(result.status).toBe('error');
		expect([testbed.writes, lookUps()]).toEqual([[], []]);
	});

	it.each<INodeParameters>([{}, { clearEmpty: true }])(
		'match fields need a value, with %j',
		async (options) => {
			const Remark = 'x';
			const items = [{ Remark }, { Remark, Reference: '' }, { Remark, Reference: null }];
			const allItems = [...items, { Remark, Reference: [] }, { Remark, Reference: ' \u00a0' }];
			const result = await testbed.runAllById({ ...byReference, options }, allItems);
			testbed.expectErrors(result, 'has no value in this item', allItems.length);
			expect([testbed.writes, lookUps()]).toEqual([[], []]);
		},
	);
});

it('match values may be zero, or dates, which are looked up in the format of the service', async () => {
	const { assignee, dueDate } = tasks.fields;
	testbed.service.data.record(tasks, 5).set(assignee, '0').set(dueDate, '2031/05/06');
	for (const [field, value, sent] of [
		['Assignee', 0, `${assignee},eq,0`],
		['Due Date', '2031-05-06', `${dueDate},eq,2031%2F05%2F06`],
	] as const) {
		const values = { ...asJson({ [field]: value, Title: 'x' }), matchFields: [field] };
		const parameters = { ...upsert, sheet: sheet(tasks), ...values };
		const result = await testbed.runById(parameters, [{}], testbed.as('admin'));
		expect(result.outcomes).toEqual(['5 updated #0']);
		expect(lookUps().at(-1)).toEqual([sent]);
	}
});

const options = { checkLock: true, notification: false, doFormula: true };

it('options are sent with the write, without Check Lock for a creation', async () => {
	record(12).set(fields.reference, 'KEY-1');
	await testbed.runById({ ...byReference, options }, [
		{ Reference: 'KEY-1', Remark: 'x' },
		{ Reference: 'KEY-2', 'Customer Number': 'C-0001' },
	]);
	expect(testbed.writeUrls).toEqual([
		'/acme/sales/orders/1/12?api&doFormula=true&notification=false&checkLock=true',
		'/acme/sales/orders/1?api&doFormula=true&notification=false',
	]);
});

describe('the record ID as the match field', () => {
	const items = [
		{ _recordId: '', Remark: 'new', 'Customer Number': 'C-0001' },
		{ _recordId: 7, Remark: 'changed' },
		{ _recordId: 9_999, Remark: 'nowhere' },
		{ _recordId: 'seven', Remark: 'no id' },
		{ Remark: 'new, too', 'Customer Number': 'C-0001' },
	];
	const columns = ['_recordId', 'Remark', 'Customer Number'];
	const byHand = Object.fromEntries(columns.map((name) => [name, `={{ $json["${name}"] }}`]));

	it.each([
		['the item', autoMapped(['_recordId'])],
		['the mapper', mapped(byHand, ['_recordId'])],
		['JSON', { ...asJson('={{ $json }}'), matchFields: ['_recordId'] }],
	])('the record ID to match on comes from %s, without a look-up', async (_, input) => {
		const result = await testbed.runAllById({ ...upsert, ...input }, items);
		expect(result.outcomes).toEqual(['301 created #0', '7 updated #1', '302 created #4']);
		testbed.expectErrors(result, {
			2: /no record|not found/i,
			3: "'seven' in '_recordId' is not a record ID",
		});
		expect([7, 301].map((id) => record(id).text(fields.remark))).toEqual(['changed', 'new']);
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
	});

	it('a match on the record ID follows the mode, skips unchanged records, and rejects further match fields', async () => {
		record(7).set(fields.remark, 'held');
		const made = { Remark: 'x', 'Customer Number': 'C-0001' };
		const two = [{ _recordId: 7, Remark: 'held' }, made];
		const byId = { ...upsert, ...autoMapped(['_recordId']) };
		const actionsWith = async (options: INodeParameters, inputItems: IDataObject[] = two) =>
			(await testbed.runById({ ...byId, options }, inputItems)).actions;
		const updates = await actionsWith({ skipUnchanged: true, upsertMode: 'updateOnly' });
		expect(updates).toEqual(['unchanged', 'skipped']);
		expect(await actionsWith({ upsertMode: 'createOnly' })).toEqual(['skipped', 'created']);
		const planned = await actionsWith({ dryRun: true }, items.slice(0, 2));
		expect(planned).toEqual(['wouldCreate', 'wouldUpdate']);
		const both = { ...upsert, ...autoMapped(['_recordId', 'Remark']) };
		expect(await testbed.errorOf(both, two)).toContain('together with other fields');
	});
});
