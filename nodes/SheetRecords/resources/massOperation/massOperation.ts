import { submitMassOperation, type MassOperation } from '../../../api/tasks/massOperations';
import { sumOfTasks, type TaskWaiting } from '../../../api/tasks/task';
import { parseAnyParameters, propertiesOf } from '../../../ui/parameter';
import type { AnyParameters, Parameter } from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import type { RecordSelection } from '../../../api/read/recordSelection';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { UserSheet } from '../../../api/users';
import type { ItemContext } from '../../itemContext';
import type { Operation, OperationTexts } from '../../operation';
import { selectionParameter } from '../../parameters/selection';
import { waitFor, waitParameter } from '../../parameters/taskWaiting';
import { InputGroups, type InputGroup } from './inputGroups';
import { preview, type OperationOutput } from './preview';

/** What is done to the selected records, and how that is sent. */
interface Definition<What> extends OperationTexts {
	/** What is done. It is not read for a preview. */
	what: AnyParameters<What, ItemContext>;
	/** Which the user sees first: what is done, or to which records. */
	first: 'what' | 'records';
	options: Parameter<Options, ItemContext>;
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
	const done = propertiesOf(what);
	const properties = [
		...sheetParameter.properties,
		...(first === 'what' ? done : []),
		...selectionParameter.properties,
		...(first === 'records' ? done : []),
		...waitParameter.properties,
		...options.properties,
	];
	return {
		...{ value, name, action, description, properties },
		prepare(items) {
			const groups = new InputGroups(items, properties);
			const runs = new Map<InputGroup, Promise<OperationOutput[]>>();
			return async (item) => {
				const { selection, ...wanted } = await parseAnyParameters(target, item);
				if (selection) {
					const outputs = await carryOut(item, definition, { ...wanted, selection });
					return outputs.map(({ json }) => json);
				}
				const group = await groups.of(item);
				// What went wrong went wrong for this item, too.
				await runs.get(group);
				const ofGroup: RecordSelection = { kind: 'records', recordIds: group.recordIds };
				const outputs = carryOut(item, definition, { ...wanted, selection: ofGroup });
				runs.set(group, outputs);
				return group.results(item, await outputs);
			};
		},
	};
}

async function carryOut<What>(
	item: ItemContext,
	{ what, operation }: Definition<What>,
	{ sheet, selection, waits, options }: Target,
): Promise<OperationOutput[]> {
	const { client } = item;
	if (options.preview) return await preview(client, sheet, selection);
	const waitForEnd = async (taskId: string) =>
		await waitFor(item, { taskId, sheet, isNew: true }, options);
	const submitted = await submitMassOperation(
		client,
		sheet,
		operation(await parseAnyParameters(what, item)),
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
