import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { authenticationParameter } from '../ui/authentication';
import { Client } from '../api/http/client';
import type { CredentialType } from '../api/http/connection';
import { itemParameters, warn, type ItemParameters } from './itemParameters';
import { errorJson, errorOutputJson, nodeError } from '../ui/nodeError';
import { FileResult, LinkedResults, type OperationResult } from './operationResult';
import type { ClientOf, OperationRun } from './operation';
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
	const { items, tellAtEnd } = itemParameters(context, outcomes.hints, progress);
	const clientOf = clientsOf(context);
	const open = items.filter(({ index }) => !outcomes.isSettled(index));
	const runOf = runsOf(open, clientOf);
	const output: INodeExecutionData[] = [];
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const jsonOf = hasErrorOutput ? errorOutputJson : errorJson;
	// The hints of a try that failed are gone with it.
	for (const message of outcomes.hints.told) warn(context, message);
	for (const item of items) {
		try {
			const result = await outcomes.of(item.index, async (writes) => {
				const client = (await clientOf(item)).confirming(writes);
				return await runOf(item)({ item, client });
			});
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

function itemsOf(result: OperationResult, { index }: ItemParameters): INodeExecutionData[] {
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
function clientsOf(context: IExecuteFunctions): ClientOf {
	const clients = new Map<CredentialType, Promise<Client>>();
	return async (item) => {
		const type = authenticationParameter.read({ item });
		return await getOrInsert(clients, type, () => Client.connect(context, type));
	};
}

/** What runs for each item; operations begin once, with all items. */
function runsOf(items: readonly ItemParameters[], clientOf: ClientOf) {
	const begun = new Map<string, OperationRun>();
	return (item: ItemParameters): OperationRun => {
		const resource = item.text('resource');
		const operation = item.text('operation');
		const key = `${resource}.${operation}`;
		return getOrInsert(begun, key, () => findOperation(resource, operation).begin(items, clientOf));
	};
}
