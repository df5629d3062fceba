import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../api/http/client';
import { listPages } from '../../../api/read/pages';
import type { RecordSelection } from '../../../api/read/query';
import { plainReadOptions } from '../../../api/read/readOptions';
import { simplifiedRecord, type SheetRecord } from '../../../api/read/record';
import { recordsIn } from '../../../api/read/records';
import { recordLoader } from '../../../api/read/recordLoader';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';
import { submitMassOperation } from '../../../api/tasks/massOperations';
import type { MassOperation, PartOutcome } from '../../../api/tasks/massOperations';
import { sumOfTasks, taskJson } from '../../../api/tasks/task';
import type { UserSheet } from '../../../api/users';
import type { SheetAddress } from '../../../api/values/sheetAddress';
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
import type { ItemContext } from '../../run/itemContext';
import type { Operation, OperationTexts } from '../../run/operation';
import { OutputItems, type ItemResults } from '../../run/operationResult';
import { selectionParameter } from '../../parameters/selection';
import { waitFor, waitingOptions, waitParameter } from '../task';
import { groupSameItems, type ItemGroup } from './itemGroups';

/** What is done to the selected records, and how that is sent. */
interface Definition<What> extends OperationTexts {
	/** What is done. It is not read for a preview. */
	what: Parameters<What, ItemContext>;
	/** Whether it changes fields: then the user sees first which records, and may work on a users sheet. */
	changesFields?: boolean;
	operation: (what: What) => MassOperation;
}

/** What came of a part of the selected records: of all of them when it does not say of which. */
type Outcome = Pick<PartOutcome, 'error' | 'recordIds'> & { json?: IDataObject };

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
		preview: ['Preview', 'Whether to return the selected records and change nothing'],
	}),
	...waitingOptions,
	where: rawConditions,
	timeZone: writtenTimeZone,
};

const target = { sheet: sheetParameter, selection: selectionParameter, waits: waitParameter };
const actionOptions = optionsCollection(commonOptions);
const fieldOptions = optionsCollection({ ...commonOptions, userSheet: userSheetOption });

/** Returns an operation that runs once for all items that want the same, with their own records together if those are chosen. */
export function massOperationOf<What>(definition: Definition<What>): Operation {
	const { what, changesFields, operation, ...texts } = definition;
	const options: typeof actionOptions = changesFields ? fieldOptions : actionOptions;
	const parameters = { ...target, options };
	const { sheet, selection, waits } = target;
	const selected = changesFields ? { selection, ...what } : { ...what, selection };
	const properties = propertiesOf({ sheet, ...selected, waits, options });

	async function carryOut(item: ItemContext, { indexes, byRecord }: ItemGroup): Promise<Outcome[]> {
		const { client, run, context } = item;
		const { sheet, selection: chosen, waits, options } = await parseParameters(parameters, item);
		const selection = chosen ?? { kind: 'records', recordIds: [...byRecord.keys()] };
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
				`${indexes.length} input items have the same change of the same records, so the operation ran once for all of them.`,
			);
		}
		const outputs = outcomes.map(({ taskId, task, error, recordIds }): Outcome => {
			if (error) return { error, recordIds };
			return { json: { ...(task ? taskJson(task) : { taskId }) }, recordIds };
		});
		const tasks = outcomes.flatMap(({ task, error }) => (task && !error ? [task] : []));
		return tasks.length > 1 ? [...outputs, { json: { ...taskJson(sumOfTasks(tasks)) } }] : outputs;
	}

	return {
		...texts,
		properties,
		prepare(items) {
			const groupOf = groupSameItems(items, properties);
			return async (item) => {
				const group = await groupOf(item);
				group.results ??= carryOut(item, group).then((outcomes) => resultsOf(group, outcomes));
				const results = await group.results;
				const own = results.get(item.index);
				if (own instanceof Error) throw own;
				return results;
			};
		},
	};
}

/** Returns the records that an operation would work on; ids that are not there are left out. Throws ServiceError. */
async function preview(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<Outcome[]> {
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
			const content = await loader.loadOnce(client, id);
			if (content) add({ id, content });
		}
	}
	const named = await keys.named(items, async () => await new Schema(client, sheet).namedFields());
	const isById = selection.kind === 'records';
	return named.map((json) => ({ json, recordIds: isById ? [String(json._recordId)] : undefined }));
}

/** Returns the results of all items: errors for those of what failed; one of the others has what came of the rest. */
function resultsOf({ indexes, byRecord }: ItemGroup, outcomes: readonly Outcome[]): ItemResults {
	const results: ItemResults = new Map(indexes.map((index) => [index, []]));
	const isGood = (index: number) => !(results.get(index) instanceof Error);
	const indexesOf = ({ recordIds }: Outcome) => {
		if (!recordIds || byRecord.size === 0) return indexes;
		const own = recordIds.flatMap((recordId) => byRecord.get(recordId) ?? []);
		return own.sort((left, right) => left - right);
	};
	for (const outcome of outcomes) {
		const { error } = outcome;
		if (error) indexesOf(outcome).forEach((index) => results.set(index, error));
	}
	const items = outcomes.flatMap((outcome) => {
		const { json } = outcome;
		const links = indexesOf(outcome).filter(isGood);
		const pairedItem = links.map((item) => ({ item }));
		return json ? [{ json, pairedItem: links.length > 1 ? pairedItem : pairedItem[0] }] : [];
	});
	const first = indexes.find(isGood);
	return first === undefined ? results : results.set(first, new OutputItems(items));
}
