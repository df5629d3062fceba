import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../service';
import { CredentialStore, runWorkflow, type RunResult } from './runner';
import { recordId, sheet, useRecordTestbed } from './recordTestbed';
import { asJson, autoMapped } from './record/recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

interface Step {
	name: string;
	type: string;
	parameters: INodeParameters;
	onError?: 'continueRegularOutput';
}

const record = (name: string, parameters: INodeParameters): Step => ({
	name,
	type: 'n8n-nodes-sheet-records.sheetRecords',
	parameters: { resource: 'record', sheet: sheet(orders), ...parameters },
});

const setFields = (name: string, jsonOutput: string): Step => ({
	name,
	type: 'n8n-nodes-base.set',
	parameters: { mode: 'raw', jsonOutput },
});

/** Returns the steps that start a chain with these items. */
const startItems = (...items: object[]): Step[] => [
	setFields('Items', JSON.stringify({ items })),
	{ name: 'Split', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'items' } },
];

/** Returns a step that lists the orders with these IDs, found by their references. */
const listed = (...ids: number[]): Step => {
	for (const id of ids) testbed.order(id).set(fields.reference, `KEY ${id}`);
	return record('List', {
		operation: 'getAll',
		returnAll: true,
		filters: { conditions: [{ field: fields.reference, operator: 'like', value: 'KEY' }] },
	});
};

/** Runs the steps one after the other. */
async function chain(...steps: Step[]): Promise<RunResult> {
	const credentialStore = new CredentialStore();
	const credential = credentialStore.add(
		'sheetRecordsApi',
		testbed.credentials('member').sheetRecordsApi,
	);
	const allSteps: Step[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		...steps,
	];
	const result = await runWorkflow(
		{
			name: 'Chain',
			nodes: allSteps.map((step, index) => ({
				...step,
				id: `node-${index}`,
				typeVersion: step.type.endsWith('.set') ? 3.4 : 1,
				position: [index * 200, 0],
				...(step.type.includes('sheetRecords')
					? { credentials: { sheetRecordsApi: credential } }
					: {}),
			})),
			connections: Object.fromEntries(
				steps.map(({ name }, index) => [
					allSteps[index]?.name ?? '',
					{ main: [[{ node: name, type: 'main', index: 0 }]] },
				]),
			),
		},
		{ credentialStore },
	);
	testbed.expectNoSecrets(result);
	return result;
}

beforeEach(() => (testbed.service.switches.defaultOrder = 'oldestFirst'));

it('an item keeps the link to its listed record through an update and a deletion', async () => {
	const result = await chain(
		listed(15, 16, 17),
		record('Update', {
			operation: 'update',
			recordId: recordId('={{ $json._recordId }}'),
			...asJson('={{ ({ Remark: "was " + $json.Reference }) }}'),
		}),
		record('Delete', { operation: 'delete', recordId: recordId('={{ $json._recordId }}') }),
		setFields(
			'Look Back',
			'={{ ({ id: $json._recordId, reference: $("List").item.json.Reference, remark: $("Update").item.json.Remark }) }}',
		),
	);
	expect(result.error).toBeUndefined();
	expect(result.outputs('Look Back').map(({ json }) => json)).toEqual(
		[15, 16, 17].map((id) => ({ id, reference: `KEY ${id}`, remark: `was KEY ${id}` })),
	);
	const links = ['Update', 'Delete'].map((name) =>
		result.outputs(name).map(({ pairedItem }) => pairedItem),
	);
	expect(links).toEqual(Array(2).fill([{ item: 0 }, { item: 1 }, { item: 2 }]));
	expect(result.outputs('List').map(({ pairedItem }) => pairedItem)).toEqual(
		Array(3).fill({ item: 0 }),
	);
	expect([15, 16, 17].map((id) => testbed.orders.records.has(id))).toEqual([false, false, false]);
});

it('every record that an upsert changed is linked to its item', async () => {
	for (const id of [21, 22]) testbed.order(id).set(fields.reference, 'PAIR');
	const result = await chain(
		...startItems(
			{ Reference: 'NEW', 'Customer Number': 'C-0001', Remark: 'for the new one' },
			{ Reference: 'PAIR', Remark: 'for both' },
		),
		record('Upsert', {
			operation: 'upsert',
			...autoMapped([fields.reference]),
			options: { onMultipleMatches: 'updateAll' },
		}),
		setFields(
			'Look Back',
			'={{ ({ id: $json._recordId, action: $json._action, asked: $("Split").item.json.Remark }) }}',
		),
	);
	expect(result.error).toBeUndefined();
	expect(result.outputs('Look Back').map(({ json }) => json)).toEqual([
		{ id: 301, action: 'created', asked: 'for the new one' },
		{ id: 21, action: 'updated', asked: 'for both' },
		{ id: 22, action: 'updated', asked: 'for both' },
	]);
});

it('items keep their links after an item without output', async () => {
	const getIfThere = record('Get', {
		operation: 'get',
		recordId: recordId('={{ $json.id }}'),
		options: { emptyResult: 'none' },
	});
	const result = await chain(
		...startItems(
			{ id: 99999 },
			{ id: 15, note: 'found' },
			{ id: 88888 },
			{ id: 'x', note: 'mine' },
		),
		{ ...getIfThere, onError: 'continueRegularOutput' },
		setFields(
			'Look Back',
			'={{ ({ failed: $json.error !== undefined, note: $("Split").item.json.note }) }}',
		),
	);
	expect(result.outputs('Look Back').map(({ json }) => json)).toEqual([
		{ failed: false, note: 'found' },
		{ failed: true, note: 'mine' },
	]);
});
