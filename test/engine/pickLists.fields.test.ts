import { idInKey } from '../../nodes/api/sheet/fields';
import { empty, orders, salaries, type DiscoverySwitch } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { mapped } from './record/recordValues';
import { sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;
/** Keys under which the mapper stores the fields. */
const keys = {
	customerNumber: `Customer Number (${fields.customerNumber})`,
	orderDate: `Order Date (${fields.orderDate})`,
	orderNumber: `Order Number (${fields.orderNumber})`,
	reference: `Reference (${fields.reference})`,
	tags: `Tags (${fields.tags})`,
};

/** Names of the fields of the orders in reads. Two are called Note. */
const labels = [
	...['City', 'Contract', 'Customer Name', 'Customer Number', 'Delivery Time', 'Description'],
	...['Express', 'Internal Margin', 'Note', 'Note2', 'Old Code', 'Order Date', 'Order Number'],
	...['Reference', 'Remark', 'Shipping Label', 'Status', 'Tags', 'Total', 'Workflow Stamp'],
];
const readings = ['EID', 'FNAME'];

function namesOf(options: unknown): unknown[] {
	return [options].flat().map((option) => Object(option).name);
}

const refused = ['code106', 'http404', 'html'] as const;

/**
 * Returns the requests to a source that rejects them. Code 106 is repeated, because the service sometimes mistakes a valid key
 * for a guest's.
 */
function refusedAs(answer: DiscoverySwitch, source: string): string[] {
	return answer === 'code106' ? [source, source] : [source];
}

describe('the fields of a sheet', () => {
	it('come from the schema for an administrator, by name and without those of rows', async () => {
		const options = await testbed.ask({ name: 'getFields', identity: 'admin' });
		expect(namesOf(options)).toEqual(labels);
		expect(options).toContainEqual({ name: 'Reference', value: fields.reference });
		expect(options).toContainEqual({ name: 'Note2', value: fields.secondNote });
		expect(testbed.asked).toEqual(['schema', ...readings]);
	});

	it.each(refused)('come from the definition when the schema answers %s', async (answer) => {
		testbed.service.switches.schema = answer;
		const options = await testbed.ask({ name: 'getFields', identity: 'admin' });
		expect(namesOf(options)).toEqual(labels);
		expect(testbed.asked).toEqual([...refusedAs(answer, 'schema'), 'definition', ...readings]);
	});

	it.each(refused)(
		'come from two reads of records when schema and definition answer %s',
		async (answer) => {
			Object.assign(testbed.service.switches, { schema: answer, definition: answer });
			const options = await testbed.ask({ name: 'getFields', identity: 'admin' });
			expect(namesOf(options)).toEqual(labels);
			expect(options).toContainEqual({ name: 'Note2', value: fields.secondNote });
			expect(options).toContainEqual({ name: 'Reference', value: fields.reference });
			expect(options).toContainEqual({ name: 'Old Code', value: fields.unnamed });
			const expectedRequests = ['schema', 'definition'].flatMap((source) =>
				refusedAs(answer, source),
			);
			expect(testbed.asked).toEqual([...expectedRequests, ...readings]);
		},
	);

	it('are replaced by an explanation when no source lists them', async () => {
		testbed.service.switches.schema = 'code106';
		testbed.service.switches.definition = 'html';
		const parameters = { sheet: sheet(empty) };
		const options = await testbed.ask({ name: 'getFields', parameters });
		expect(options).toEqual([
			{ name: expect.stringMatching(/does not list.*field id/i), value: '' },
		]);
	});
});

const systemFields = Object.entries({
	...{ 105: 'Create Date', 106: 'Entry Manager', 108: 'Create User', 109: 'Last Update Date' },
	...{ 110: 'Notify User', 111: 'If Locked', 112: 'If Starred' },
}).map(([value, name]) => ({ name: `— ${name} (System)`, value }));

it('the fields for filters select a system field by its name if a field is named like its ID', async () => {
	for (const field of testbed.service.data.sheet(orders).fields) {
		if (field.id === fields.remark) field.name = '105';
	}
	const options = await testbed.ask({ name: 'getFilterFields', identity: 'admin' });
	const [createDate, ...others] = systemFields;
	expect(options).toContainEqual({ name: `105 (${fields.remark})`, value: fields.remark });
	expect([options].flat().slice(-systemFields.length)).toEqual([
		{ ...createDate, value: 'Create Date' },
		...others,
	]);
});

it('the fields for filters include those that every sheet has', async () => {
	const options = await testbed.ask({ name: 'getFilterFields' });
	expect(namesOf(options)).toEqual([...labels, ...systemFields.map(({ name }) => name)]);
	expect(options).toEqual(expect.arrayContaining(systemFields));
});

describe('the writable fields', () => {
	const question = {
		kind: 'resourceMapping',
		name: 'getRecordFields',
		parameters: { operation: 'create' },
	} as const;

	it('have types for an administrator, and can be matched on unless the service fills them in', async () => {
		const { fields: mapped, ...rest } = Object(
			await testbed.ask({ ...question, identity: 'admin' }),
		);
		// The notice for an empty list is missing.
		expect(rest).toEqual({});
		for (const field of [
			{ id: keys.customerNumber, required: true, type: 'string' },
			{ id: keys.orderDate, displayName: 'Order Date', type: 'dateTime' },
			{ id: keys.tags, type: 'string', canBeUsedToMatch: false },
			{ id: keys.reference, canBeUsedToMatch: true },
		]) {
			expect(mapped).toContainEqual(expect.objectContaining(field));
		}
		// Fields that are not writable are missing: computed, read-only, file and hidden fields, and those of rows.
		const ids = [mapped].flat().map((field) => idInKey(String(Object(field).id)));
		expect(ids).toHaveLength(15);
		const { total, shippingLabel, workflowStamp, contract, unnamed } = fields;
		for (const id of [total, shippingLabel, workflowStamp, contract, unnamed, '3000001'])
			expect(ids).not.toContain(id);
	});

	it('are replaced by an explanation when no source lists them', async () => {
		testbed.service.switches.schema = 'code106';
		testbed.service.switches.definition = 'code106';
		const parameters = { operation: 'create', sheet: sheet(empty) };
		expect(await testbed.ask({ ...question, parameters })).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(
				/returns no field.*If the credential's user may write.*JSON.*field IDs/,
			),
		});
	});
});

