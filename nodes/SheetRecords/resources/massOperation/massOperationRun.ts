import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import { operationParts, submitMassOperation } from '../../../service/massOperations';
import type { MassOperation } from '../../../service/massOperations';
import { listPages } from '../../../service/pages';
import { getRecord } from '../../../service/records';
import { waitForTask } from '../../../service/tasks';
import type { QueryParameter } from '../../../wire/query';
import { simplifiedRecord } from '../../../wire/record';
import type { RecordSelection } from '../../../wire/recordSelection';
import { ServiceError } from '../../../wire/serviceError';
import type { SheetAddress } from '../../../wire/sheetAddress';
import { taskCounts } from '../../../wire/task';
import type { Task } from '../../../wire/task';
import type { ItemParameters } from '../../itemParameters';
import { LinkedResults } from '../../linkedResults';
import type { OperationRun } from '../../operation';
import { readInputRecordId, readSelection, takesInputItems } from '../../parameters/selection';
import { readWaiting, requireSuccess } from '../../parameters/taskWaiting';
import { SheetFields } from '../../sheetFields';
import { sumOfTasks } from './sumOfTasks';

/** What an operation sends, and what the user should know of it before it runs. */
export interface PreparedOperation {
	operation: MassOperation;
	warning?: string;
}

/** Reads an item's parameters into the operation that it wants. */
export type ReadOperation = (
	item: ItemParameters,
	sheetFields: SheetFields,
	target: { client: Client; sheet: SheetAddress; selection: RecordSelection },
) => Promise<PreparedOperation> | PreparedOperation;

interface Target {
	sheet: SheetAddress;
	selection: RecordSelection;
}

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
	const runs = new Map<string, Promise<readonly IDataObject[]>>();

	return async ({ item, client }) => {
		const sheet = item.sheet(client.connection);
		if (!takesInputItems(item)) {
			const selection = await readSelection(item, new SheetFields(client, sheet));
			return await run(item, client, { sheet, selection }, read);
		}
		const group = groups.of(item);
		const running = runs.get(group);
		if (running) {
			// Its results are linked to this item already; what went wrong went wrong for it, too.
			await running;
			return [];
		}
		const members = groups.members(group);
		const recordIds = [...new Set(members.map(readInputRecordId))];
		const selection: RecordSelection = { kind: 'records', recordIds };
		const results = run(item, client, { sheet, selection }, read);
		runs.set(group, results);
		const itemIndexes = members.map(({ index }) => index);
		return new LinkedResults(await results, itemIndexes);
	};
}

/** Items whose ids are taken together: those that say the same in all their parameters. */
class InputGroups {
	private readonly groups = new Map<ItemParameters, string>();

	constructor(
		private readonly items: readonly ItemParameters[],
		private readonly parameters: readonly INodeProperties[],
	) {}

	/**
	 * The group of an item.
	 *
	 * @throws ServiceError of kind `input` when the item holds no record id
	 */
	of(item: ItemParameters): string {
		const known = this.groups.get(item);
		if (known !== undefined) return known;
		readInputRecordId(item);
		const values = this.parameters.map(({ name }) => item.value(name));
		const group = JSON.stringify([item.value('authentication'), ...values]);
		this.groups.set(item, group);
		return group;
	}

	/** The items of a group; one that cannot be read says so in its own turn. */
	members(group: string): ItemParameters[] {
		return this.items.filter((item) => {
			try {
				return takesInputItems(item) && this.of(item) === group;
			} catch {
				return false;
			}
		});
	}
}

async function run(
	item: ItemParameters,
	client: Client,
	{ sheet, selection }: Target,
	read: ReadOperation,
): Promise<IDataObject[]> {
	const target = { client, sheet, selection };
	const { operation, warning } = await read(item, new SheetFields(client, sheet), target);
	const parts = operationParts(client, sheet, operation, selection);
	if (item.collection('options').preview === true)
		return await preview(client, { sheet, selection });
	const extra = warning === undefined ? {} : { _warning: warning };
	if (warning !== undefined) hint(item, 'warning', warning);
	const waits = item.flag('waitForCompletion');
	const waiting = readWaiting(item);
	const tasks: Task[] = [];
	const submitted: string[] = [];
	for (const part of parts) {
		const taskId = await submitMassOperation(client, sheet, operation, part).catch(
			(error: unknown) => {
				throw amongOthers(error, submitted, parts.length);
			},
		);
		submitted.push(taskId);
		if (!waits) continue;
		const task = await waitForTask(client, { taskId, sheet }, waiting)
			.then((ended) => {
				requireSuccess(item, ended);
				return ended;
			})
			.catch((error: unknown) => {
				throw amongOthers(error, submitted, parts.length);
			});
		tasks.push(task);
	}
	if (!waits) return submitted.map((taskId) => ({ taskId, ...extra }));
	hint(item, 'info', `${tasks.length} mass operation(s) ended: ${taskCounts(sumOfTasks(tasks))}`);
	const json = tasks.map((task): IDataObject => ({ ...task, ...extra }));
	return tasks.length > 1 ? [...json, { ...sumOfTasks(tasks), ...extra }] : json;
}

/** When a selection was split, an error of one part must not hide what became of the others. */
function amongOthers(error: unknown, submitted: readonly string[], parts: number): unknown {
	if (!(error instanceof ServiceError) || parts === 1) return error;
	const before = error.details.description ?? '';
	const done = submitted.length === 0 ? 'none' : submitted.join(', ');
	return new ServiceError({
		...error.details,
		description:
			`${before} The selection was split into ${parts} operations; submitted so far: ${done}. The others were not submitted.`.trim(),
	});
}

/** The records that the operation would work on. */
async function preview(client: Client, { sheet, selection }: Target): Promise<IDataObject[]> {
	const parameters: QueryParameter[] = [
		['naming', 'FNAME'],
		['subtables', 0],
		['version', '2025-01-01'],
	];
	const records: IDataObject[] = [];
	if (selection.kind === 'filters') {
		const request = { sheet, where: selection.where, parameters };
		for await (const page of listPages(client, request, Infinity, 0)) {
			for (const record of page) records.push(simplifiedRecord(record));
		}
		return records;
	}
	for (const recordId of new Set(selection.recordIds)) {
		const record = await getRecord(client, sheet, recordId, parameters);
		if (record) records.push(simplifiedRecord(record));
	}
	return records;
}

function hint(item: ItemParameters, type: 'info' | 'warning', message: string): void {
	item.context.addExecutionHints?.({ message, type, location: 'outputPane' });
}
