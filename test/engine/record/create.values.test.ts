import type { INodeParameters } from 'n8n-workflow';

import { customers, orders } from '../../service';
import { loadOptionsOf } from '../runner';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { [fields.customerNumber]: 'C-0001' };

describe('empty values', () => {
	const values = { Remark: '', Reference: null, Tags: [], Express: false, 'Internal Margin': 0 };

	it('are left out; zero and false are none', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [{ ...required, ...values }]);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual({
			...required,
			[fields.express]: false,
			[fields.internalMargin]: 0,
		});
	});

	it('are sent as empty texts with Clear Empty', async () => {
		const result = await testbed.run(
			{ ...create, ...autoMapped(), options: { clearEmpty: true } },
			[{ ...required, ...values }],
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual({
			...required,
			[fields.remark]: '',
			[fields.reference]: '',
			[fields.tags]: '',
			[fields.express]: false,
			[fields.internalMargin]: 0,
		});
	});

	it('are left out when the option was added and turned off again', async () => {
		await testbed.run({ ...create, ...autoMapped(), options: { clearEmpty: false } }, [
			{ ...required, Remark: '' },
		]);
		expect(testbed.writes[0]?.body).toEqual(required);
	});
});

describe('multiple selections', () => {
	it('are written as arrays of texts', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{ ...required, Tags: ['Gift', 'Repeat, large'] },
			{ ...required, Tags: ['Bulk'] },
			{ ...required, Tags: 'Export' },
		]);
		expect(result.status).toBe('success');
		const tags = [301, 302, 303].map((id) =>
			testbed.service.data.record(orders, id).value(fields.tags),
		);
		expect(tags).toEqual([['Gift', 'Repeat, large'], ['Bulk'], ['Export']]);
	});

	it('take numbers as texts', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{ ...required, Tags: [1, 2] },
		]);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toMatchObject({ [fields.tags]: ['1', '2'] });
	});
});

describe('texts', () => {
	it.each([
		['a comma and a percent sign', '50%25 off, 100%'],
		['quotes and markup', 'He said "no" & <b>left</b>'],
		['line breaks', 'one\ntwo\r\nthree'],
		['emoji and other scripts', '🎉 küche 冷やし中華'],
		['spaces at the ends', '  padded  '],
		['what looks like a formula', '={{ 1 + 1 }}'],
	])('keep %s', async (_, text) => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{ ...required, Remark: text },
		]);
		expect(result.status).toBe('success');
		expect(testbed.service.data.record(orders, 301).text(fields.remark)).toBe(text);
	});
});

describe('the mapper with the schema that the editor got', () => {
	/** What the editor keeps of the fields that `getRecordFields` names beside the values that were saved. */
	async function editorSchema(value: INodeParameters, operation = 'create') {
		const answer = await loadOptionsOf({
			node: 'sheetRecords',
			parameters: { resource: 'record', ...create, operation, ...mapped(value) },
			credentials: testbed.credentials('admin'),
			method: { kind: 'resourceMapping', name: 'getRecordFields' },
		});
		return JSON.parse(JSON.stringify(answer)).fields;
	}

	it('writes a value of each type', async () => {
		const value = {
			...required,
			[fields.orderDate]: '2026-03-02',
			[fields.deliveryTime]: '2026-03-02T10:20:30',
			[fields.status]: 'Shipped',
			[fields.tags]: ['Gift', 'Bulk'],
			[fields.express]: 'Yes',
			[fields.remark]: 'By hand',
		};
		const result = await testbed.run(
			{ ...create, ...mapped(value, [], await editorSchema(value)) },
			[{}],
			{ credentials: testbed.credentials('admin'), timezone: 'America/Los_Angeles' },
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toMatchObject({
			...required,
			[fields.orderDate]: '2026/03/02',
			[fields.deliveryTime]: '2026/03/02 10:20:30',
			[fields.status]: 'Shipped',
			[fields.tags]: ['Gift', 'Bulk'],
			[fields.express]: 'Yes',
			[fields.remark]: 'By hand',
		});
	});

	it('writes a selection that was typed as the text of a JSON array, or as one choice', async () => {
		for (const typed of ['["Gift", "Repeat, large"]', '={{ $json.tags }}']) {
			const value = { ...required, [fields.tags]: typed };
			const result = await testbed.run(
				{ ...create, ...mapped(value, [], await editorSchema(value)) },
				[{ tags: 'Bulk' }],
			);
			expect(result.status).toBe('success');
		}
		const tags = [301, 302].map((id) => testbed.service.data.record(orders, id).value(fields.tags));
		expect(tags).toEqual([['Gift', 'Repeat, large'], ['Bulk']]);
	});

	it.each([
		['leaves out', {}, {}],
		['clears', { clearEmpty: true }, { [fields.orderDate]: '', [fields.status]: '' }],
	])('%s empty dates and choices of expressions', async (_, options, expected) => {
		const value = {
			...required,
			[fields.orderDate]: '={{ $json.date }}',
			[fields.status]: '={{ $json.status }}',
		};
		const result = await testbed.run(
			{ ...create, ...mapped(value, [], await editorSchema(value)), options },
			[{ date: '', status: null }],
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual({ ...required, ...expected });
	});

	it('refuses an object for a text in place of writing its JSON', async () => {
		const value = { ...required, [fields.remark]: '={{ $json.remark }}' };
		const result = await testbed.run(
			{ ...create, ...mapped(value, [], await editorSchema(value)) },
			[{ remark: { deep: true } }],
		);
		expect(result.status).toBe('error');
		expect(testbed.writes).toEqual([]);
	});

	it('does not ask an update for fields that only a new record must have', async () => {
		const value = { [fields.remark]: 'Only this' };
		const result = await testbed.run({
			operation: 'update',
			sheet: sheet(orders),
			recordId: { __rl: true, mode: 'id', value: '12' },
			...mapped(value, [], await editorSchema(value, 'update')),
		});
		expect(result.status).toBe('success');
		expect(testbed.service.data.record(orders, 12).text(fields.remark)).toBe('Only this');
	});
});

describe('numbers', () => {
	it('are written with their own digits', async () => {
		const result = await testbed.run(
			{ operation: 'create', sheet: sheet(customers), ...autoMapped() },
			[
				{ 'Customer Number': 'C-0901', Name: 'a', 'Credit Limit': 0 },
				{ 'Customer Number': 'C-0902', Name: 'b', 'Credit Limit': -12.5 },
				{ 'Customer Number': 'C-0903', Name: 'c', 'Credit Limit': '12345678901234567890' },
			],
		);
		expect(result.status).toBe('success');
		const limits = [301, 302, 303].map((id) =>
			testbed.service.data.record(customers, id).text(customers.fields.creditLimit),
		);
		expect(limits).toEqual(['0', '-12.5', '12345678901234567890']);
	});

	it.each(['={{ ({ Remark: 1 / 0 }) }}', '={{ ({ Remark: Number("x") }) }}'])(
		'that are none are refused: %s',
		async (recordJson) => {
			const result = await testbed.run({ ...create, ...asJson(recordJson) });
			expect(result.status).toBe('error');
			expect(result.error?.message).toContain('Remark');
			expect(testbed.writes).toEqual([]);
		},
	);
});
