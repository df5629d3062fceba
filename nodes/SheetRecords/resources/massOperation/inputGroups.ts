import type { INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../../../api/json/objects';
import { isLuxonText } from '../../../api/values/dates';
import { nodeError } from '../../../ui/nodeError';
import type { ItemContext } from '../../itemContext';
import { groupItems } from '../../operation';
import { OutputItems, type ItemResults, type OperationResult } from '../../operationResult';
import { readInputRecordId, takesInputItems } from '../../parameters/selection';
import type { OperationOutput } from './preview';

/** Items whose records are worked on together. */
export class InputGroup {
	/** What came of the records when an item of the group ran last. */
	latest?: Promise<OperationOutput[]>;
	/** Numbers of the items by the id of their record. */
	private readonly itemIndexes = new Map<string, number[]>();

	get recordIds(): string[] {
		return [...this.itemIndexes.keys()];
	}

	add({ index }: ItemContext, recordId: string): void {
		getOrInsert(this.itemIndexes, recordId, () => []).push(index);
	}

	/** Returns results for all items of the group: those of one item, linked to all that they are about. */
	results({ index }: ItemContext, outputs: readonly OperationOutput[]): ItemResults {
		const linked = new OutputItems(
			outputs.map(({ json, recordIds = this.recordIds }) => ({
				json,
				pairedItem: this.itemIndexesOf(recordIds).map((item) => ({ item })),
			})),
		);
		const others = this.itemIndexesOf(this.recordIds);
		const results = others.map((other): [number, OperationResult] => [other, []]);
		return new Map([...results, [index, linked]]);
	}

	private itemIndexesOf(recordIds: readonly string[]): number[] {
		return recordIds
			.flatMap((recordId) => this.itemIndexes.get(recordId) ?? [])
			.sort((left, right) => left - right);
	}
}

/**
 * Groups all items that agree in these parameters, before the first of them runs. Returns what gives the group of an
 * item; it throws what is wrong with the item and, without Continue On Fail, the error of any item.
 */
export function groupInputItems(
	items: readonly ItemContext[],
	properties: readonly INodeProperties[],
): (item: ItemContext) => Promise<InputGroup> {
	const begun = Date.now();
	const groups = new Map<string, InputGroup>();
	const names = ['authentication', ...properties.map(({ name }) => name)];
	// `$now` is a little later for each item, and means the same.
	const withoutNow = (_: string, value: unknown) => {
		const moment = isLuxonText(value) ? Date.parse(value) : NaN;
		return moment >= begun && moment <= Date.now() ? 'now' : value;
	};
	const parse = (item: ItemContext) =>
		takesInputItems(item) ? readInputRecordId(item) : undefined;
	const groupOf = groupItems(
		items,
		async (item) => parse(item),
		(item: ItemContext, recordId) => {
			const key = JSON.stringify(
				names.map((name) => item.value(name)),
				withoutNow,
			);
			const group = getOrInsert(groups, key, () => new InputGroup());
			if (recordId !== undefined) group.add(item, recordId);
			return group;
		},
		(item, error) => {
			throw nodeError(item.context.getNode(), error, item.index);
		},
	);
	return async (item) => await groupOf(item, parse(item));
}
