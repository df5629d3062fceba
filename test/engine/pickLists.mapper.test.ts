import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, type IdentityName } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { mapped } from './record/recordValues';
import { sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const ofLines = { resource: 'subtableRow', subtableId: orders.subtables.lines.id };

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

/** Returns the columns that the editor keeps when it loads them again, which it does after each execution. */
function loadedAgain(kept: Column[], loaded: Column[]): Column[] {
	const removed = new Map(kept.map((each) => [each.id, each.removed]));
	return loaded.map((each) => ({
		...each,
		removed: removed.get(each.id) ?? each.removed ?? false,
	}));
}

it.each([
	{ name: 'getRecordFields', parameters: { operation: 'create' } },
	{ name: 'getRowFields', parameters: { ...ofLines, operation: 'add' } },
])(
	'an empty mapper shows why the service gives no fields, and a filled one keeps its fields: $name',
	async ({ name, parameters }) => {
		const question = { kind: 'resourceMapping', name } as const;
		const { apiKey } = testbed.service.identities.admin;
		const overrides = { apiKey, account: 'a<b>c' };
		const failing = { ...question, credentials: testbed.credentials('admin', overrides) };
		expect(await testbed.ask({ ...failing, parameters })).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(
				/^Invalid account name: a&lt;b>c\. .*Correct 'Account' in the credential/,
			),
		});
		const stored = { ...parameters, ...mapped({}, [], [{ id: 'City (1000004)' }]) };
		expect(await testbed.refusalOf({ ...failing, parameters: stored })).toContain(
			'Invalid account name: a<b>c',
		);
		expect(await testbed.ask({ ...question, parameters })).not.toHaveProperty('emptyFieldsNotice');
	},
);

it.each([
	{ name: 'getRecordFields', parameters: { operation: 'create' }, label: 'City' },
	{ name: 'getRowFields', parameters: { ...ofLines, operation: 'add' }, label: 'Quantity' },
])(
	'fields can be mapped although the records cannot be read, also those of checkboxes: $name',
	async ({ name, parameters, label }) => {
		for (const list of [testbed.orders.fields, testbed.orders.subtable(lines.id)?.fields ?? []]) {
			list.push({ id: `10000${list.length}`, name: 'Paid', type: 'checkbox' });
		}
		const isList = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('naming=');
		testbed.inject({ kind: 'status', status: 500, when: isList, times: Infinity });
		for (const identity of ['admin', 'member'] as const) {
			const answer = await testbed.ask({ kind: 'resourceMapping', name, identity, parameters });
			const offered: Column[] = Object(answer).fields;
			const names = offered.map(({ displayName }) => displayName);
			expect(names).toEqual(expect.arrayContaining([label, 'Paid']));
		}
	},
);

const choices = (values: string[]) => values.map((value) => ({ name: value, value }));
const choicesInUse = (values: string[]) =>
	choices(values).map((choice) => ({ ...choice, description: 'In use in the newest records' }));

it.each([
	{ name: 'getRecordFields', parameters: { operation: 'create' } },
	{ name: 'getRecordFields', parameters: { operation: 'update' } },
	{ name: 'getRecordFields', parameters: { operation: 'upsert' } },
	{ name: 'getRowFields', parameters: { ...ofLines, operation: 'add' } },
	{ name: 'getRowFields', parameters: { ...ofLines, operation: 'update' } },
])(
	'$parameters.operation by $name is unchanged after an execution, so n8n does not run it again with the next step',
	async ({ name, parameters }) => {
		const question = { kind: 'resourceMapping', name, identity: 'admin', parameters } as const;
		const kept: Column[] = Object(await testbed.ask(question)).fields;
		const loaded: Column[] = Object(await testbed.ask(question)).fields;
		expect(kept.length).toBeGreaterThan(2);
		expect(loadedAgain(kept, loaded)).toEqual(kept);
	},
);

