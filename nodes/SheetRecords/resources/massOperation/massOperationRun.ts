import type { INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import { operationParts } from '../../../service/massOperations';
import type { MassOperation } from '../../../service/massOperations';
import { waitForTask } from '../../../service/tasks';
import type { RecordSelection } from '../../../wire/recordSelection';
import type { SheetAddress } from '../../../wire/sheetAddress';
import { sumOfTasks } from '../../../wire/task';
import type { Task } from '../../../wire/task';
import type { ItemParameters } from '../../itemParameters';
import { ItemResults, LinkedResults } from '../../operationResult';
import type { OperationRun } from '../../operation';
import type { OperationResult } from '../../operationResult';
import { readSelection, takesInputItems } from '../../parameters/selection';
import { readPreview } from '../../parameters/massOperation';
import {
	readFailOnPartial,
	readWaiting,
	readWaits,
	requireSuccess,
} from '../../parameters/taskWaiting';
import { SheetFields } from '../../sheetFields';
import { TaskReport } from '../../taskReport';
import { InputGroups } from './inputGroups';
import type { InputGroup } from './inputGroups';
import { submitParts } from './submitParts';
import type { OperationOutput, SubmittedPart } from './submitParts';
import { preview } from './preview';

/** What an operation sends, and what the user should know of it before it runs. */
export interface PreparedOperation {
	operation: MassOperation;
	warning?: string;
}

interface Target {
	client: Client;
	sheet: SheetAddress;
	selection: RecordSelection;
}

/** Reads an item's parameters into the operation that it wants. */
export type ReadOperation = (
	item: ItemParameters,
	sheetFields: SheetFields,
	target: Target,
) => Promise<PreparedOperation> | PreparedOperation;

/**
 * Runs a mass operation: for each item by itself, or, when the ids of the input items are taken, once
 * for all items that want the same on the same sheet.
 */
export function massOperationRun(
	items: readonly ItemParameters[],
	parameters: readonly INodeProperties[],
	read: ReadOperation,
): OperationRun {
	const groups = new InputGroups(items, parameters);
	const runs = new Map<InputGroup, Promise<OperationOutput[]>>();
	const report = new TaskReport(items);

	const runItem: OperationRun = async ({ item, client }) => {
		const sheet = item.sheet(client.connection);
		if (!takesInputItems(item)) {
			const selection = await readSelection(item, new SheetFields(client, sheet));
			const outputs = await carryOut(item, { client, sheet, selection }, read, report);
			return outputs.map(({ json }) => json);
		}
		const group = groups.of(item);
		const running = runs.get(group);
		// What went wrong went wrong for this item, too.
		if (running) await running;
		const selection: RecordSelection = { kind: 'records', recordIds: group.recordIds };
		const outputs = carryOut(item, { client, sheet, selection }, read, report);
		runs.set(group, outputs);
		const linked = new LinkedResults(
			(await outputs).map(({ json, recordIds }) => ({
				json,
				itemIndexes: group.itemIndexesOf(recordIds),
			})),
		);
		const results = group.itemIndexesOf().map((index): [number, OperationResult] => [index, []]);
		return new ItemResults(new Map([...results, [item.index, linked]]));
	};
	return async (call) => await report.around(call.item, async () => await runItem(call));
}

async function carryOut(
	item: ItemParameters,
	target: Target,
	read: ReadOperation,
	report: TaskReport,
): Promise<OperationOutput[]> {
	const { client, sheet, selection } = target;
	if (readPreview(item)) return await preview(client, sheet, selection);
	const waits = readWaits(item);
	const waiting = readWaiting(item);
	const failOnPartial = readFailOnPartial(item);
	const { operation, warning } = await read(item, new SheetFields(client, sheet), target);
	const parts = operationParts(client, sheet, operation, selection);
	if (warning !== undefined) item.warn(warning);
	const waitForEnd = async (taskId: string) => {
		const task = await waitForTask(client, { taskId, sheet, isNew: true }, waiting);
		report.add(task);
		requireSuccess(task, failOnPartial);
		return task;
	};
	const submitted = await submitParts(
		client,
		sheet,
		operation,
		parts,
		waits ? waitForEnd : undefined,
	);
	return outputsOf(submitted, warning === undefined ? {} : { _warning: warning });
}

/** One output for each task; the sum behind them when there are several. */
function outputsOf(
	submitted: readonly SubmittedPart[],
	more: { _warning?: string },
): OperationOutput[] {
	const outputs = submitted.map(({ part, taskId, task }): OperationOutput => ({
		json: { ...(task ?? { taskId }), ...more },
		recordIds: part.recordIds,
	}));
	const tasks = submitted.flatMap(({ task }): Task[] => (task ? [task] : []));
	return tasks.length > 1 ? [...outputs, { json: { ...sumOfTasks(tasks), ...more } }] : outputs;
}
