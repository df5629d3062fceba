import { idInKey } from '../../nodes/wire/fields';
import { empty, orders, salaries } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { sheet } from './recordTestbed';
import { packageName, packageTypes } from './runner';

const testbed = usePickListTestbed();
const { fields } = orders;
/** The keys under which the mapper stores the fields. */
const keys = {
	customerNumber: `Customer Number (${fields.customerNumber})`,
	orderDate: `Order Date (${fields.orderDate})`,
	reference: `Reference (${fields.reference})`,
	tags: `Tags (${fields.tags})`,
};

/** The names by which people know the orders' fields; two are called Note, one has no name. */
const labels = [
	'1000019',
	'City',
	'Contract',
	'Customer Name',
	'Customer Number',
	'Delivery Time',
	'Description',
	'Express',
	'Internal Margin',
	'Note (1000012)',
	'Note (1000013)',
	'Order Date',
	'Order Number',
	'Reference',
	'Remark',
	'Shipping Label',
	'Status',
	'Tags',
	'Total',
	'Workflow Stamp',
];

/** By readings, the service's own names for those that have none of their own. */
const labelsOfReadings = labels
	.map((label) => label.replace('1000019', '1').replace(' (1000012)', ''))
	.map((label) => label.replace('Note (1000013)', 'Note2'));

function namesOf(options: unknown): unknown[] {
	return [options].flat().map((option) => Object(option).name);
}

const refused = ['code106', 'http404', 'html'] as const;

describe('the fields of a sheet', () => {
	it('come from the schema for an administrator, by name and without those of rows', async () => {
		const options = await testbed.ask({ name: 'getFields', identity: 'admin' });
		expect(namesOf(options)).toEqual(labels);
		expect(options).toContainEqual({ name: 'Reference', value: fields.reference });
		expect(options).toContainEqual({ name: 'Note (1000013)', value: fields.secondNote });
		expect(testbed.asked).toEqual(['schema']);
	});

	it('come behind a choice of none where a field is optional', async () => {
		const { properties } = (await packageTypes()).getByNameAndVersion(
			`${packageName}.sheetRecords`,
		).description;
		const optional = properties.find(({ name }) => name === 'fileNameFieldId');
		const name = String(optional?.typeOptions?.loadOptionsMethod);
		const options = await testbed.ask({ name, identity: 'admin' });
		expect(options).toContainEqual({ name: '[None]', value: optional?.default });
		expect(namesOf(options)).toEqual(['[None]', ...labels]);
	});

	it('come from the definition for everyone else, who is refused the schema', async () => {
		const options = await testbed.ask({ name: 'getFields' });
		expect(namesOf(options)).toEqual(labels);
		expect(testbed.asked).toEqual(['schema', 'definition']);
	});

	it.each(refused)('come from the definition when the schema answers %s', async (answer) => {
		testbed.service.switches.schema = answer;
		const options = await testbed.ask({ name: 'getFields', identity: 'admin' });
		expect(namesOf(options)).toEqual(labels);
		expect(testbed.asked).toEqual(['schema', 'definition']);
	});

	it.each(['admin', 'member'] as const)(
		'come from two readings for %s when schema and definition are closed',
		async (identity) => {
			for (const answer of refused) {
				await testbed.stop();
				await testbed.start();
				testbed.service.switches.schema = answer;
				testbed.service.switches.definition = answer;
				const options = await testbed.ask({ name: 'getFields', identity });
				expect(namesOf(options)).toEqual(labelsOfReadings);
				expect(options).toContainEqual({ name: 'Note2', value: fields.secondNote });
				expect(options).toContainEqual({ name: 'Reference', value: fields.reference });
				expect(options).toContainEqual({ name: '1', value: fields.unnamed });
				expect(testbed.asked).toEqual(['schema', 'definition', 'EID', 'FNAME']);
			}
		},
	);

	it('are explained when no source tells them', async () => {
		testbed.service.switches.schema = 'code106';
		testbed.service.switches.definition = 'html';
		const parameters = { sheet: sheet(empty) };
		const options = await testbed.ask({ name: 'getFields', parameters });
		expect(options).toEqual([
			{ name: expect.stringMatching(/does not list.*field id/i), value: '' },
		]);
	});
});

describe('the fields for filters', () => {
	const systemFields = [
		{ name: 'Create Date (System)', value: '105' },
		{ name: 'Entry Manager (System)', value: '106' },
		{ name: 'Create User (System)', value: '108' },
		{ name: 'Last Update Date (System)', value: '109' },
		{ name: 'Notify User (System)', value: '110' },
		{ name: 'If Locked (System)', value: '111' },
		{ name: 'If Starred (System)', value: '112' },
	];

	it.each(['admin', 'member'] as const)(
		'are those of the sheet and of every sheet, for %s',
		async (identity) => {
			const options = await testbed.ask({ name: 'getFilterFields', identity });
			expect(namesOf(options)).toEqual([...labels, ...systemFields.map(({ name }) => name)]);
			expect(options).toEqual(expect.arrayContaining(systemFields));
		},
	);

	it('are still those of every sheet when no source tells the others', async () => {
		testbed.service.switches.schema = 'http404';
		testbed.service.switches.definition = 'http404';
		const parameters = { sheet: sheet(empty) };
		const options = await testbed.ask({ name: 'getFilterFields', parameters });
		expect(options).toEqual([expect.objectContaining({ value: '' }), ...systemFields]);
	});
});