it.each([
	['getRecordFields', 'create', true],
	['getRecordFields', 'update', false],
	['getRecordFields', 'upsert', false],
	['getRowFields', 'add', true],
	['getRowFields', 'update', false],
])('%s: a required field must have a value for %s: %s', async (name, operation, isRequired) => {
	const row = testbed.orders
		.subtable(lines.id)
		?.fields.find(({ id }) => id === lines.fields.article);
	if (row) row.required = true;
	const parameters = { ...(name === 'getRowFields' ? ofLines : {}), operation };
	const answer = await testbed.ask({
		kind: 'resourceMapping',
		name,
		identity: 'admin',
		parameters,
	});
	const found: Column[] = Object(answer).fields;
	expect(found.some((column) => column.required === true)).toBe(isRequired);
});

describe('a field of the mapper', () => {
	it.each([
		['its ID', fields.city],
		['its name', 'City'],
		['the name that it had once', `Town (${fields.city})`],
	])(
		'a field of the mapper keeps its saved key, because n8n would drop its value otherwise: %s',
		async (_, key) => {
			expect((await column('City', mapped({ [key]: 'Graz' }))).id).toBe(key);
			expect((await column('City', mapped({ [key]: null }))).id).toBe(key);
			expect((await column('City', mapped({}, [key]))).id).toBe(key);
			const besideAnother = mapped({ [fields.reference]: 'x' }, [key]);
			expect((await column('City', besideAnother)).id).toBe(key);
		},
	);

	it('a mapped field stays in the mapper even if it is for files or hidden now', async () => {
		const saved = mapped({ [fields.contract]: '', [fields.unnamed]: 'x' });
		const ids = (await columns(saved)).map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining([fields.contract, fields.unnamed]));
	});
});

describe('fields to match on', () => {
	const ofCustomers = { sheet: sheet(customers) };
	const preselected = async (parameters: INodeParameters) =>
		(await columns(parameters)).filter(({ defaultMatch }) => defaultMatch).map(({ id }) => id);

	it("the sheet's key field is preselected, unless the service fills it in", async () => {
		expect(await preselected({ ...ofCustomers, operation: 'upsert' })).toEqual([
			`Customer Number (${customers.fields.customerNumber})`,
		]);
		expect(await preselected({ ...ofCustomers, operation: 'update' })).toEqual([]);
		expect(await preselected({ operation: 'upsert' })).toEqual([]);
	});

	it('fields that the service fills in can be chosen, and are shown if they are chosen', async () => {
		const key = await column('Order Number', { operation: 'upsert' });
		expect(key).toMatchObject({ canBeUsedToMatch: true, defaultMatch: false });
		const total = await column('Total', { operation: 'upsert' });
		expect(total).toMatchObject({ canBeUsedToMatch: true, removed: true, required: false });
		const recordId = await column('Record ID', { operation: 'upsert' });
		expect(recordId).toMatchObject({ id: '_recordId', canBeUsedToMatch: true, removed: true });
		const byId = { operation: 'upsert', ...mapped({}, ['_recordId']) };
		expect(await column('Record ID', byId)).toHaveProperty('removed', false);
		const saved = { operation: 'upsert', ...mapped({}, [total.id]) };
		expect(await column('Total', saved)).toHaveProperty('removed', false);
		const created = await columns({ operation: 'create' });
		expect(created.map(({ displayName }) => displayName)).not.toContain('Total');
	});
});

describe('choices', () => {
	it('the choices of a field are those of the schema', async () => {
		testbed.service.switches.schemaChoices = true;
		const { type, options } = await column('Status');
		expect([type, options]).toEqual([
			'options',
			choices(['Open', 'Confirmed', 'Shipped', 'Cancelled']),
		]);
		// The last request is for the newest records, which show the words of checkboxes.
		expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME', 'EID']);
	});

	it('the choices of a field are the values of the newest records if the schema has none', async () => {
		for (const record of testbed.orders.records.values()) {
			record.set(fields.status, record.id % 2 ? 'Open' : 'Lost');
		}
		expect(await column('Status')).toMatchObject({
			type: 'options',
			options: choicesInUse(['Lost', 'Open']),
		});
		expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME', 'EID']);
		expect(testbed.reads.at(-1)?.rawUrl).toContain('order=105%2CDESC');
	});

	it('the choices of a field include the saved value, which n8n would reject otherwise', async () => {
		testbed.service.switches.schemaChoices = true;
		const { options } = await column('Status', mapped({ [fields.status]: 'Lost' }));
		expect(options?.at(-1)).toEqual({ name: 'Lost', value: 'Lost' });
		const expression = await column('Status', mapped({ [fields.status]: '={{ 1 }}' }));
		expect(expression.options).toHaveLength(4);
	});

	it('the choices of a multiple selection are shown in its label, and a text with commas can be entered', async () => {
		testbed.service.switches.schemaChoices = true;
		// The label shows examples, because n8n has no input for a multiple selection.
		const { type, options } = await column('Tags (e.g. Fragile, Gift)');
		expect(type).toBe('string');
		expect(options).toEqual(choices(['Fragile', 'Gift', 'Export', 'Repeat, large', 'Bulk']));
	});
});

