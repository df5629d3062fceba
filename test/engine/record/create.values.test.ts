import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { errorsOf, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';
import { schemaFor } from './editorSchema';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { [fields.customerNumber]: 'C-0001' };
const bodies = () => testbed.writes.map(({ body }) => body);
const stored = (fieldId: string, ...ids: number[]) =>
	ids.map((id) => testbed.service.data.record(orders, id).value(fieldId));

describe('empty values', () => {
	const values = { Remark: '', Reference: null, Tags: [], Express: false, 'Internal Margin': 0 };
	const full = { ...required, [fields.express]: false, [fields.internalMargin]: 0 };
	const cleared = { [fields.remark]: '', [fields.reference]: '', [fields.tags]: '' };

	it.each<[string, INodeParameters, object]>([
		['are left out; zero and false are none', {}, full],
		['are sent as empty texts with Clear Empty', { clearEmpty: true }, { ...full, ...cleared }],
		['are left out when the option was added and turned off again', { clearEmpty: false }, full],
	])('%s', async (_, options, expected) => {
		const item = { ...required, ...values };
		const result = await testbed.run({ ...create, ...autoMapped(), options }, [item]);
		expect(result.status).toBe('success');
		expect(bodies()).toEqual([expected]);
	});
});

it('multiple selections are written as arrays of texts', async () => {
	const selections = [['Gift', 'Repeat, large'], ['Bulk'], 'Export', [1, 2]];
	const items = selections.map((Tags): IDataObject => ({ ...required, Tags }));
	await testbed.run({ ...create, ...autoMapped() }, items);
	expect(stored(fields.tags, 301, 302, 303, 304)).toEqual([
		['Gift', 'Repeat, large'],
		['Bulk'],
		['Export'],
		['1', '2'],
	]);
	expect(bodies().at(-1)).toMatchObject({ [fields.tags]: ['1', '2'] });
});

describe('the mapper with the schema that the editor got', () => {
	const asAdmin = () => ({ credentials: testbed.credentials('admin') });

	/** What the editor keeps of the fields beside the values that were saved. */
	async function fromEditor(value: INodeParameters, operation = 'create') {
		return mapped(value, [], await schemaFor(testbed, { ...create, operation, ...mapped(value) }));
	}

	it('writes a value of each type', async () => {
		const others = {
			[fields.status]: 'Shipped',
			[fields.tags]: ['Gift', 'Bulk'],
			[fields.express]: 'Yes',
			[fields.remark]: 'By hand',
		};
		const values = await fromEditor({
			...{ ...required, ...others },
			[fields.orderDate]: '2026-03-02',
			[fields.deliveryTime]: '2026-03-02T10:20:30',
		});
		const more = { ...asAdmin(), timezone: 'America/Los_Angeles' };
		await testbed.run({ ...create, ...values }, [{}], more);
		const dates = {
			[fields.orderDate]: '2026/03/02',
			[fields.deliveryTime]: '2026/03/02 10:20:30',
		};
		expect(bodies()).toEqual([{ ...required, ...others, ...dates }]);
	});

	it('leaves out empty dates and choices of expressions, or clears them', async () => {
		const values = await fromEditor({
			...required,
			[fields.orderDate]: '={{ $json.date }}',
			[fields.status]: '={{ $json.status }}',
		});
		const options = { clearEmpty: '={{ $itemIndex === 1 }}' };
		const item = { date: '', status: null };
		await testbed.run({ ...create, ...values, options }, [item, item]);
		const cleared = { [fields.orderDate]: '', [fields.status]: '' };
		expect(bodies()).toEqual([required, { ...required, ...cleared }]);
	});

	it('does not ask an update for fields that only a new record must have', async () => {
		const values = await fromEditor({ [fields.remark]: 'Only this' }, 'update');
		await testbed.run({ ...create, operation: 'update', recordId: recordId(12), ...values });
		expect(stored(fields.remark, 12)).toEqual(['Only this']);
	});
});

it('numbers that are none are refused', async () => {
	const record = '={{ ({ Remark: [1 / 0, Number("x")][$itemIndex] }) }}';
	const result = await testbed.run({ ...create, ...asJson(record) }, [{}, {}], {
		onError: 'continueErrorOutput',
	});
	expect(errorsOf(result.errorItems)).toEqual(
		[0, 1].map((item) => [expect.stringContaining('Remark'), { item }]),
	);
	expect(testbed.writes).toEqual([]);
});
