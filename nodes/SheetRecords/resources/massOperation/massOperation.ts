import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { listPages } from '../../../api/read/pages';
import type { RecordSelection } from '../../../api/read/query';
import { plainReadOptions } from '../../../api/read/readOptions';
import { simplifiedRecord, type SheetRecord } from '../../../api/read/record';
import { recordsIn } from '../../../api/read/records';
import { recordLoader } from '../../../api/read/recordLoader';
import { ItemKeys } from '../../../api/sheet/fieldNames';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { submitMassOperation } from '../../../api/tasks/massOperations';
import type { MassOperation, PartOutcome } from '../../../api/tasks/massOperations';
import { sumOfTasks, taskJson, uncountedRecords } from '../../../api/tasks/task';
import type { UserSheet } from '../../../api/users';
import type { ValueNote } from '../../../api/write/recordContent';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { withWarnings } from '../../../shared/output/recordFiles';
import { rawConditions } from '../../../shared/parameters/filters';
import { writtenTimeZone } from '../../../shared/parameters/options';
import {
	choiceOption,
	flagOptions,
	optionsCollection,
	parseParameters,
	propertiesOf,
	type Parameters,
} from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { notesSentence } from '../../run/hints';
import type { ItemContext } from '../../run/itemContext';
import type { Operation, OperationTexts } from '../../run/operation';
import { OutputItems, type ItemResults } from '../../run/operationResult';
import { selectionParameter } from '../../parameters/selection';
import { waitFor, waitingOptions, waitParameter } from '../task';
import { groupSameItems, type ItemGroup } from './itemGroups';

/** Definition of a mass operation. */
interface MassDefinition<What> extends OperationTexts {
	/** Parameters of the change. Not parsed for a preview. */
	changeParameters: Parameters<What, ItemContext>;
	/** Whether the operation changes fields. If so, the selection is shown first, and there is an option for users sheets. */
	changesFields?: boolean;
	operation: (what: What) => MassOperation;
	/** Returns notes on values that are sent, although they may be a mistake. */
	notesOf?: (what: What) => readonly ValueNote[];
}

/** Output or error of a part of the selected records. Without `recordIds`, of all of them. */
type PartOutput = Pick<PartOutcome, 'error' | 'recordIds'> & { json?: IDataObject };

export const userSheetOption = choiceOption<UserSheet>({
	displayName: 'Users Sheet',
	name: 'userSheet',
	choices: {
		external: 'External Users',
		internal: 'Internal Users',
		none: ['No', 'The sheet does not contain users of the account'],
	},
	default: 'none',
	description:
		'Whether the sheet contains the users of the account. If so, protected fields are rejected, and groups are sent in the format of the service.',
});

const commonOptions = {
	...flagOptions({
		preview: {
			label: 'Preview',
			description: 'Whether to return the selected records and change nothing',
		},
	}),
	...waitingOptions,
	where: rawConditions,
	offsetHours: writtenTimeZone,
};

const target = { sheet: sheetParameter, selection: selectionParameter, waits: waitParameter };
const actionOptions = optionsCollection(commonOptions);
const fieldChangeOptions = optionsCollection({ ...commonOptions, userSheet: userSheetOption });

