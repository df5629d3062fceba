import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { assign, byIds, mass, replace } from '../massOperation/massParameters';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const update = onOrder('update', 5);

/** Names that are numbers, IDs of other fields, keys of other fields, or names of other fields with additional white space. */
const names = [
	...['1', '3', '43', '105', '2024', 'Remark ', ' Remark', 'Create Date'],
	...['Rate (2024)', `Total (${orders.fields.remark})`],
];
const idOf = (name: string) => String(1000200 + names.indexOf(name));

beforeEach(() => {
	const { fields, records } = testbed.orders;
	for (const name of names) fields.push({ id: idOf(name), name, type: 'text' });
	for (const record of records.values()) {
		for (const name of names) record.set(idOf(name), `value ${record.id}`);
		record.set(orders.fields.remark, `value ${record.id}`);
	}
});

async function run(parameters: INodeParameters, item: IDataObject = {}) {
	return await testbed.runById(parameters, [item], testbed.as('admin'));
}

/** Returns the field IDs in the main request of an operation. */
async function idsSent(parameters: INodeParameters, item?: IDataObject) {
	testbed.service.requests.clear();
	expect((await run(parameters, item)).error).toBeUndefined();
	const sentText = testbed.service.requests
		.all()
		.filter(({ method, rawUrl }) => method !== 'GET' || /&(where|order)=/.test(rawUrl))
		.map(({ rawUrl, body }) => `${rawUrl} ${JSON.stringify(body)}`)
		.join('\n');
	return [...new Set(sentText.match(/\b10002\d\d\b|\b(?:1000011|105)\b/g))];
}

const list = { ...onOrders('getAll'), returnAll: true };
const filter = (field: string, value: string) => ({
	...list,
	filters: { conditions: [{ field, operator: 'eq', value }] },
});
const upsert = onOrders('upsert');
const byId = byIds('5');

type Asking = (name: string) => [INodeParameters, IDataObject?];
const aFilter: Asking = (field) => [filter(field, 'value 5')];
const aDateFilter: Asking = (field) => [filter(field, '2026-03-02')];
const aWrittenRecord: Asking = (name) => [{ ...update, ...asJson({ [name]: 'x' }) }];

const places: Array<[string, Asking]> = [
	['a filter', aFilter],
	['a filter of a date', aDateFilter],
	['the order', (field) => [{ ...list, options: { sort: { rule: { field, direction: 'ASC' } } } }]],
	['a written record', aWrittenRecord],
	['an item', (name) => [{ ...update, ...autoMapped() }, { [name]: 'x' }]],
	['a key', (name) => [{ ...upsert, ...asJson({ [name]: 'value 5' }), matchFields: [name] }]],
	['a match column', (name) => [{ ...upsert, ...mapped({ [name]: 'value 5' }, [name]) }]],
	['a mass update', (name) => [mass('update', { ...byId, ...assign([name, 'x']) })]],
	['a replacement', (name) => [mass('searchReplace', { ...byId, ...replace(name, 'value', 'x') })]],
];

it.each(names)('the field %j is found by its name', async (name) => {
	for (const asking of [aFilter, aDateFilter, aWrittenRecord]) {
		expect(await idsSent(...asking(name))).toEqual([idOf(name)]);
	}
});

describe.each(places)('in %s', (_, asking) => {
	it('a field is found by its name, even followed by the ID of another field', async () => {
		for (const name of ['43', 'Remark '])
			expect(await idsSent(...asking(name))).toEqual([idOf(name)]);
		const id = idOf('Rate (2024)');
		expect(await idsSent(...asking(`Rate (2024) (${id})`))).toEqual([id]);
		expect(await idsSent(...asking(`Called so once (${id})`))).toEqual([id]);
	});

	it('a name with an additional space is rejected with similar names', async () => {
		const { error } = await run(...asking('Remark  '));
		expect(error?.message).toMatch(
			/'Remark {2}'(?: in '.+')? is not a field of the sheet.*'Remark '/s,
		);
		expect(testbed.writes).toEqual([]);
	});
});

it('a field that every sheet has is found by its ID if no field has this name', async () => {
	testbed.orders.fields.splice(-names.length);
	const conditions = [{ field: '105', operator: 'gte', value: '2023-01-02' }];
	// Run as a user without cached fields.
	const result = await testbed.run({ ...list, filters: { conditions } });
	expect(result.error).toBeUndefined();
	expect(testbed.reads.at(-1)?.rawUrl).toContain('where=105,gte,2023%2F01%2F02%2000%3A00%3A00');
});
