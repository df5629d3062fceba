import type { INodeParameters } from 'n8n-workflow';

import { customers, orders, tasks, type IdentityName, type SeenRequest } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { mapped } from './record/recordValues';
import { sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;

interface Column {
	id: string;
	displayName: string;
	type: string;
	options?: Array<{ name: string; value: string }>;
	[key: string]: unknown;
}

async function columns(
	parameters: INodeParameters = {},
	identity: IdentityName = 'admin',
): Promise<Column[]> {
	const answer = await testbed.ask({
		kind: 'resourceMapping',
		name: 'getRecordFields',
		identity,
		parameters: { operation: 'create', ...parameters },
	});
	return Object(answer).fields;
}

async function column(name: string, parameters?: INodeParameters): Promise<Column> {
	const found = (await columns(parameters)).find(({ displayName }) => displayName === name);
	if (!found) throw new Error(`There is no column ${name}`);
	return found;
}

const choices = (values: string[]) => values.map((value) => ({ name: value, value }));

describe('a field of the mapper', () => {
	it('is stored by its name with the id behind it', async () => {
		const { id } = await column('Customer Number');
		expect(id).toBe(`Customer Number (${fields.customerNumber})`);
	});

	it.each([
		['its ID', fields.city],
		['its name', 'City'],
		['the name that it had once', `Town (${fields.city})`],
	])('keeps the key under which it was saved, or n8n would drop its value: %s', async (_, key) => {
		expect((await column('City', mapped({ [key]: 'Graz' }))).id).toBe(key);
		expect((await column('City', mapped({ [key]: null }))).id).toBe(key);
		expect((await column('City', mapped({}, [key]))).id).toBe(key);
	});

	it('is not offered when the sheet hides it', async () => {
		const city = { fieldId: fields.city, fieldName: 'City', type: 'text' };
		const margin = { fieldId: fields.internalMargin, fieldName: 'Internal Margin', type: 'text' };
		const body = JSON.stringify({ fields: [city, { ...margin, hidden: true }] });
		const when = ({ path }: SeenRequest) => path.includes('/metadata/schema');
		testbed.service.faults.inject({ kind: 'body', body, when });
		expect((await columns()).map(({ displayName }) => displayName)).toEqual(['City']);
	});

	it('stays when it is mapped, be it for files or hidden by now', async () => {
		const saved = mapped({ [fields.contract]: '', [fields.unnamed]: 'x' });
		const ids = (await columns(saved)).map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining([fields.contract, fields.unnamed]));
	});

	it('is shown as usual when the editor cannot tell what was saved', async () => {
		expect((await column('City', { fields: null })).id).toBe(`City (${fields.city})`);
	});
});

describe('to match on', () => {
	const ofCustomers = { sheet: sheet(customers) };
	const preselected = async (parameters: INodeParameters) =>
		(await columns(parameters)).filter(({ defaultMatch }) => defaultMatch).map(({ id }) => id);

	it("the sheet's key field is preselected", async () => {
		expect(await preselected({ ...ofCustomers, operation: 'upsert' })).toEqual([
			`Customer Number (${customers.fields.customerNumber})`,
		]);
		expect(await preselected({ ...ofCustomers, operation: 'update' })).toEqual([]);
	});

	it('fields that the service fills in can be chosen, and are shown when they are', async () => {
		const key = `Order Number (${fields.orderNumber})`;
		expect(await preselected({ operation: 'upsert' })).toEqual([key]);
		const total = await column('Total', { operation: 'upsert' });
		expect(total).toMatchObject({ canBeUsedToMatch: true, removed: true, required: false });
		const recordId = await column('Record ID', { operation: 'upsert' });
		expect(recordId).toMatchObject({ id: '_recordId', canBeUsedToMatch: true, removed: true });
		const byId = { operation: 'upsert', ...mapped({}, ['_recordId']) };
		expect(await column('Record ID', byId)).not.toHaveProperty('removed');
		const saved = { operation: 'upsert', ...mapped({}, [total.id]) };
		expect(await column('Total', saved)).not.toHaveProperty('removed');
		const created = await columns({ operation: 'create' });
		expect(created.map(({ displayName }) => displayName)).not.toContain('Total');
	});
});