/** Returns an operation that runs once for all items with the same parameters. With 'Input Items', it runs for the records of these items together. */
export function massOperationOf<What>(definition: MassDefinition<What>): Operation {
	const { changeParameters: what, changesFields, operation, notesOf, ...texts } = definition;
	const options: typeof actionOptions = changesFields ? fieldChangeOptions : actionOptions;
	const parameters = { ...target, options };
	const { sheet, selection, waits } = target;
	const selected = changesFields ? { selection, ...what } : { ...what, selection };
	const properties = propertiesOf({ sheet, ...selected, waits, options });

	async function carryOut(
		item: ItemContext,
		{ indexes, byRecord }: ItemGroup,
	): Promise<PartOutput[]> {
		const { client, run, context } = item;
		const { sheet, selection: common, waits, options } = await parseParameters(parameters, item);
		// The records of the items are selected if there is no common selection.
		const selection = common ?? { kind: 'records', recordIds: [...byRecord.keys()] };
		if (options.preview) {
			const records = await preview(client, sheet, selection);
			if (records.length === 0) run.hints.warnings.add('No record matched the selection.');
			return records;
		}
		const waitForEnd = async (taskId: string, recordIds?: readonly string[]) =>
			await waitFor(item, { taskId, sheet, isNew: true, selected: recordIds }, options);
		const given = await parseParameters(what, item);
		const outcomes = await submitMassOperation(
			client,
			sheet,
			{ ...operation(given), selection },
			{
				waitForEnd: waits ? waitForEnd : undefined,
				continuesAfterFailure: !common && context.continueOnFail(),
			},
		);
		if (common && indexes.length > 1) {
			run.hints.warnings.add(
				`${indexes.length} input items have the same change of the same records, so the operation ran once for all of them.`,
			);
		}
		const check = notesSentence('Check what was sent', notesOf?.(given) ?? []);
		const outputs = outcomes.map((outcome) => outputOf(outcome, check));
		const tasks = outcomes.flatMap(({ task }) => task ?? []);
		return tasks.length > 1 ? [...outputs, { json: { ...taskJson(sumOfTasks(tasks)) } }] : outputs;
	}

	return {
		...texts,
		properties,
		prepare(items) {
			const groupOf = groupSameItems(items, properties, propertiesOf(what));
			return async (item) => {
				const group = await groupOf(item);
				group.results ??= carryOut(item, group).then((outcomes) => resultsOf(group, outcomes));
				const results = await group.results;
				const result = results.get(item.index);
				if (result instanceof Error) throw result;
				return results;
			};
		},
	};
}

/** Returns the output of a part, with all warnings in one text. */
function outputOf(
	{ taskId, task, error, warning, recordIds }: PartOutcome,
	check: string | undefined,
): PartOutput {
	if (error) return { error, recordIds };
	const uncounted = task && recordIds && uncountedRecords(task, recordIds);
	const warnings = [warning, uncounted, check].filter((words) => words !== undefined);
	const [json] = withWarnings([task ? { ...taskJson(task) } : { taskId }], warnings);
	return { json, recordIds };
}

/** Fetches the records that an operation would change. IDs without a record are left out. Throws ServiceError. */
async function preview(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<PartOutput[]> {
	const reading = plainReadOptions('FNAME');
	const keys = new ItemKeys();
	const items: Array<ReturnType<typeof simplifiedRecord>> = [];
	const add = (record: SheetRecord) => items.push(simplifiedRecord(record, keys));
	if (selection.kind === 'filters') {
		const request = { sheet, where: selection.where, reading };
		for await (const page of listPages(client, request, recordsIn)) page.forEach(add);
	} else {
		const loader = recordLoader(client, sheet, reading).enqueue(...selection.recordIds);
		for (const id of new Set(selection.recordIds)) {
			const content = await loader.loadAndDrop(client, id);
			if (content) add({ id, content });
		}
	}
	const named = await keys.withOutputKeys(items, new SheetFields(client, sheet));
	const isById = selection.kind === 'records';
	return named.map((json) => ({ json, recordIds: isById ? [String(json._recordId)] : undefined }));
}

/**
 * Returns the results of all items: errors for the items of failed parts. The first of the other items has the output of all
 * other parts, linked to the items of each part. The remaining items have an empty list.
 */
function resultsOf({ indexes, byRecord }: ItemGroup, outcomes: readonly PartOutput[]): ItemResults {
	const results: ItemResults = new Map(indexes.map((index) => [index, []]));
	const hasSucceeded = (index: number) => !(results.get(index) instanceof Error);
	const indexesOf = ({ recordIds }: PartOutput) => {
		if (!recordIds || byRecord.size === 0) return indexes;
		const indexesOfPart = recordIds.flatMap((recordId) => byRecord.get(recordId) ?? []);
		return indexesOfPart.sort((left, right) => left - right);
	};
	for (const outcome of outcomes) {
		const { error } = outcome;
		if (error) indexesOf(outcome).forEach((index) => results.set(index, error));
	}
	const items = outcomes.flatMap((outcome) => {
		const { json } = outcome;
		const links = indexesOf(outcome).filter(hasSucceeded);
		const pairedItem = links.map((item) => ({ item }));
		return json ? [{ json, pairedItem: links.length > 1 ? pairedItem : pairedItem[0] }] : [];
	});
	const first = indexes.find(hasSucceeded);
	return first === undefined ? results : results.set(first, new OutputItems(items));
}
