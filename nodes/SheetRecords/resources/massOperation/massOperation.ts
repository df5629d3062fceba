import { recordsIn } from '../../../api/read/records';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { simplifiedRecord, type SheetRecord } from '../../../api/read/record';
import { listPages } from '../../../api/read/pages';
import { plainReadOptions } from '../../../api/read/readOptions';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';
import type { Client } from '../../../api/http/client';
import { submitMassOperation, type MassOperation } from '../../../api/tasks/massOperations';
import { sumOfTasks, taskJson, type TaskWaiting } from '../../../api/tasks/task';
import type { RecordSelection } from '../../../api/read/query';
import type { UserSheet } from '../../../api/users';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { rawConditions } from '../../../ui/filters';
import { writtenTimeZone } from '../../../ui/options';
import {
	choiceOption,
	flagOptions,
	optionsCollection,
	parseParameters,
	propertiesOf,
	type Parameters,
	type Parameter,
} from '../../../ui/parameter';
import { sheetParameter } from '../../../ui/sheet';
import type { ItemContext } from '../../itemContext';
import type { Operation, OperationTexts } from '../../operation';
import { selectionParameter } from '../../parameters/selection';
import { waitFor, waitingOptions, waitParameter } from '../task';
import { groupAlike, type ItemGroup, type Outcome } from './itemGroups';

/** What is done to the selected records, and how that is sent. */
interface Definition<What> extends OperationTexts {
	/** What is done. It is not read for a preview. */
	what: Parameters<What, ItemContext>;
	/** Whether it changes fields: then the user sees first which records, and may work on a users sheet. */
	changesFields?: boolean;
	operation: (what: What) => MassOperation;
}

interface Target {
	sheet: SheetAddress;
	/** Undefined for the records of the input items. */
	selection?: RecordSelection;
	waits: boolean;
	options: { waiting: TaskWaiting; failOnPartial?: boolean; preview?: boolean };
}

/** Which users sheet the item says that it works on. */
export const userSheetOption = choiceOption<UserSheet>({
	displayName: 'Users Sheet',
	name: 'userSheet',
	choices: {
		external: 'External Users',
		internal: 'Internal Users',
		none: ['No', 'The sheet holds no users of the account'],
	},
	default: 'none',
	description:
		"Whether the sheet holds the account's users: then protected fields are refused, and groups written as the service wants them",
});

const commonOptions = {
	...flagOptions({
		preview: [
			'Preview',
			'Whether to return the records that the selection matches, and change nothing',
		],
	}),
	...waitingOptions,
	where: rawConditions,
	timeZone: writtenTimeZone,
};

const actionOptions = optionsCollection(commonOptions);
const fieldOptions = optionsCollection({ ...commonOptions, userSheet: userSheetOption });

/** Returns an operation that runs once for all items that want the same, with their own records together if those are chosen. */
export function massOperation<What>(definition: Definition<What>): Operation {
	const { what, changesFields, value, name, action, description } = definition;
	const options: Parameter<Promise<Target['options']>, ItemContext> = changesFields
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
			const groupOf = groupAlike(items, properties);
			return async (item) => {
				const group = await groupOf(item);
				group.results ??= parseParameters(target, item).then(async (wanted) => {
					return group.resultsOf(await carryOut(item, definition, wanted, group));
				});
				const results = await group.results;
				const own = results.get(item.index);
				if (own instanceof Error) throw own;
				return results;
			};
		},
	};
}

async function carryOut<What>(
	item: ItemContext,
	{ what, operation }: Definition<What>,
	{ sheet, selection: chosen, waits, options }: Target,
	{ indexes, recordIds }: ItemGroup,
): Promise<Outcome[]> {
	const { client, run, context } = item;
	const selection = chosen ?? { kind: 'records', recordIds };
	if (options.preview) return await preview(client, sheet, selection);
	const waitForEnd = async (taskId: string) =>
		await waitFor(item, { taskId, sheet, isNew: true }, options);
	const change = operation(await parseParameters(what, item));
	const outcomes = await submitMassOperation(client, sheet, change, selection, {
		waitForEnd: waits ? waitForEnd : undefined,
		goesOn: !chosen && context.continueOnFail(),
	});
	if (chosen && indexes.length > 1) {
		run.hints.warnings.add(
			`${indexes.length} input items ask for the same change of the same records, so it was made once, for all of them.`,
		);
	}
	const outputs = outcomes.map(({ taskId, task, error, recordIds: ids }): Outcome => ({
		json: error ? undefined : { ...(task ? taskJson(task) : { taskId }) },
		error,
		recordIds: ids,
	}));
	const tasks = outcomes.flatMap(({ task, error }) => (task && !error ? [task] : []));
	return tasks.length > 1 ? [...outputs, { json: { ...taskJson(sumOfTasks(tasks)) } }] : outputs;
}

const reading = plainReadOptions('FNAME');

/** The records that an operation would work on; ids that are not there are left out. Throws ServiceError. */
async function preview(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<Outcome[]> {
	const keys = new ItemKeys();
	const items: Array<ReturnType<typeof simplifiedRecord>> = [];
	const add = (record: SheetRecord) => items.push(simplifiedRecord(record, keys));
	if (selection.kind === 'filters') {
		const request = { sheet, where: selection.where, reading };
		for await (const page of listPages(client, request, recordsIn)) page.forEach(add);
	} else {
		const records = recordsByIds(client, sheet, reading).expect(...selection.recordIds);
		for (const id of new Set(selection.recordIds)) {
			const content = await records.take(client, id);
			if (content) add({ id, content });
		}
	}
	const schema = new Schema(client, sheet);
	const named = await keys.named(items, async () => await schema.namedFields());
	const isById = selection.kind === 'records';
	return named.map((json) => ({
		json,
		recordIds: isById ? [String(json._recordId)] : undefined,
	}));
}
