import type { INodeProperties } from 'n8n-workflow';
import { nodeError } from '../../../ui/nodeError';
import { isLuxonText } from '../../../api/values/dates';
import type { ItemContext, Item } from '../../itemContext';
import { ItemResults, LinkedResults, type OperationResult } from '../../operationResult';
import { readInputRecordId, takesInputItems } from '../../parameters/selection';
import { groupItems } from '../../groupItems';
import type { OperationOutput } from './preview';
import { getOrInsert } from '../../../api/json/objects';

/** Items whose records are worked on together: those that say the same in all their parameters. */
export class InputGroup {
	/** Numbers of the items by the id of their record. */
	private readonly itemIndexes = new Map<string, number[]>();

	get recordIds(): string[] {
		return [...this.itemIndexes.keys()];
	}

	add({ index }: Item, recordId: string): void {
		const itemIndexes = getOrInsert(this.itemIndexes, recordId, () => []);
		itemIndexes.push(index);
	}

	/** Results for all items of the group: the outputs come in the turn of one, linked to all they are about. */
	results({ index }: Item, outputs: readonly OperationOutput[]): ItemResults {
		const linked = new LinkedResults(
			outputs.map(({ json, recordIds }) => ({
				json,
				itemIndexes: this.itemIndexesOf(recordIds ?? this.recordIds),
			})),
		);
		const others = this.itemIndexesOf(this.recordIds);
		const results = others.map((other): [number, OperationResult] => [other, []]);
		return new ItemResults(new Map([...results, [index, linked]]));
	}

	private itemIndexesOf(recordIds: readonly string[]): number[] {
		return recordIds
			.flatMap((recordId) => this.itemIndexes.get(recordId) ?? [])
			.sort((left, right) => left - right);
	}
}

/** The groups of all input items, which are read together before anything is done. */
export class InputGroups {
	private readonly begun = Date.now();
	private readonly groups = new Map<string, InputGroup>();
	/**
	 * Returns the group of an item. Throws what reading the item threw; without Continue On Fail the error of any
	 * item, since then nothing is to be done.
	 */
	readonly of: (item: ItemContext) => Promise<InputGroup>;

	/** @param parameters what items have to say the same in */
	constructor(
		items: readonly ItemContext[],
		private readonly parameters: readonly INodeProperties[],
	) {
		const parse = (item: ItemContext) =>
			takesInputItems(item) ? readInputRecordId(item) : undefined;
		const groupOf = groupItems(
			items,
			async (item) => parse(item),
			(item: ItemContext, recordId) => {
				const group = this.groupOf(item);
				if (recordId !== undefined) group.add(item, recordId);
				return group;
			},
			(item, error) => {
				throw nodeError(item.context.getNode(), error, item.index);
			},
		);
		this.of = async (item) => await groupOf(item, parse(item));
	}

	private groupOf(item: ItemContext): InputGroup {
		const names = ['authentication', ...this.parameters.map(({ name }) => name)];
		const key = JSON.stringify(
			names.map((name) => item.value(name)),
			(_, value: unknown) => (this.isNow(value) ? 'now' : value),
		);
		return getOrInsert(this.groups, key, () => new InputGroup());
	}

	/** `$now` is a little later for each item, and means the same. */
	private isNow(value: unknown): boolean {
		if (!isLuxonText(value)) return false;
		const moment = Date.parse(value);
		return moment >= this.begun && moment <= Date.now();
	}
}
