import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { errorJson, errorOutputJson, nodeError } from '../../shared/nodeError';
import { ItemContext } from './itemContext';
import type { Operation } from './operation';
import { linkedItems, postponed } from './operationResult';
import { findOperation } from '../resources';
import { Run } from './run';
import { boundedAnswer } from './toolAnswer';

/** Runs the chosen operation for each item, links results to their items, and turns whatever is thrown into an error of the item. */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const jsonOf = node.onError === 'continueErrorOutput' ? errorOutputJson : errorJson;
	const run = new Run(context);
	const items = context.getInputData().map((_, index) => new ItemContext(run, index));
	const runItem = preparedOperations(items.filter(({ index }) => !run.outcomes.settled.has(index)));
	const outputs: INodeExecutionData[][] = [];
	// Grows by those that are postponed.
	const turns = [...items];
	for (const item of turns) {
		const { index } = item;
		try {
			const result = await run.outcome(index, async () => await runItem(await item.connected()));
			if (result === postponed) {
				item.comesAgain = false;
				turns.push(item);
				continue;
			}
			outputs[index] = linkedItems(result, index);
		} catch (thrown) {
			const error = nodeError(node, thrown, index);
			if (run.isCancelled) run.showCancelled();
			if (run.isCancelled || !context.continueOnFail()) throw nodeError(node, error, index);
			outputs[index] = [{ json: jsonOf(error, thrown), pairedItem: { item: index } }];
		}
		run.progress({ item: index });
	}
	await run.showHints();
	const output = outputs.flat();
	// For a tool of an AI agent, n8n makes another type of the node.
	return [node.type.endsWith('Tool') ? boundedAnswer(output) : output];
}

/** Returns what runs for each item: its operation, which is prepared once, with all items. */
function preparedOperations(items: readonly ItemContext[]): ReturnType<Operation['prepare']> {
	const prepared = new Map<string, ReturnType<Operation['prepare']>>();
	return async (item) => {
		const resource = item.text('resource');
		const operation = item.text('operation');
		const prepare = () => findOperation(resource, operation).prepare(items);
		return await getOrInsert(prepared, `${resource}.${operation}`, prepare)(item);
	};
}