it('cached fields are never shown to another user or for another sheet', async () => {
	const parameters = { sheet: sheet(salaries) };
	expect(namesOf(await testbed.ask({ name: 'getFields', identity: 'admin' }))).toEqual(labels);
	testbed.service.requests.clear();
	const visible = await testbed.ask({ name: 'getFields', identity: 'admin', parameters });
	expect(namesOf(visible)).toEqual(['Person', 'Salary']);
	const hidden = await testbed.ask({ name: 'getFields', identity: 'member', parameters });
	expect(JSON.stringify(hidden)).not.toMatch(/Salary|Person/);
	expect(testbed.reads.map(({ identity }) => identity)).toEqual([
		'admin',
		...testbed.reads.slice(1).map(() => 'member'),
	]);
	expect(testbed.reads.length).toBeGreaterThan(1);

	const again = await testbed.ask({ name: 'getFields', identity: 'admin', parameters });
	expect(namesOf(again)).toEqual(['Person', 'Salary']);
});

describe.each([
	['loadOptions', 'getFields'],
	['loadOptions', 'getFilterFields'],
	['resourceMapping', 'getRecordFields'],
] as const)('%s %s', (kind, name) => {
	it('asks to choose the sheet first, without an error, and sends nothing', async () => {
		for (const value of ['', null]) {
			const parameters = { sheet: { __rl: true, mode: 'path', value } };
			const visible = JSON.stringify(await testbed.ask({ kind, name, parameters }));
			expect(visible).toMatch(/Choose the sheet first/i);
		}
		const wrong = { __rl: true, mode: 'path', value: 'sales/orders' };
		const parameters = {
			operation: 'create',
			sheet: wrong,
			...mapped({}, [], [{ id: 'City (1000004)' }]),
		};
		expect(await testbed.refusalOf({ kind, name, parameters })).toMatch(/sheet/i);
		expect(testbed.service.requests.count).toBe(0);
	});
});

it('a mapper whose sheet is an expression without data advises to run the nodes before', async () => {
	// The editor sends null in place of an expression that it cannot evaluate.
	const parameters = { sheet: { __rl: true, mode: 'path', value: null } };
	const question = { kind: 'resourceMapping', name: 'getRecordFields', parameters } as const;
	expect(await testbed.ask(question)).toMatchObject({
		emptyFieldsNotice: expect.stringContaining('an expression, run the nodes before'),
	});
});