describe('the fields to write', () => {
	const question = {
		kind: 'resourceMapping',
		name: 'getRecordFields',
		parameters: { operation: 'create' },
	} as const;

	it('have the types that an administrator may know', async () => {
		const { fields: mapped } = Object(await testbed.ask({ ...question, identity: 'admin' }));
		expect(mapped).toContainEqual(
			expect.objectContaining({ id: keys.customerNumber, required: true, type: 'string' }),
		);
		expect(mapped).toContainEqual(
			expect.objectContaining({
				id: keys.orderDate,
				displayName: 'Order Date',
				type: 'dateTime',
			}),
		);
		expect(mapped).toContainEqual(
			expect.objectContaining({ id: keys.tags, type: 'string', canBeUsedToMatch: false }),
		);
	});

	it('are no match columns when the service fills them in or they hold files', async () => {
		const { fields: mapped } = Object(await testbed.ask({ ...question, identity: 'admin' }));
		const matching = [mapped].flat().filter((field) => Object(field).canBeUsedToMatch === true);
		const ids = matching.map((field) => idInKey(String(Object(field).id)));
		expect(ids).toContain(fields.reference);
		for (const id of [fields.orderNumber, fields.contract, fields.tags])
			expect(ids).not.toContain(id);
	});

	it('come without the notice that there are none', async () => {
		expect(await testbed.ask(question)).not.toHaveProperty('emptyFieldsNotice');
	});

	it('leave out what nobody writes values into: computed, read-only, files, hidden, without a name, rows', async () => {
		const { fields: mapped } = Object(await testbed.ask({ ...question, identity: 'admin' }));
		const ids = [mapped].flat().map((field) => idInKey(String(Object(field).id)));
		expect(ids).toHaveLength(15);
		const { total, shippingLabel, workflowStamp, contract, unnamed } = fields;
		for (const id of [total, shippingLabel, workflowStamp, contract, unnamed, '3000001'])
			expect(ids).not.toContain(id);
	});

	it('are texts for those who may not know the types', async () => {
		const { fields: mapped } = Object(await testbed.ask(question));
		expect(mapped).toContainEqual(
			expect.objectContaining({ id: keys.orderDate, displayName: 'Order Date', type: 'string' }),
		);
		expect(mapped).toContainEqual(
			expect.objectContaining({ id: keys.customerNumber, required: true }),
		);
		expect(JSON.stringify(mapped)).not.toContain(fields.workflowStamp);
	});

	it('come from readings at last', async () => {
		testbed.service.switches.schema = 'code106';
		testbed.service.switches.definition = 'code106';
		const { fields: mapped } = Object(await testbed.ask(question));
		expect(mapped).toContainEqual(
			expect.objectContaining({ id: keys.reference, displayName: 'Reference', required: false }),
		);
	});

	it('are explained when no source tells them', async () => {
		testbed.service.switches.schema = 'code106';
		testbed.service.switches.definition = 'code106';
		const parameters = { operation: 'create', sheet: sheet(empty) };
		expect(await testbed.ask({ ...question, parameters })).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(/does not tell.*JSON.*field IDs/),
		});
	});
});

describe('what was learnt', () => {
	it('is kept for a while, for the same user and sheet', async () => {
		await testbed.ask({ name: 'getFields', identity: 'admin' });
		await testbed.ask({ name: 'getFilterFields', identity: 'admin' });
		await testbed.ask({ kind: 'resourceMapping', name: 'getRecordFields', identity: 'admin' });
		expect(testbed.asked).toEqual(['schema', 'EID']);
	});

	it('by one user is never shown to another', async () => {
		const parameters = { sheet: sheet(salaries) };
		const shown = await testbed.ask({ name: 'getFields', identity: 'admin', parameters });
		expect(namesOf(shown)).toEqual(['Person', 'Salary']);
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

	it('of one sheet is not shown for another', async () => {
		await testbed.ask({ name: 'getFields', identity: 'admin' });
		const parameters = { sheet: sheet(salaries) };
		const options = await testbed.ask({ name: 'getFields', identity: 'admin', parameters });
		expect(namesOf(options)).toEqual(['Person', 'Salary']);
	});

	it('is not kept when it failed', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 401 });
		expect(await testbed.refusalOf({ name: 'getFields', identity: 'admin' })).toMatch(/credential/);
		expect(namesOf(await testbed.ask({ name: 'getFields', identity: 'admin' }))).toEqual(labels);
	});
});

describe.each([
	['loadOptions', 'getFields'],
	['loadOptions', 'getFilterFields'],
	['resourceMapping', 'getRecordFields'],
] as const)('%s %s', (kind, name) => {
	it('asks to choose the sheet first, which is no error, and sends nothing', async () => {
		for (const value of ['', null]) {
			const parameters = { sheet: { __rl: true, mode: 'path', value } };
			const shown = JSON.stringify(await testbed.ask({ kind, name, parameters }));
			expect(shown).toMatch(/Choose the sheet first/i);
		}
		const parameters = { sheet: { __rl: true, mode: 'path', value: 'sales/orders' } };
		expect(await testbed.refusalOf({ kind, name, parameters })).toMatch(/sheet/i);
		expect(testbed.service.requests.count).toBe(0);
	});

	it.each(['admin', 'member'] as const)(
		'says that a sheet is not there, to %s',
		async (identity) => {
			const parameters = { sheet: sheet({ path: 'sales/order', index: 1 }) };
			expect(await testbed.refusalOf({ kind, name, identity, parameters })).toContain(
				'Invalid path',
			);
		},
	);

	it.each(['code105', 'code304', 'status401'] as const)(
		'says that the service does not know the user, told by %s',
		async (answer) => {
			testbed.service.switches.wrongKeyAnswer = answer;
			const apiKey = 'unknown/key/from/before+';
			const refusal = await testbed.refusalOf({
				kind,
				name,
				credentials: testbed.credentials('member', { apiKey }),
			});
			expect(refusal).toMatch(/credential|personal settings/);
			expect(refusal).not.toContain(apiKey);
		},
	);
});
