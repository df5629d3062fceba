import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { assign, byIds, mass, replace } from '../massOperation/massParameters';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { loadOptionsOf } from '../runner';
import { onLines } from '../subtableRow/rowTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const { fields } = orders;
const update = { operation: 'update', sheet: sheet(orders), recordId: recordId(5) };
const value = (fieldId: string) => testbed.service.data.record(orders, 5).value(fieldId);

async function run(parameters: INodeParameters, item: object = {}) {
	const credentials = testbed.credentials('admin');
	return await testbed.run(parameters, [{ json: { ...item } }], { credentials });
}

/** The mapper as the editor keeps it, with the schema that it got for these values. */
async function fromEditor(values: INodeParameters): Promise<INodeParameters> {
	const answer = await loadOptionsOf({
		node: 'sheetRecords',
		parameters: { resource: 'record', ...update, ...mapped(values) },
		credentials: testbed.credentials('admin'),
		method: { kind: 'resourceMapping', name: 'getRecordFields' },
	});
	return mapped(values, [], JSON.parse(JSON.stringify(answer)).fields);
}

describe('what is no date', () => {
	const wrong = ['tomorrow', '31.01.2026', '2026-02-30', '2026/13/01', 20260131, true];

	it.each(wrong)('is refused where the type is known, and nothing is sent: %j', async (date) => {
		const given = '={{ $json.date }}';
		const inputs: INodeParameters[] = [
			asJson({ 'Order Date': date }),
			autoMapped(),
			await fromEditor({ [fields.orderDate]: given }),
		];
		for (const input of inputs) {
			const item = input === inputs[1] ? { 'Order Date': date } : { date };
			const result = await run({ ...update, ...input }, item);
			expect(result.error?.message).toMatch(new RegExp(`^'${String(date)}' for '.*' is no date$`));
			expect(result.error?.description).toContain('2026-01-31');
		}
		expect(testbed.writes).toEqual([]);
	});

	it.each(['Order Date', fields.orderDate])('is refused in a mass update of %s', async (field) => {
		for (const date of ['soon', '31.01.2026']) {
			const result = await run(mass('update', { ...byIds('5'), ...assign([field, date]) }));
			expect(result.error?.message).toBe(`'${date}' for '${field}' is no date`);
		}
		expect(testbed.writes).toEqual([]);
	});

	it.each([
		'2026-01-31',
		'2026/01/31',
		'2026-01-31T10:00:00Z',
		'={{ $now }}',
		'={{ new Date() }}',
		'={{ "" }}',
	])('is not %j', async (date) => {
		const result = await run({
			...update,
			...(await fromEditor({ [fields.orderDate]: date })),
			options: { clearEmpty: true },
		});
		expect(result.error).toBeUndefined();
		expect(testbed.writes).toHaveLength(1);
	});

	it('is the business of the service where the type is not known', async () => {
		const result = await testbed.run({ ...update, ...asJson({ 'Order Date': 'tomorrow' }) });
		expect(result.error).toBeUndefined();
		expect(value(fields.orderDate)).toBe('tomorrow');
	});

	it('goes back where it was read', async () => {
		const record = testbed.service.data.record(orders, 5).set(fields.orderDate, '2026/01');
		const result = await run(
			{ ...update, ...autoMapped() },
			{
				_recordId: 5,
				'Order Date': '2026/01',
				City: 'Graz',
			},
		);
		expect(result.error).toBeUndefined();
		expect(record.text(fields.orderDate)).toBe('2026/01');
	});
});

describe('a multiple selection', () => {
	beforeEach(() => {
		testbed.service.switches.schemaChoices = true;
	});

	it.each([
		['Fragile, Gift', ['Fragile', 'Gift']],
		['Gift,Repeat, large', ['Gift', 'Repeat, large']],
		['Repeat, large', ['Repeat, large']],
		['["Repeat, large", "Gift"]', ['Repeat, large', 'Gift']],
		['={{ ["Gift", "Bulk"] }}', ['Gift', 'Bulk']],
		['Bulk', ['Bulk']],
	])('takes a list, or a text with commas: %s', async (given, stored) => {
		const result = await run({ ...update, ...(await fromEditor({ [fields.tags]: given })) });
		expect(result.error).toBeUndefined();
		expect([value(fields.tags)].flat()).toEqual(stored);
	});

	it('takes a text with commas of an item, by name or ID, as the choices are known', async () => {
		for (const key of ['Tags', fields.tags]) {
			testbed.service.data.record(orders, 5).set(fields.tags, []);
			await run({ ...update, ...autoMapped() }, { [key]: 'Gift, Bulk' });
			expect(value(fields.tags)).toEqual(['Gift', 'Bulk']);
		}
	});

	it('goes back as it was read, be it a text', async () => {
		const item = { _recordId: 5, Tags: 'Old, tag', City: 'Graz' };
		await run({ ...update, ...autoMapped() }, item);
		expect(testbed.writes[0]?.body).toMatchObject({ [fields.tags]: 'Old, tag' });
	});

	it('is what JSON says: a text is one choice', async () => {
		await run({ ...update, ...asJson({ Tags: 'Repeat, large', Remark: 'a, b' }) });
		expect(testbed.writes[0]?.body).toEqual({
			[fields.tags]: 'Repeat, large',
			[fields.remark]: 'a, b',
		});
	});

	it('is set for many records by a text with commas, or by a choice from the list', async () => {
		const picked = { __rl: true, mode: 'list', value: 'Repeat, large' };
		for (const [given, stored] of [
			['Gift, Bulk', ['Gift', 'Bulk']],
			[picked, ['Repeat, large']],
			[{ ...picked, mode: 'text', value: '={{ ["Gift"] }}' }, ['Gift']],
		] as const) {
			const assignments = { assignment: [{ field: 'Tags', value: given }] };
			const result = await run(mass('update', { ...byIds('5'), assignments }));
			expect(result.error).toBeUndefined();
			expect([value(fields.tags)].flat()).toEqual(stored);
		}
	});
});

