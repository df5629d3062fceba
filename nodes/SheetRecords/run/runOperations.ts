import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { mayConcernField } from '../../api/http/policies';
import { ServiceError } from '../../api/http/serviceError';
import { getOrInsert } from '../../api/json/objects';
import { addMissingSubtables } from '../../shared/output/missingSubtables';
import { errorJson, errorOutputJson, nodeError, toolError } from '../../shared/nodeError';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import { ItemContext } from './itemContext';
import type { Operation } from './operation';
import { Deferred, linkedItems, type ItemOutcome } from './operationResult';
import { findOperation } from '../resources';
import { Run } from './run';
import { addKeysOfSkippedItems } from './skippedItems';
import { boundedAnswer } from './toolAnswer';
import { writeReport } from './writeReport';

/**
 * Runs the selected operation for each item, and links results to their items. Throws the first failure as an error of n8n. With
 * Continue On Fail, returns an error item instead, which n8n moves to the error output if the node has one.
 */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const jsonOf = node.onError === 'continueErrorOutput' ? errorOutputJson : errorJson;
	const run = new Run(context);
	const items = context.getInputData().map((_, index) => new ItemContext(run, index));
	const runItem = preparedOperations(items.filter(({ index }) => !run.journal.settled.has(index)));
	const outputs: INodeExecutionData[][] = [];
	const failed = new Set<number>();
	// Deferred items are appended, so the loop finishes them last.
	const queue = items.map((item): ItemWork => {
		return { index: item.index, work: async () => await runItem(await item.connected()) };
	});
	for (const { index, work } of queue) {
		try {
			await run.beforeItem();
			const result = await run.outcome(index, work);
			if (result instanceof Deferred) {
				queue.push({ index, work: result.finish });
				continue;
			}
			outputs[index] = linkedItems(result, index);
		} catch (thrown) {
			const error = nodeError(node, thrown, index);
			renewFieldsAfter(thrown, items[index]);
			if (run.isCancelled) {
				run.showCancelled();
				throw nodeError(node, error, index);
			}
			if (!context.continueOnFail()) {
				throw nodeError(node, run.isTool ? toolError(node, error, index) : error, index);
			}
			failed.add(index);
			run.journal.hasFailure ||= node.retryOnFail === true;
			outputs[index] = [{ json: jsonOf(error, thrown), pairedItem: { item: index } }];
		}
		run.progress({ item: index });
	}
	const records = [...run.journal.recordGroups].flatMap(([index, group]) => {
		const items = failed.has(index) ? [] : (outputs[index] ?? []);
		return items.map(({ json }) => [group, json] as const);
	});
	addMissingSubtables(records);
	const [first] = items;
	const operation = first && `${first.text('resource')}.${first.text('operation')}`;
	const succeeded = outputs.filter((_, index) => !failed.has(index)).flat();
	addKeysOfSkippedItems(
		operation,
		succeeded.map(({ json }) => json),
	);
	run.hints.report = writeReport(operation, { outputs, failed }, run.cost);
	await run.showHints();
	const output = outputs.flat();
	return [run.isTool ? boundedAnswer(output, run.matchedRecords) : output];
}

/** Drops the list of fields that another run loaded if a request of the item failed because of a field that may have been deleted. */
function renewFieldsAfter(thrown: unknown, item: ItemContext | undefined): void {
	if (!item || !(thrown instanceof ServiceError) || !mayConcernField(thrown)) return;
	try {
		fieldsOfSheet(item).forgetLists();
	} catch {
		// Some operations have no sheet. The failure of the item must not be replaced.
	}
}

/** Work for one item. */
interface ItemWork {
	/** Index of the item. */
	index: number;
	work: () => Promise<ItemOutcome>;
}

/**
 * Returns a function that runs the operation of an item. Prepares each operation once, with all `items`. They do not include
 * items that an earlier attempt of Retry On Fail has settled.
 */
function preparedOperations(items: readonly ItemContext[]): ReturnType<Operation['prepare']> {
	const prepared = new Map<string, ReturnType<Operation['prepare']>>();
	return async (item) => {
		const resource = item.text('resource');
		const operation = item.text('operation');
		const prepare = () => findOperation(resource, operation).prepare(items);
		return await getOrInsert(prepared, `${resource}.${operation}`, prepare)(item);
	};
}
