import type { INodeParameters } from 'n8n-workflow';

import { orders, recipes } from '../../service';
import { recordId, recordsOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const update = { operation: 'update', sheet: sheet(orders) };
const record = (id: number) => testbed.service.data.record(orders, id);

it('changes only the given fields, of each item its own record', async () => {
	const before = record(12).text(fields.status);
	const values = mapped({ [fields.remark]: '={{ $json.remark }}' });
	const result = await testbed.run(
		{ ...update, recordId: recordId('={{ $json.id }}'), ...values },
		[
			{ id: 12, remark: 'one' },
			{ id: '300', remark: 'two' },
		],
	);
	expect(recordsOf(result)).toEqual([
		[12, { item: 0 }],
		[300, { item: 1 }],
	]);
	expect(result.items[0]?.json).toMatchObject({ [fields.remark]: 'one', [fields.status]: before });
	expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual([
		['POST', '/acme/sales/orders/1/12?api', { [fields.remark]: 'one' }],
		['POST', '/acme/sales/orders/1/300?api', { [fields.remark]: 'two' }],
	]);
	expect(record(12).text(fields.remark)).toBe('one');
	expect(record(12).text(fields.status)).toBe(before);
});

it('reaches record 0, and sheets whose folders must be encoded', async () => {
	const ofRecipes = { sheet: sheet(recipes), recordId: recordId('={{ 0 }}') };
	const result = await testbed.run({ ...update, ...ofRecipes, ...asJson({ Portionen: 9 }) });
	expect(recordsOf(result)).toEqual([[0, { item: 0 }]]);
	expect(testbed.writes[0]?.rawUrl).toBe('/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/0?api');
	expect(testbed.service.data.record(recipes, 0).text(recipes.fields.servings)).toBe('9');
});

describe('empty values', () => {
	const values = { Remark: '', Reference: null, Tags: [] };
	const ofFourteen = { ...update, recordId: recordId(14), ...autoMapped() };

	it('leave the fields as they are', async () => {
		const before = Object.fromEntries(record(14).values);
		const options = { doWorkflow: false };
		await testbed.run({ ...ofFourteen, options }, [{ ...values, Express: 'Yes' }]);
		const after = Object.fromEntries(record(14).values);
		expect(after).toEqual({ ...before, [fields.express]: 'Yes' });
	});

	it('clear the fields with Clear Empty, selections too', async () => {
		record(14).set(fields.tags, ['Gift', 'Bulk']).set(fields.remark, 'full');
		await testbed.run({ ...ofFourteen, options: { clearEmpty: true } }, [values]);
		const cleared = [fields.tags, fields.remark, fields.reference].map((id) => record(14).text(id));
		expect(cleared).toEqual(['', '', '']);
	});
});

it.each<[INodeParameters, string]>([
	[{}, 'api'],
	[{ checkLock: true, doValidation: true }, 'api&doValidation=true&checkLock=true'],
	[{ doWorkflow: false, version: '2025-01-01' }, 'api&doWorkflow=false&version=2025-01-01'],
])('%j are sent as %s', async (options, query) => {
	const change = { recordId: recordId(12), ...asJson({ [fields.remark]: 'x' }), options };
	await testbed.run({ ...update, ...change });
	expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([`/acme/sales/orders/1/12?${query}`]);
});