it('without the schema, short texts in many records are choices, except in file fields, and a notice says so', async () => {
	const listed = await columns({}, 'member');
	const named = (name: string) => listed.find(({ displayName }) => displayName === name);
	expect(named('Status')).toMatchObject({
		...{ type: 'options', options: choicesInUse(['Cancelled', 'Confirmed', 'Open', 'Shipped']) },
	});
	for (const name of ['Customer Name', 'City', 'Tags', 'Remark', 'Order Date'])
		expect([name, named(name)?.type]).toEqual([name, 'string']);
	expect(named('Contract')).toBeUndefined();
	expect(listed.every(({ isTyped }) => isTyped === false)).toBe(true);
	expect(testbed.asked).toEqual(['schema', 'schema', 'definition', 'EID', 'FNAME', 'EID']);
	expect((await columns()).every(({ isTyped }) => isTyped === true)).toBe(true);
	const types = testbed.orders.fields.map(({ id, name, type }) => ({
		fieldId: id,
		fieldName: name,
		type,
	}));
	const fields = types.map((field, index) => (index === 3 ? { ...field, type: undefined } : field));
	testbed.service.faults.inject({
		...{ kind: 'body', body: JSON.stringify({ fields }), times: Infinity },
		when: ({ path }) => path.endsWith('/schema'),
	});
	expect((await columns()).every(({ isTyped }) => isTyped === true)).toBe(true);
});

it.each<{ identity: IdentityName; isTyped: boolean }>([
	{ identity: 'admin', isTyped: true },
	{ identity: 'member', isTyped: false },
])(
	'the first entry contains whether the types are known to $identity, for the notice: $isTyped',
	async (row) => {
		for (const operation of ['create', 'update', 'upsert']) {
			const [first] = await columns({ operation }, row.identity);
			expect(first?.isTyped).toBe(row.isTyped);
		}
	},
);

describe('a checkbox', () => {
	const yesOrNo = choices(['Yes', 'No']);
	const untouched = '(leave unchanged)';

	it('a checkbox has its two values for a new record', async () => {
		const { type, defaultValue, options } = await column('Express', { operation: 'create' });
		expect([type, defaultValue, options]).toEqual(['options', undefined, yesOrNo]);
	});

	it('a checkbox is offered in the words of the account', async () => {
		for (const record of testbed.service.data.sheet(orders).records.values()) {
			record.set(fields.express, 'TRUE');
		}
		const { options } = await column('Express', { operation: 'create' });
		expect(options).toEqual(choices(['TRUE', 'FALSE']));
	});

	it.each(['update', 'upsert'])(
		'a checkbox is left unchanged by an update unless a value is chosen: %s',
		async (operation) => {
			const { type, defaultValue, options } = await column('Express', { operation });
			expect([type, defaultValue]).toEqual(['options', untouched]);
			expect(options).toEqual([...choices([untouched]), ...yesOrNo]);
		},
	);

	it.each<[value: string | boolean | null, ...rest: object[]]>([
		['Yes'],
		['={{ $json.express }}'],
		[''],
		[null],
		['true', { name: 'true', value: 'true' }],
		[true, { name: 'true', value: true }],
	])(
		'a checkbox has the saved value %j as a choice, which n8n would reject otherwise',
		async (value, ...rest) => {
			const { options } = await column('Express', mapped({ [fields.express]: value }));
			expect(options?.slice(2)).toEqual(rest);
		},
	);
});
