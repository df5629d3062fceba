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

/** What n8n shows of the parameters below the choice of the operation, with all defaults but these. */
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

function namesOf(properties: INodeProperties[]): string[] {
	return properties.map(({ displayName }) => displayName);
}

/** The options that are in the collection, none when there is no collection. */
function optionsIn(properties: INodeProperties[]): INodeProperties[] {
	const collection = properties.find(({ name }) => name === 'options');
	return (collection?.options ?? []).filter(
		(option) => 'displayName' in option && 'type' in option,
	);
}

async function optionsOf(resource: string, operation: string): Promise<string[]> {
	return namesOf(optionsIn(await panelOf(resource, operation)));
}

const conditions = (count: number) => ({
	conditions: Array.from({ length: count }, () => ({ field: '112', value: 'x' })),
});
const rules = expect.stringMatching(/^Different fields: .*"not equal".*n8n's Filter node\.$/);

it.each([
	['seven things', 1, []],
	['the rules for several conditions, too,', 2, [rules]],
])(
	'the panel of Get Many asks for %s in the order of thought with %d condition',
	async (_, count, notices) => {
		const panel = await panelOf('record', 'getAll', { filters: conditions(count) });
		expect(namesOf(panel)).toEqual([
			...['Sheet', 'Return All', 'Limit', 'Filters', ...notices, 'Sort', 'Simplify', 'Options'],
		]);
	},
);

it('the panel of a mass operation says what to do without the conditions that are missing', async () => {
	const rulesOf = async (set: INodeParameters) =>
		(await panelOf('massOperation', 'update', set)).filter(({ name }) => name === 'filtersNotice');
	const filters = conditions(2);
	expect(namesOf(await rulesOf({ filters }))).toEqual([
		expect.stringMatching(/"not empty".*Input Items\.$/),
	]);
	expect(await rulesOf({ filters, selection: 'inputItems' })).toEqual([]);
});

it('the panel of a write says why types are missing, when they are', async () => {
	const shown = async (isTyped: boolean) => {
		const fields = { mappingMode: 'defineBelow', value: null, schema: [{ id: 'City', isTyped }] };
		const sheet = { __rl: true, mode: 'path', value: 'sales/orders/1' };
		return (await panelOf('record', 'create', { sheet, fields })).map(({ name }) => name);
	};
	expect(await shown(false)).toContain('typesNotice');
	expect(await shown(true)).not.toContain('typesNotice');
});

it('the mapper appears when its sheet is chosen: n8n loads its fields then', async () => {
	const names = (await panelOf('record', 'update', {})).map(({ name }) => name);
	expect(names).toContain('recordId');
	expect(names).not.toContain('fields');
});

const typing = ['Typed Values', 'Number Fields', 'List Fields'];
const [fields, form] = [
	['Only Fields', 'Field Keys'],
	['Subtables', ...typing, 'ISO Dates', 'Time Zone', 'Download Files', 'If Nothing Is Found'],
];
const included = [
	...['Include Record Information', 'Include Comments', 'Include Edit History'],
	...['Include Approval', 'Include Conversation', 'Raw Markup', 'Show Masked Values'],
];
const content = ['Subtable Rows', 'Files', 'Clear Empty', 'Dry Run'];
const changing = [
	...[...content, 'Skip Unchanged', 'On Conflict'],
	...['Rows Mode', 'Row Match Fields', 'Files Mode'],
];
const written = [
	...['Ignore Field Names or IDs', 'Unknown Fields', 'Unknown Choices'],
	...['Missing File', 'Time Zone', 'Field Keys'],
];
const effects = [
	...['Validate', 'Recalculate Formulas', 'Load Default Values', 'Link and Load'],
	...['Run Workflow Script', 'Send Notifications', 'API Version'],
];
const watched = ['Preview', 'Timeout', 'Poll Interval', 'Fail on Partial'];

/** As n8n asks for. */
const inOrder = (names: string[]) =>
	[...names].sort((one, other) => one.localeCompare(other, 'en'));

describe('the options in the order of their names', () => {
	it.each([
		[
			'record.getAll',
			[
				...[...fields, 'Raw Conditions', 'Full-Text Search', 'Newest First', ...form, ...included],
				...['Shared View ID', 'Apply Default Filter', 'Ignore Fixed Filter'],
				...['Listing Fields Only', 'Page Size', 'JSONP Callback'],
				...['API Version', 'Additional Parameters'],
			],
		],
		['record.get', [...fields, ...form, ...included, 'API Version', 'Additional Parameters']],
		['subtableRow.getAll', ['Field Keys', ...typing]],
		['record.create', [...content, ...written, ...effects]],
		['record.update', [...changing, ...written, 'Check Lock', ...effects]],
		[
			'record.upsert',
			[
				...[...changing, 'Upsert Mode', 'On Multiple Matches'],
				...[...written, 'Check Lock', ...effects],
			],
		],
		['record.delete', ['Dry Run', 'On Multiple Matches']],
		['subtableRow.update', ['Files', 'Clear Empty', ...written, 'Check Lock', ...effects]],
		['file.upload', ['Missing File', 'Time Zone', 'Field Keys', 'Check Lock', ...effects]],
		['subtableRow.delete', ['Time Zone', 'Check Lock', ...effects]],
		['massOperation.lock', [...watched, 'Raw Conditions', 'Time Zone']],
		['massOperation.update', [...watched, 'Raw Conditions', 'Time Zone', 'Users Sheet']],
		['task.wait', ['Timeout', 'Poll Interval', 'Fail on Partial', 'Sheet']],
	])('of %s', async (place, expected) => {
		const [resource = '', operation = ''] = place.split('.');
		expect(await optionsOf(resource, operation)).toEqual(inOrder(expected));
	});

	it.each([
		['reading', 'getAll'],
		['writing', 'upsert'],
	])("when %s are on the node's page, too", async (subject, operation) => {
		const page = readFileSync(join(__dirname, '../../nodes/SheetRecords/README.md'), 'utf8');
		const [, section = ''] = page.split(`#### Options when ${subject}\n`);
		const [table = ''] = section.split('\n#');
		const paths = [...table.matchAll(/`options\.(\w+)`/g)].map(([, name]) => name);
		const options = optionsIn(await panelOf('record', operation));
		expect(paths.sort()).toEqual(options.map(({ name }) => name).sort());
	});

	it('of the trigger', async () => {
		const { properties } = await descriptionOf('sheetRecordsTrigger');
		const names = ['Download Files', 'Fetch Record', 'Field Keys', 'Output', 'Simplify'];
		expect(namesOf(optionsIn(properties))).toEqual([...names, 'Skip Repeats', 'Skip Unchanged']);
	});

	it('of the polling trigger, each of which its page names', async () => {
		const { properties } = await descriptionOf('sheetRecordsPollingTrigger');
		const names = namesOf(optionsIn(properties));
		const expected = [
			...['Only Fields', 'Field Keys', 'Subtables', 'Typed Values', 'Number Fields', 'List Fields'],
			...['ISO Dates', 'Time Zone', 'Show Masked Values', 'Ignore Fixed Filter', 'Output'],
			...['Shared View ID', 'Download Files'],
			...['Deletion Check Every', 'API Version'],
		];
		expect(names).toEqual(inOrder(expected));
		const folder = join(__dirname, '../../nodes/SheetRecordsPollingTrigger');
		const page = readFileSync(join(folder, 'README.md'), 'utf8');
		expect(names.filter((name) => !page.includes(name))).toEqual([]);
	});
});

it('no two options of a collection have one name, and each that is turned on or off says what for', async () => {
	const panels = (await offeredOperations()).map(
		async ({ resource, operation }) => await panelOf(resource.value, operation.value),
	);
	const { properties } = await descriptionOf('sheetRecordsTrigger');
	for (const panel of [...(await Promise.all(panels)), properties]) {
		const options = optionsIn(panel);
		expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
		expect(new Set(namesOf(options)).size).toBe(options.length);
		for (const { type, description } of options) {
			if (type === 'boolean') expect(description).toMatch(/^Whether /);
		}
	}
});
