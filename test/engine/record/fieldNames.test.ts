import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { assign, byIds, mass, replace } from '../massOperation/massParameters';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const ofOrders = { sheet: sheet(orders) };
const five = { ...ofOrders, recordId: recordId(5) };

/** Fields whose names are numbers, ids of other fields, keys of others, or the names of others but for white space. */
const names = [
	...['1', '3', '43', '105', '2024', 'Remark ', ' Remark', 'Create Date'],
	...['Rate (2024)', `Total (${orders.fields.remark})`],
];
const idOf = (name: string) => String(1000200 + names.indexOf(name));

beforeEach(() => {
	const { fields, records } = testbed.service.data.sheet(orders);
	for (const name of names) fields.push({ id: idOf(name), name, type: 'text' });
	for (const record of records.values()) {
		for (const name of names) record.set(idOf(name), `value ${record.id}`);
		record.set(orders.fields.remark, `value ${record.id}`);
	}
});

/** What stands in the one request that the operation is about: the ids of the fields that it names. */
async function idsSent(parameters: INodeParameters, item: object = {}) {
	const { requests } = testbed.service;
	const result = await testbed.run(parameters, [{ json: { ...item } }], {
		credentials: testbed.credentials('admin'),
	});
	expect(result.error).toBeUndefined();
	const told = requests
		.all()
		.filter(({ method, rawUrl }) => method !== 'GET' || /&(where|order)=/.test(rawUrl))
		.map(({ rawUrl, body }) => `${rawUrl} ${JSON.stringify(body)}`)
		.join('\n');
	return [...new Set(told.match(/\b10002\d\d\b|\b(?:1000011|105)\b/g))];
}

const places: Array<[string, (name: string) => [INodeParameters, object?]]> = [
	[
		'a filter',
		(field) => [
			{
				...{ operation: 'getAll', ...ofOrders, returnAll: true },
				filters: { conditions: [{ field, operator: 'eq', value: 'value 5' }] },
			},
		],
	],
	[
		'a filter of a date',
		(field) => [
			{
				...{ operation: 'getAll', ...ofOrders, returnAll: true },
				filters: { conditions: [{ field, operator: 'eq', value: '2026-03-02' }] },
			},
		],
	],
	[
		'the order',
		(field) => [
			{
				...{ operation: 'getAll', ...ofOrders, returnAll: true },
				sort: { rule: { field, direction: 'ASC' } },
			},
		],
	],
	['a written record', (name) => [{ operation: 'update', ...five, ...asJson({ [name]: 'x' }) }]],
	['an item', (name) => [{ operation: 'update', ...five, ...autoMapped() }, { [name]: 'x' }]],
	[
		'a match key in JSON',
		(name) => [
			{
				...{ operation: 'upsert', ...ofOrders, ...asJson({ [name]: 'value 5' }) },
				matchFields: [name],
			},
		],
	],
	[
		'a match column',
		(name) => [{ operation: 'upsert', ...ofOrders, ...mapped({ [name]: 'value 5' }, [name]) }],
	],
	['a mass update', (name) => [mass('update', { ...byIds('5'), ...assign([name, 'x']) })]],
	[
		'a mass replacement',
		(name) => [mass('searchReplace', { ...byIds('5'), ...replace(name, 'value', 'x') })],
	],
];

describe.each(places)('in %s', (_, asking) => {
	it.each(names)('the field %j is found by its name', async (name) => {
		expect(await idsSent(...asking(name))).toEqual([idOf(name)]);
	});

	it.each(['43', 'Rate (2024)'])(
		'the field %j is found by the ID behind a name that it may have had once',
		async (name) => {
			expect(await idsSent(...asking(`${name} (${idOf(name)})`))).toEqual([idOf(name)]);
			testbed.service.requests.clear();
			expect(await idsSent(...asking(`Called so once (${idOf(name)})`))).toEqual([idOf(name)]);
		},
	);

	it('a name with a space too many is refused, with the names that are near', async () => {
		const [parameters, item = {}] = asking('Remark  ');
		const result = await testbed.run(parameters, [{ json: { ...item } }], {
			credentials: testbed.credentials('admin'),
		});
		expect(result.error?.message).toContain("'Remark  ' is not a field of the sheet");
		expect(result.error?.message).toContain("'Remark '");
		expect(testbed.writes).toEqual([]);
	});
});

it('a field that every sheet has is found by its ID where no field has that for a name', async () => {
	testbed.service.data.sheet(orders).fields.splice(-names.length);
	const result = await testbed.run({
		operation: 'getAll',
		...ofOrders,
		filters: { conditions: [{ field: '105', operator: 'gte', value: '2023-01-02' }] },
	});
	expect(result.error).toBeUndefined();
	expect(testbed.reads.at(-1)?.rawUrl).toContain('where=105,gte,2023%2F01%2F02%2000%3A00%3A00');
});