describe('a text that yields no choice', () => {
	beforeEach(() => testbed.service.data.record(orders, 5).set(fields.tags, ['Gift']));

	it.each([',', ' , ', '[]'])('empties a selection only when that is wanted: %j', async (given) => {
		await run({ ...update, ...autoMapped() }, { Tags: given, City: 'Graz' });
		expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.city]: 'Graz' }]);
		expect(value(fields.tags)).toEqual(['Gift']);
		await run({ ...update, ...autoMapped(), options: { clearEmpty: true } }, { Tags: given });
		expect(value(fields.tags)).toEqual([]);
	});

	it.each([',', '[]'])('is no value of a mass update: %j', async (given) => {
		for (const field of ['Tags', fields.tags]) {
			const result = await run(mass('update', { ...byIds('5'), ...assign([field, given]) }));
			expect(result.error?.message).toContain(`The assignment of '${field}' has no value`);
		}
		expect(testbed.writes).toEqual([]);
		for (const empty of ['', '={{ [] }}'])
			await run(mass('update', { ...byIds('5'), ...assign(['Tags', empty]) }));
		expect(testbed.writes).toHaveLength(2);
		expect(value(fields.tags)).toEqual([]);
	});
});

describe('a checkbox', () => {
	it.each([
		[true, 'Yes'],
		[false, 'No'],
		['={{ true }}', 'Yes'],
		['Yes', 'Yes'],
	])('given as %j in the mapper is sent as %j', async (given, sent) => {
		await run({ ...update, ...(await fromEditor({ [fields.express]: given })) });
		expect(testbed.writes[0]?.body).toEqual({ [fields.express]: sent });
	});

	it.each(['Express', fields.express])('is sent so wherever it is called %s', async (field) => {
		await run({ ...update, ...asJson({ [field]: true, [fields.remark]: 'x' }) });
		await run({ ...update, ...autoMapped() }, { [field]: false });
		await run(mass('update', { ...byIds('5'), ...assign([field, '={{ true }}']) }));
		await run(
			mass('searchReplace', {
				...byIds('5'),
				...replace(field, '={{ true }}', '={{ false }}'),
			}),
		);
		const id = Number(fields.express);
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ [fields.express]: 'Yes', [fields.remark]: 'x' },
			{ [fields.express]: 'No' },
			{ action: [{ field: id, value: 'Yes' }] },
			{ action: [{ field: id, valueReplaced: 'Yes', valueNew: 'No' }] },
		]);
	});

	it.each(['Express', fields.express])('is asked for so by a condition on %s', async (field) => {
		const filters = { conditions: [{ field, operator: 'eq', value: '={{ true }}' }] };
		const asked = { operation: 'getAll', sheet: sheet(orders), returnAll: true, filters };
		const result = await run(asked);
		expect(result.items.length).toBeGreaterThan(0);
		const lists = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='));
		expect(lists.map(({ rawUrl }) => /where=([^&]*)/.exec(rawUrl)?.[1])).toEqual([
			`${fields.express},eq,Yes`,
		]);
	});
});

it('finds records by a choice from the list as by a text, which is what workflows have saved', async () => {
	const bySaved = async (given: INodeParameters[string]) => {
		const filters = { conditions: [{ field: 'Status', operator: 'eq', value: given }] };
		const parameters = { operation: 'getAll', sheet: sheet(orders), returnAll: true, filters };
		const { items, error } = await run(parameters);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json._recordId);
	};
	const found = await bySaved('Open');
	expect(found.length).toBeGreaterThan(0);
	expect(
		await bySaved({ __rl: true, mode: 'list', value: 'Open', cachedResultName: 'Open' }),
	).toEqual(found);
	expect(await bySaved({ __rl: true, mode: 'text', value: '={{ "Open" }}' })).toEqual(found);
});

it('adds a row by the keys of the mapper, a number as such', async () => {
	const key = `Quantity (${orders.subtables.lines.fields.quantity})`;
	const schema = [{ id: key, displayName: 'Quantity', type: 'number' }];
	const result = await run(onLines('add', mapped({ [key]: 3 }, [], schema)), { order: 5 });
	expect(result.error).toBeUndefined();
	expect(testbed.writes).toHaveLength(1);
});
