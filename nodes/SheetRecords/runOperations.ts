import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Client } from '../api/http/client';
import type { CredentialType } from '../api/http/connection';
import { itemContexts, warn, type ItemContext } from './itemContext';
import { errorJson, errorOutputJson, nodeError } from '../ui/nodeError';
import { FileResult, LinkedResults, type OperationResult } from './operationResult';
import type { Operation } from './operation';
import { isCancelled, Progress } from './progress';
import { findOperation } from './resources';
import { runOutcomes } from './runOutcomes';
import { getOrInsert } from '../api/json/objects';

/**
 * Runs the chosen operation for each item, in their order: the one place that links results to their
 * items and turns whatever is thrown into an error of the item.
 */
export async function runOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outcomes = runOutcomes(context);
	const progress = new Progress(context, (index) => outcomes.isSettled(index));
	const clientOf = clientsOf(context);
	const { items, tellAtEnd } = itemContexts(
		context,
		outcomes.hints,
		progress,
		async (type, index) => (await clientOf(type)).confirming(outcomes.writesOf(index)),
	);
	const runOf = runsOf(items.filter(({ index }) => !outcomes.isSettled(index)));
	const output: INodeExecutionData[] = [];
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const jsonOf = hasErrorOutput ? errorOutputJson : errorJson;
	// The hints of a try that failed are gone with it.
	for (const message of outcomes.hints.told) warn(context, message);
	for (const item of items) {
		try {
			const result = await outcomes.of(
				item.index,
				async () => await runOf(item)(await item.connected()),
			);
			for (const made of itemsOf(result, item)) output.push(made);
		} catch (thrown) {
			const error = nodeError(context.getNode(), thrown, item.index);
			const endsCancelled = isCancelled(context);
			if (endsCancelled) progress.tellCancelled();
			if (endsCancelled || !context.continueOnFail())
				throw nodeError(context.getNode(), error, item.index);
			output.push({ json: jsonOf(error, thrown), pairedItem: { item: item.index } });
		}
		progress.passItem();
	}
	tellAtEnd();
	return [output];
}

function itemsOf(result: OperationResult, { index }: ItemContext): INodeExecutionData[] {
	if (result instanceof LinkedResults) {
		return result.results.map(({ json, itemIndexes }) => ({
			json,
			pairedItem: itemIndexes.map((item) => ({ item })),
		}));
	}
	const pairedItem = { item: index };
	if (result instanceof FileResult) {
		return [{ json: result.json, binary: result.files, pairedItem }];
	}
	return (Array.isArray(result) ? result : [result]).map((json) => ({ json, pairedItem }));
}

/** One client for each credential that the items choose. */
function clientsOf(context: IExecuteFunctions): (type: CredentialType) => Promise<Client> {
	const clients = new Map<CredentialType, Promise<Client>>();
	return async (type) => await getOrInsert(clients, type, () => Client.connect(context, type));
}

/** What runs for each item; operations are prepared once, with all items. */
function runsOf(items: readonly ItemContext[]) {
	const prepared = new Map<string, ReturnType<Operation['prepare']>>();
	return (item: ItemContext) => {
		const resource = item.text('resource');
		const operation = item.text('operation');
		const key = `${resource}.${operation}`;
		return getOrInsert(prepared, key, () => findOperation(resource, operation).prepare(items));
	};
}
