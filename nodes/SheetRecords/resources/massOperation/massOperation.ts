import { submitMassOperation, type MassOperation } from '../../../api/tasks/massOperations';
import { requireSuccess, sumOfTasks, waitForTask, type TaskWaiting } from '../../../api/tasks/task';
import { lookUpParameters, shownOf, type AnyParameters } from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import type { RecordSelection } from '../../../api/read/recordSelection';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { UserSheet } from '../../../api/users';
import type { ItemParameter, Operation, OperationTexts, ParameterCall } from '../../operation';
import { selectionParameter } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { InputGroups, type InputGroup } from './inputGroups';
import { preview, type OperationOutput } from './preview';

/** What is done to the selected records, and how that is sent. */
interface Definition<What> extends OperationTexts {
	/** What is done. It is not read for a preview. */
	what: AnyParameters<What, ParameterCall>;
	/** Which the user sees first: what is done, or to which records. */
	first: 'what' | 'records';
	options: ItemParameter<Options>;
	operation: (what: What) => MassOperation;
}

interface Options {
	waiting: TaskWaiting;
	failOnPartial?: boolean;
	preview?: boolean;
	userSheet?: UserSheet;
}

interface Target {
	sheet: SheetAddress;
	selection: RecordSelection;
	waits: boolean;
	options: Options;
}

/**
 * A mass operation: it runs for each item by itself, or, when the ids of the input items are taken, once
 * for all items that want the same on the same sheet.
 */
export function massOperation<What>(definition: Definition<What>): Operation {
	const { what, first, options, value, name, action, description } = definition;
	const target = {
		sheet: sheetParameter,
		selection: selectionParameter,
		waits: waitParameter,
		options,
	};
	const done = shownOf(what);
	const parameters = [
		...sheetParameter.shown,
		...(first === 'what' ? done : []),
		...selectionParameter.shown,
		...(first === 'records' ? done : []),
		...waitParameter.shown,
		...options.shown,
	];
	return {
		...{ value, name, action, description, parameters },
		begin(items) {
			const groups = new InputGroups(items, parameters);
			const runs = new Map<InputGroup, Promise<OperationOutput[]>>();
			return async (call) => {
				const { selection, ...wanted } = await lookUpParameters(target, call);
				if (selection) {
					const outputs = await carryOut(call, definition, { ...wanted, selection });
					return outputs.map(({ json }) => json);
				}
				const group = await groups.of(call.item);
				// What went wrong went wrong for this item, too.
				await runs.get(group);
				const ofGroup: RecordSelection = { kind: 'records', recordIds: group.recordIds };
				const outputs = carryOut(call, definition, { ...wanted, selection: ofGroup });
				runs.set(group, outputs);
				return group.results(call.item, await outputs);
			};
		},
	};
}

async function carryOut<What>(
	call: ParameterCall,
	{ what, operation }: Definition<What>,
	{ sheet, selection, waits, options }: Target,
): Promise<OperationOutput[]> {
	const { item, client } = call;
	if (options.preview) return await preview(client, sheet, selection);
	const waitForEnd = async (taskId: string) => {
		const task = await waitForTask(client, { taskId, sheet, isNew: true }, options.waiting);
		item.taskEnded(task);
		requireSuccess(task, options.failOnPartial);
		return task;
	};
	const submitted = await submitMassOperation(
		client,
		sheet,
		operation(await lookUpParameters(what, call)),
		selection,
		waits ? waitForEnd : undefined,
	);
	const outputs = submitted.map(({ part, taskId, task }): OperationOutput => ({
		json: { ...(task ?? { taskId }) },
		recordIds: part.recordIds,
	}));
	const tasks = submitted.flatMap(({ task }) => (task ? [task] : []));
	return tasks.length > 1 ? [...outputs, { json: { ...sumOfTasks(tasks) } }] : outputs;
}
