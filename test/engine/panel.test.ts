import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { offeredOperations } from './operations';
import { packageName, packageTypes } from './runner';

async function descriptionOf(node: string): Promise<INodeTypeDescription> {
	const types = await packageTypes();
	return types.getByNameAndVersion(`${packageName}.${node}`).description;
}

/** Returns the parameters that n8n shows for the operation with these values, and the defaults of all others. */
async function panelOf(
	resource: string,
	operation: string,
	set: INodeParameters = {},
): Promise<INodeProperties[]> {
	const description = await descriptionOf('sheetRecords');
	const { properties } = description;
	const chosen = { resource, operation, ...set };
	const values =
		NodeHelpers.getNodeParameters(properties, chosen, true, false, null, description) ?? chosen;
	const node = { typeVersion: 1 };
	return properties.filter(
		(property) =>
			property.displayOptions?.show?.operation !== undefined &&
			NodeHelpers.displayParameter(values, property, node, description),
	);
}

/** Returns the names of the parameters that n8n shows for a trigger with these values, and the defaults of all others. */
async function panelOfTrigger(node: string, set: INodeParameters): Promise<string[]> {
	const description = await descriptionOf(node);
	const { properties } = description;
	const values =
		NodeHelpers.getNodeParameters(properties, set, true, false, null, description) ?? set;
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description);
	const names = properties.filter(isShown).map(({ name }) => name);
	// n8n adds it.
	return names.filter((name) => name !== 'pollTimes');
}

function namesOf(properties: INodeProperties[]): string[] {
	return properties.map(({ displayName }) => displayName);
}

/** Returns the options of the collection; an empty list without a collection. */
function optionsIn(properties: INodeProperties[]): INodeProperties[] {
	const collection = properties.find(({ name }) => name === 'options');
	return (collection?.options ?? []).filter(
		(option) => 'displayName' in option && 'type' in option,
	);
}

const conditions = (count: number) => ({
	conditions: Array.from({ length: count }, () => ({ field: '112', value: 'x' })),
});
const rules = expect.stringMatching(
	/^Conditions on different fields are combined with AND\. .*Is Not Equal To.* must match\.$/,
);

it.each([
	['six parameters', 1, []],
	['also a notice about several conditions', 2, [rules]],
])(
	'the panel of Get Many has %s in a useful order, with %d conditions',
	async (_, count, notices) => {
		const panel = await panelOf('record', 'getAll', { filters: conditions(count) });
		expect(namesOf(panel)).toEqual([
			...['Sheet', 'Return All', 'Limit', 'Filters', ...notices, 'Simplify', 'Options'],
		]);
	},
);

it('the panel of a write explains why types are missing', async () => {
	const namesWith = async (isTyped: boolean) => {
		const fields = { mappingMode: 'defineBelow', value: null, schema: [{ id: 'City', isTyped }] };
		const sheet = { __rl: true, mode: 'path', value: 'sales/orders/1' };
		return (await panelOf('record', 'create', { sheet, fields })).map(({ name }) => name);
	};
	expect(await namesWith(false)).toContain('typesNotice');
	expect(await namesWith(true)).not.toContain('typesNotice');
});

it.each([
	{ operation: 'create', hidden: [true, true, true, true], isShown: true },
	{ operation: 'create', hidden: [true, true], isShown: true },
	{ operation: 'create', hidden: [true, false, true, true], isShown: false },
	{ operation: 'create', hidden: [false, true, true, false], isShown: false },
	{ operation: 'create', hidden: [], isShown: false },
	{ operation: 'upsert', hidden: [true, true, true, true], isShown: true },
	{ operation: 'upsert', hidden: [true, false, false, false], isShown: false },
	{ operation: 'update', hidden: [true, true, true, true], isShown: false },
])(
	'the panel of $operation with the hidden fields $hidden has a notice on how to show them: $isShown',
	async ({ operation, hidden, isShown }) => {
		const schema = hidden.map((removed, index) => ({ id: `Field ${index}`, removed }));
		const fields = { mappingMode: 'defineBelow', value: {}, schema };
		const sheet = { __rl: true, mode: 'path', value: 'sales/orders/1' };
		const names = (await panelOf('record', operation, { sheet, fields })).map(({ name }) => name);
		expect(names.includes('hiddenFieldsNotice')).toBe(isShown);
	},
);

it('the conditions of a parameter begin with its resource and operation, because n8n stops at the first expression', async () => {
	const { properties } = await descriptionOf('sheetRecords');
	const late = properties.filter(({ displayOptions: { show = {} } = {} }) => {
		const [first, second] = Object.keys(show);
		return 'operation' in show && (first !== 'resource' || second !== 'operation');
	});
	expect(late).toEqual([]);
});

const chosenSheet = { sheet: { __rl: true, mode: 'path', value: 'sales/orders/1' } };

it.each([
	{ resource: 'record', operation: 'update', set: {}, isShown: false },
	{ resource: 'record', operation: 'update', set: chosenSheet, isShown: true },
	{ resource: 'subtableRow', operation: 'update', set: chosenSheet, isShown: false },
	{
		...{ resource: 'subtableRow', operation: 'update', isShown: true },
		set: { ...chosenSheet, subtableId: '1000154' },
	},
])(
	'the mapper appears once its sheet and subtable are selected, because n8n loads its fields then: $resource with $set',
	async ({ resource, operation, set, isShown }) => {
		const names = (await panelOf(resource, operation, set)).map(({ name }) => name);
		expect(names).toContain('recordId');
		expect(names.includes('fields')).toBe(isShown);
	},
);

