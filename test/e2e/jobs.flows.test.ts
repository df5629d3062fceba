import type { INodeParameters } from 'n8n-workflow';
import { customers, orders } from '../service';
import { chain, items, recordLocator, sheetRecords, start, type Step } from './chain';
import { useJobs } from './jobs';

// The node between other nodes of n8n, as people connect them.
const { testbed, credential, order, runWell, writes } = useJobs();
const { fields } = orders;

const ofCustomers = { sheet: { __rl: true, mode: 'path', value: 'sales/customers/2' } };
const autoMapped = (...matchingColumns: string[]) => ({
	fields: { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema: [] },
});
const record = (operation: string, parameters: INodeParameters, overrides: Partial<Step> = {}) =>
	sheetRecords(operation, credential(), { operation, ...parameters }, overrides);

/** A file with a text, made by n8n from the item's `text`. */
const textFile: Step = {
	name: 'Convert to File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: { operation: 'toText', sourceProperty: 'text', options: { fileName: 'data.csv' } },
};

it('rows of a CSV file are created or updated, and an IF node separates them by their action', async () => {
	const text = [
		'Customer Number,Name,City',
		'C-0001,First & Sons,Rome',
		'C-0950,"New, with a comma",Oslo',
	].join('\n');
	const workflow = chain(
		'CSV',
		...items({ text }),
		textFile,
		{
			name: 'Rows',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1,
			parameters: { operation: 'csv', options: {} },
		},
		record('upsert', {
			...ofCustomers,
			...autoMapped(`Customer Number (${customers.fields.customerNumber})`),
		}),
		{
			name: 'Is It New?',
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					combinator: 'and',
					conditions: [
						{
							id: 'action',
							leftValue: '={{ $json._action }}',
							rightValue: 'created',
							operator: { type: 'string', operation: 'equals' },
						},
					],
				},
				options: {},
			},
		},
	);
	const execution = await runWell(workflow);
	const branch = (output: number) =>
		execution.json('Is It New?', output).map(({ Name, City }) => [Name, City]);
	expect([branch(0), branch(1)]).toEqual([
		[['New, with a comma', 'Oslo']],
		[['First & Sons', 'Rome']],
	]);
});

it('Loop Over Items updates 25 records in portions of ten, and returns all of them once', async () => {
	const ids = Array.from({ length: 25 }, (_, index) => ({ id: index + 1 }));
	const loop: Step = {
		name: 'Loop Over Items',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 10, options: {} },
	};
	const update = record('update', {
		recordId: recordLocator('={{ $json.id }}'),
		inputMode: 'json',
		recordJson: { Remark: 'In portions' },
	});
	const workflow = chain('Loop', ...items(...ids), loop, update);
	workflow.connections = {
		...workflow.connections,
		[loop.name]: { main: [[], [{ node: update.name, type: 'main', index: 0 }]] },
		[update.name]: { main: [[{ node: loop.name, type: 'main', index: 0 }]] },
	};
	const execution = await runWell(workflow);
	expect(execution.runs(update.name)).toBe(3);
	expect(execution.json(loop.name).map(({ _recordId }) => _recordId)).toEqual(
		ids.map(({ id }) => id),
	);
	expect(ids.map(({ id }) => order(id).text(fields.remark))).toEqual(ids.map(() => 'In portions'));
	expect(writes()).toHaveLength(25);
});

it('one bad item of five goes to the error output with its own fields, and the other four are written', async () => {
	const dates = ['2026-01-31', '2026-02-01', '2026-02-30', '2026-03-01', '2026-03-02'];
	const update = record(
		'update',
		{
			recordId: recordLocator('={{ $itemIndex + 1 }}'),
			inputMode: 'json',
			recordJson: "={{ { 'Order Date': $json.date } }}",
		},
		{ onError: 'continueErrorOutput' },
	);
	const execution = await runWell(
		chain('Error output', ...items(...dates.map((date) => ({ date }))), update),
	);
	expect(execution.json('update').map(({ _recordId }) => _recordId)).toEqual([1, 2, 4, 5]);
	expect(execution.items('update', 1)).toEqual([
		expect.objectContaining({
			json: {
				date: '2026-02-30',
				error: expect.stringContaining("'2026-02-30' is not a valid date"),
			},
			pairedItem: { item: 2 },
		}),
	]);
});

it('a sub-workflow reads the record whose ID it gets', async () => {
	const trigger: Step = {
		name: 'When Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const get = record('get', { recordId: recordLocator('={{ $json._recordId }}') });
	const { nodes, connections } = chain('Called', trigger, get);
	const called = {
		...{ name: 'Called', settings: { executionOrder: 'v1' as const } },
		connections: { [trigger.name]: connections[trigger.name] ?? {} },
		nodes: nodes.filter(({ name }) => name !== start),
	};
	const { id } = await testbed.editor.importWorkflow(called, [credential()]);
	const caller = chain('Caller', ...items({ _recordId: 7 }, { _recordId: 9 }), {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
	});
	const execution = await runWell(caller);
	const numbers = [7, 9].map((recordId) => order(recordId).text(fields.orderNumber));
	expect(execution.json('Call').map((item) => item['Order Number'])).toEqual(numbers);
});

it('an uploaded file is downloaded again, and stored in a new record', async () => {
	const contract = { fieldId: fields.contract, recordId: recordLocator(5) };
	const create = record('create', {
		inputMode: 'json',
		recordJson: { 'Customer Number': 'C-0001' },
		options: { files: { file: [{ fieldId: fields.contract, inputDataFieldName: 'data' }] } },
	});
	const execution = await runWell(
		chain(
			'Files',
			...items({ text: 'a,b\n1,2' }),
			textFile,
			record('upload', { resource: 'file', ...contract }),
			record('download', { resource: 'file', downloadBy: 'field', ...contract }),
			create,
		),
	);
	const id = Number(execution.json('create')[0]?._recordId);
	const file = testbed.service.data.files.get(order(id).text(fields.contract));
	expect([file?.name, file?.content.toString()]).toEqual(['data.csv', 'a,b\n1,2']);
});
