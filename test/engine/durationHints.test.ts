import { Workflow, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { operations } from './faults/matrix';
import { offeredOperations, operationsToDo } from './operations';
import { packageName, packageTypes } from './runner';

const type = `${packageName}.sheetRecords`;
const perItem = [
	...['record.create', 'record.delete', 'record.duplicate', 'record.update', 'record.upsert'],
	...['actionButton.run', 'comment.add', 'file.upload', 'lock.lock', 'lock.unlock'],
];

/** Returns the texts of the hints that n8n shows before a run, evaluated like in its editor. */
async function hintsBefore(itemCount: number, parameters: INodeParameters): Promise<string[]> {
	const types = await packageTypes();
	const { hints = [] } = types.getByNameAndVersion(type).description;
	const trigger = { id: 'a', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const node = { id: 'b', name: 'Sheet Records', type, parameters };
	const more = { typeVersion: 1, position: [0, 0] as [number, number] };
	const workflow = new Workflow({
		...{
			active: false,
			nodeTypes: types,
			nodes: [trigger, node].map((candidate) => ({ ...candidate, ...more })),
		},
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
	});
	const items = Array.from({ length: itemCount }, (_, id): INodeExecutionData => ({
		json: { id },
	}));
	const hintsShown = hints.filter(({ displayCondition = '', whenToDisplay }) => {
		expect(whenToDisplay).toBe('beforeExecution');
		const isShown: unknown = workflow.expression.getParameterValue(
			...([displayCondition, null, 0, 0, node.name, items, 'manual', {}] as const),
		);
		expect(isShown === true || isShown === false).toBe(true);
		return isShown === true;
	});
	return hintsShown.map(({ message }) => message);
}

const update = { resource: 'record', operation: 'update' };

it.each([
	{ items: 1, says: [] },
	{ items: 1_500, says: [] },
	{ items: 1_501, says: [/more than 1,500 items takes more than 5 minutes at 5 requests/] },
	{ items: 6_001, says: [/more than 6,000 items takes more than 20 minutes/] },
	{ items: 18_001, says: [/more than 18,000 items takes more than 60 minutes/] },
	{ items: 60_001, says: [/more than 60,000 items takes more than 200 minutes/] },
])('before an update of $items items, n8n shows one hint at most', async ({ items, says }) => {
	const hintsShown = await hintsBefore(items, update);
	expect(hintsShown).toEqual(says.map((text) => expect.stringMatching(text)));
});

/** Operations that write many rows or records with one request, or the whole sheet. */
const inBatches = /^(?:subtableRow|massOperation|sheet)\./;

it('an operation that changes something writes each item, unless it writes in batches', async () => {
	const changing = operations.filter(({ changesInAll }) => changesInAll > 0);
	const names = new Set(changing.map(({ operation }) => operation));
	const isDone = (name: string) =>
		!names.has(name) || inBatches.test(name) || perItem.includes(name);
	const todo = 'set writesEachItem, and name it here (HOW_TO, step 1)';
	expect(await operationsToDo(isDone, todo)).toEqual([]);
});

it('only operations that write each item have a hint before a run of 2,000 items', async () => {
	const offered = await offeredOperations();
	expect(offered.length).toBeGreaterThan(20);
	const hinted: string[] = [];
	for (const { resource, operation } of offered) {
		const parameters = { resource: resource.value, operation: operation.value };
		const hintsShown = await hintsBefore(2_000, parameters);
		if (hintsShown.length > 0) hinted.push(`${resource.value}.${operation.value}`);
	}
	expect(hinted.sort()).toEqual([...perItem].sort());
});

it('a dry run, which writes nothing, has no hint', async () => {
	expect(await hintsBefore(2_000, { ...update, options: { dryRun: true } })).toEqual([]);
});
