import { submitMassOperation, type MassOperation } from '../../../api/tasks/massOperations';
import { sumOfTasks, type TaskWaiting } from '../../../api/tasks/task';
import type { RecordSelection } from '../../../api/read/query';
import type { UserSheet } from '../../../api/users';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { writtenTimeZone } from '../../../ui/options';
import {
	choiceOption,
	flagOption,
	optionsCollection,
	parseAnyParameters,
	propertiesOf,
	type AnyParameters,
	type Parameter,
} from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import type { ItemContext } from '../../itemContext';
import type { Operation, OperationTexts } from '../../operation';
import { selectionParameter } from '../../parameters/selection';
import { waitFor, waitingOptions, waitParameter } from '../../parameters/taskWaiting';
import { groupInputItems } from './inputGroups';
import { preview, type OperationOutput } from './preview';

/** What is done to the selected records, and how that is sent. */
interface Definition<What> extends OperationTexts {
	/** What is done. It is not read for a preview. */
	what: AnyParameters<What, ItemContext>;
	/** Whether it changes fields: then the user sees first which records, and may work on a users sheet. */
	changesFields?: boolean;
	operation: (what: What) => MassOperation;
}

interface Target {
	sheet: SheetAddress;
	selection: RecordSelection;
	waits: boolean;
	options: { waiting: TaskWaiting; failOnPartial?: boolean; preview?: boolean };
}

/** Which users sheet the item says that it works on. */
export const userSheetOption = choiceOption<UserSheet>({
	displayName: 'Users Sheet',
	name: 'userSheet',
	type: 'options',
	options: [
		{ name: 'External Users', value: 'external' },
		{ name: 'Internal Users', value: 'internal' },
		{ name: 'No', value: 'none', description: 'The sheet holds no users of the account' },
	],
	default: 'none',
	description:
		"Whether the sheet holds the account's users: then protected fields are refused, and groups written as the service wants them",
});

const commonOptions = {
	preview: flagOption({
		displayName: 'Preview',
		name: 'preview',
		description: 'Whether to return the records that the selection matches, and change nothing',
	}),
	...waitingOptions,
	timeZone: writtenTimeZone,
};

const actionOptions = optionsCollection(commonOptions);
const fieldOptions = optionsCollection({ ...commonOptions, userSheet: userSheetOption });

/**
 * A mass operation: it runs for each item by itself, or, when the ids of the input items are taken, once
 * for all items that want the same on the same sheet.
 */
export function massOperation<What>(definition: Definition<What>): Operation {
	const { what, changesFields, value, name, action, description } = definition;
	const options: Parameter<Target['options'], ItemContext> = changesFields
		? fieldOptions
		: actionOptions;
	const target = {
		sheet: sheetParameter,
		selection: selectionParameter,
		waits: waitParameter,
		options,
	};
	const { sheet, selection, waits } = target;
	const selected = changesFields ? { selection, ...what } : { ...what, selection };
	const properties = propertiesOf({ sheet, ...selected, waits, options });
	return {
		...{ value, name, action, description, properties },
		prepare(items) {
			const groupOf = groupInputItems(items, properties);
			return async (item) => {
				const { selection: own, ...wanted } = await parseAnyParameters(target, item);
				if (own) {
					const outputs = await carryOut(item, definition, { ...wanted, selection: own });
					return outputs.map(({ json }) => json);
				}
				const group = await groupOf(item);
				// What went wrong went wrong for this item, too.
				await group.latest;
				const { recordIds } = group;
				const all = { ...wanted, selection: { kind: 'records' as const, recordIds } };
				group.latest = carryOut(item, definition, all);
				return group.results(item, await group.latest);
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