describe('choices', () => {
	it('are those of the schema', async () => {
		testbed.service.switches.schemaChoices = true;
		const { type, options } = await column('Status');
		expect([type, options]).toEqual([
			'options',
			choices(['Open', 'Confirmed', 'Shipped', 'Cancelled']),
		]);
		expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME']);
	});

	it('are what the newest records hold where the schema tells none, read once', async () => {
		for (const record of testbed.service.data.sheet(orders).records.values()) {
			record.set(fields.status, record.id % 2 ? 'Open' : 'Lost');
		}
		expect(await column('Status')).toMatchObject({
			type: 'options',
			options: choices(['Lost', 'Open']),
		});
		expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME', 'EID']);
		await columns();
		const ofChoices = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('order='));
		expect(ofChoices).toHaveLength(1);
		expect(ofChoices[0]?.rawUrl).toMatch(/order=105%2CDESC.*subtables=0/);
	});

	it('are not needed to map the field', async () => {
		testbed.service.faults.inject({
			kind: 'status',
			status: 500,
			times: Infinity,
			when: ({ rawUrl }) => rawUrl.includes('naming=EID'),
		});
		expect((await column('Status')).type).toBe('string');
	});

	it('hold what was saved, which n8n would refuse else', async () => {
		testbed.service.switches.schemaChoices = true;
		const { options } = await column('Status', mapped({ [fields.status]: 'Lost' }));
		expect(options?.at(-1)).toEqual({ name: 'Lost', value: 'Lost' });
		const expression = await column('Status', mapped({ [fields.status]: '={{ 1 }}' }));
		expect(expression.options).toHaveLength(4);
	});

	it('of a multiple selection are known, and a text with commas can be typed', async () => {
		testbed.service.switches.schemaChoices = true;
		// The label shows how, since n8n has no list of several choices.
		const { type, options } = await column('Tags (e.g. Fragile, Gift)');
		expect(type).toBe('string');
		expect(options).toEqual(choices(['Fragile', 'Gift', 'Export', 'Repeat, large', 'Bulk']));
	});
});

describe('without the schema', () => {
	it('few texts that many records hold are choices, files are left out, and it is said so', async () => {
		const listed = await columns({}, 'member');
		const named = (name: string) => listed.find(({ displayName }) => displayName === name);
		expect(named('Status')).toMatchObject({
			...{ type: 'options', options: choices(['Cancelled', 'Confirmed', 'Open', 'Shipped']) },
		});
		for (const name of ['Customer Name', 'City', 'Tags', 'Remark', 'Order Date'])
			expect([name, named(name)?.type]).toEqual([name, 'string']);
		expect(named('Contract')).toBeUndefined();
		expect(listed.every(({ isTyped }) => isTyped === false)).toBe(true);
		expect(testbed.asked).toEqual(['schema', 'definition', 'EID', 'FNAME', 'EID']);
		expect((await columns()).every(({ isTyped }) => isTyped === true)).toBe(true);
	});
});

describe('a checkbox', () => {
	const yesOrNo = choices(['Yes', 'No']);
	const untouched = '(leave as it is)';

	it.each(['create', 'update', 'upsert'])(
		'is a list that begins with what writes nothing: %s',
		async (operation) => {
			const { type, defaultValue, options } = await column('Express', { operation });
			expect([type, defaultValue]).toEqual(['options', untouched]);
			expect(options).toEqual([...choices([untouched]), ...yesOrNo]);
		},
	);

	it('is Yes or No where a new record needs one', async () => {
		const express = { fieldId: fields.express, fieldName: 'Express', type: 'checkbox' };
		const body = JSON.stringify({ fields: [{ ...express, required: true }] });
		const when = ({ path }: SeenRequest) => path.includes('/metadata/schema');
		testbed.service.faults.inject({ kind: 'body', body, when });
		const found = await column('Express');
		expect(found.options).toEqual(yesOrNo);
		expect(found).not.toHaveProperty('defaultValue');
	});

	it.each<[value: string | boolean | null, ...others: object[]]>([
		['Yes'],
		['={{ $json.express }}'],
		[''],
		[null],
		['true', { name: 'true', value: 'true' }],
		[true, { name: 'true', value: true }],
	])('offers the saved value %j, which n8n would refuse else', async (value, ...others) => {
		const { options } = await column('Express', mapped({ [fields.express]: value }));
		expect(options?.slice(3)).toEqual(others);
	});

	it('leaves a number beside it a number, and what is none a text', async () => {
		const ofCustomers = { sheet: sheet(customers) };
		const type = async (value: string) =>
			(await column('Credit Limit', { ...ofCustomers, ...mapped({ 'Credit Limit': value }) })).type;
		expect([await type('12.5'), await type('={{ 1 }}'), await type('1,000')]).toEqual([
			...['number', 'number', 'string'],
		]);
	});

	it('is one on any sheet', async () => {
		expect((await column('Done', { sheet: sheet(tasks) })).type).toBe('options');
	});
});
