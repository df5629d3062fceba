import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { autoMapped, asJson } from '../record/recordValues';
import { recordId, sheet, unname } from '../recordTestbed';
import { usePickListTestbed } from '../pickListTestbed';

/** A field without a name has the same placeholder everywhere, in each language of the account. */
const testbed = usePickListTestbed();
const { fields, subtables } = orders;
const { lines } = subtables;
const { amount } = lines.fields;
const linesKey = `_subtable_${lines.id}`;
const untitled = `Untitled (${fields.unnamed})`;
const word = '未命名';
const users: Array<{ identity: IdentityName; source: string }> = [
	{ identity: 'admin', source: 'schema' },
	{ identity: 'member', source: 'definition' },
];

beforeEach(() => {
	unname(testbed.service);
	unname(testbed.service, fields.remark);
	Object.assign(testbed.service.switches, { unnamedFields: 'untitled', untitledWord: word });
	testbed.order(5).set(fields.remark, 'first').set(fields.unnamed, 'second');
});

async function run(parameters: INodeParameters, identity: IdentityName, item = {}) {
	const allParameters = { sheet: sheet(orders), recordId: recordId(5), ...parameters };
	const result = await testbed.run(allParameters, [item], testbed.as(identity));
	expect(result.error).toBeUndefined();
	return result;
}

it.each(users)(
	'the output of a read has the names of the mapper, by the $source: two fields without a name are distinguished',
	async ({ identity }) => {
		const { json } = await run({ operation: 'get' }, identity);
		expect(json[0]).toMatchObject({
			[`Untitled (${fields.remark})`]: 'first',
			[untitled]: 'second',
		});
		expect(Object.keys(json[0] ?? {}).filter((key) => key.includes(word))).toEqual([]);
		const mapper = { kind: 'resourceMapping', name: 'getRecordFields', identity } as const;
		const mapped = Object(await testbed.ask({ ...mapper, parameters: { operation: 'update' } }));
		const ids = [mapped.fields].flat().map((field) => Object(field).id);
		expect(ids).toContain(`Untitled (${fields.remark})`);
		const choices = await testbed.ask({ name: 'getFields', identity });
		expect(choices).toContainEqual({ name: untitled, value: fields.unnamed });
	},
);

it.each(users)(
	'a read record is written back to fields without a name, by the $source',
	async ({ identity }) => {
		const { json } = await run({ operation: 'get' }, identity);
		const changed = { ...json[0], [untitled]: 'new second' };
		const written = await run({ operation: 'update', ...autoMapped() }, identity, changed);
		expect(written.json[0]).toMatchObject({ [untitled]: 'new second' });
		expect([testbed.order(5).text(fields.remark), testbed.order(5).text(fields.unnamed)]).toEqual([
			'first',
			'new second',
		]);
	},
);

it('the placeholder that a read of another client shows is accepted, too', async () => {
	const json = asJson({ [`${word}2`]: 'by its number' });
	await run({ operation: 'update', ...json }, 'member');
	expect(testbed.bodies).toEqual([{ [fields.unnamed]: 'by its number' }]);
});

it('a field without a name has the same name in messages', async () => {
	const conditions = [{ field: fields.unnamed, operator: 'eq', value: '={{ $json.none }}' }];
	const parameters = { operation: 'getAll', sheet: sheet(orders), filters: { conditions } };
	expect(await testbed.errorOf(parameters, [{}], testbed.as('admin'))).toContain(`'${untitled}'`);
});

it.each(['Untitled', word])('a field with the real name %s keeps its name', async (name) => {
	testbed.service.switches.untitledWord = 'Untitled';
	for (const field of testbed.orders.fields) {
		if (field.id === fields.remark) field.name = name;
		if (field.id === fields.unnamed) field.name = 'Other';
	}
	const { json } = await run({ operation: 'get' }, 'admin');
	expect(json[0]).toMatchObject({ [name]: 'first' });
	await run({ operation: 'update', ...autoMapped() }, 'admin', { ...json[0], [name]: 'changed' });
	expect(testbed.order(5).text(fields.remark)).toBe('changed');
});

it.each([
	{ name: '', keys: [`Untitled (${fields.total})`, `Untitled (${amount})`] },
	{ name: 'Quantity', keys: ['Quantity', 'Quantity2'] },
])('numbers of fields with the name $name are typed, by name and by ID', async ({ name, keys }) => {
	const ordersSheet = testbed.service.data.sheet(orders);
	const ofRows = ordersSheet.subtables[0]?.fields ?? [];
	for (const field of [...ordersSheet.fields, ...ofRows]) {
		if ([fields.total, amount].includes(field.id)) field.name = name;
	}
	const [ofTotal = '', ofAmount = ''] = keys;
	for (const options of [{ typedValues: true }, { numberFields: [fields.total, amount] }]) {
		const { json } = await run({ operation: 'get', options }, 'admin');
		const [row] = [json[0]?.[linesKey]].flat();
		expect([json[0]?.[ofTotal], Object(row)[ofAmount]]).toEqual([127.5, 127.5]);
		const rows = { resource: 'subtableRow', operation: 'getAll', subtableId: lines.id, options };
		expect((await run(rows, 'admin')).json[0]).toMatchObject({ [ofAmount]: 127.5 });
	}
	const options = { onlyFields: ofAmount, numberFields: ofAmount };
	const { json } = await run({ operation: 'get', options }, 'admin');
	expect(json[0]?.[linesKey]).toEqual([{ _rowId: 7, [ofAmount]: 127.5 }]);
});