it.each([
	{ subject: 'reading', operation: 'getAll', file: 'READING.md' },
	{ subject: 'writing', operation: 'upsert', file: 'WRITING.md' },
])('the options when $subject are the same in $file', async ({ subject, operation, file }) => {
	const page = readFileSync(join(__dirname, '../../nodes/SheetRecords', file), 'utf8');
	const [, section = ''] = page.split(`## Options when ${subject}\n`);
	const [table = ''] = section.split('\n## ');
	const paths = [...table.matchAll(/`options\.(\w+)`/g)].map(([, name]) => name);
	const options = optionsIn(await panelOf('record', operation));
	const missing = options.filter(({ name }) => !paths.includes(name));
	const todo = `explain it on ${file}, with its technical name (HOW_TO, step 5)`;
	expect(missing.map(({ name }) => `${name}: ${todo}`)).toEqual([]);
	expect(paths.sort()).toEqual(options.map(({ name }) => name).sort());
});

it('options are sorted by name after the most common ones, and descriptions of switches begin with Whether', async () => {
	const panels = (await offeredOperations()).map(
		async ({ resource, operation }) => await panelOf(resource.value, operation.value),
	);
	const triggers = ['sheetRecordsTrigger', 'sheetRecordsPollingTrigger'].map(
		async (name) => (await descriptionOf(name)).properties,
	);
	for (const panel of await Promise.all([...panels, ...triggers])) {
		const options = optionsIn(panel);
		const names = namesOf(options);
		const usual = ['Sort', 'Only Fields', 'Typed Values', 'Download Files'];
		const isReading = names.includes('Typed Values');
		const first = isReading ? usual.filter((name) => names.includes(name)) : [];
		const otherNames = names.filter((name) => !first.includes(name));
		otherNames.sort((left, right) => left.localeCompare(right, 'en'));
		expect(names).toEqual([...first, ...otherNames]);
		expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
		expect(new Set(names).size).toBe(options.length);
		for (const { type, description } of options) {
			if (type === 'boolean') expect(description).toMatch(/^Whether /);
		}
	}
});

it.each([
	{ operation: 'delete', set: { deleteBy: 'match' } },
	{ operation: 'ifExists', set: {} },
])(
	'the match fields explain the source of their values: $operation',
	async ({ operation, set }) => {
		const panel = await panelOf('record', operation, set);
		expect(panel.find(({ name }) => name === 'matchFields')?.hint).toBe(
			"Values are taken from the input item's fields with these names",
		);
	},
);

it('records are the first resource, because n8n lists actions in the order of the resources', async () => {
	const { properties } = await descriptionOf('sheetRecords');
	const resource = properties.find(({ name }) => name === 'resource');
	expect(resource?.options?.[0]).toMatchObject({ value: 'record' });
});

/** Returns the hints of the parameters with this name. A parameter without a hint has an empty text. */
function hintsAt(name: string, { properties }: INodeTypeDescription): string[] {
	return properties
		.filter((property) => property.name === name)
		.map(({ builderHint }) => builderHint?.propertyHint ?? '');
}

it.each([
	['sheetRecords', 'sheetRecordsTrigger'],
	['sheetRecordsTrigger', 'sheetRecords'],
	['sheetRecordsPollingTrigger', 'sheetRecordsTrigger'],
])('a model that searches for a node finds %s, with %s as a related node', async (node, other) => {
	const { builderHint } = await descriptionOf(node);
	expect(builderHint?.searchHint).toMatch(/record/);
	expect(builderHint?.relatedNodes).toEqual([
		{ nodeType: `${packageName}.${other}`, relationHint: expect.stringMatching(/record/) },
	]);
});

const hinted = ['sheet', 'recordId', 'filters', 'inputMode', 'recordJson', 'selection', 'buttonId'];

it.each([
	...hinted.map((name) => ['sheetRecords', name]),
	['sheetRecordsTrigger', 'sheet'],
	['sheetRecordsTrigger', 'registration'],
	['sheetRecordsPollingTrigger', 'sheet'],
	['sheetRecordsPollingTrigger', 'filters'],
])('a model that fills in %s gets a hint about %s everywhere', async (node, name) => {
	const hints = hintsAt(name, await descriptionOf(node));
	expect(hints.length).toBeGreaterThan(0);
	for (const hint of hints) expect(hint.length).toBeGreaterThan(20);
});

it.each<[string, INodeParameters, string]>([
	[
		'sheetRecordsTrigger',
		{},
		'watchFields registration registrationNotice testRunNotice verification publicKeySource',
	],
	[
		'sheetRecordsTrigger',
		{ publicKeySource: 'pem', events: ['CREATE'] },
		'registration registrationNotice testRunNotice verification publicKeySource publicKeyPem',
	],
	[
		'sheetRecordsTrigger',
		{ publicKeySource: 'pem', verification: 'off', registration: 'automatic' },
		'watchFields registration automaticNotice verification',
	],
	['sheetRecordsPollingTrigger', {}, 'watchFields startFrom simplify'],
	[
		'sheetRecordsPollingTrigger',
		{ startFrom: 'date', events: ['DELETE'] },
		'startFrom startDate simplify',
	],
])('the panel of a trigger has what its other settings need: %s %j', async (node, set, names) => {
	const expected = ['authentication', 'events', 'sheet', 'filters', ...names.split(' '), 'options'];
	expect(await panelOfTrigger(node, set)).toEqual(expected);
});
