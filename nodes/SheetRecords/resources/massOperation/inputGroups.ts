import type { INodeProperties } from 'n8n-workflow';
import { nodeError } from '../../../shared/nodeError';
import { isLuxonText } from '../../../wire/dates';
import type { ItemParameters } from '../../itemParameters';
import { readInputRecordId, takesInputItems } from '../../parameters/selection';

/** Items whose records are worked on together: those that say the same in all their parameters. */
export class InputGroup {
	/** Numbers of the items by the id of their record. */
	private readonly itemIndexes = new Map<string, number[]>();

	/** The id of each record once, in the order of the items. */
	get recordIds(): string[] {
		return [...this.itemIndexes.keys()];
	}

	/** Takes an item in, with the id of its record. */
	add({ index }: ItemParameters, recordId: string): void {
		const itemIndexes = this.itemIndexes.get(recordId) ?? [];
		this.itemIndexes.set(recordId, itemIndexes);
		itemIndexes.push(index);
	}

	/** The numbers of the items that stand for the records, or of all items of the group. */
	itemIndexesOf(recordIds: readonly string[] = this.recordIds): number[] {
		return recordIds
			.flatMap((recordId) => this.itemIndexes.get(recordId) ?? [])
			.sort((left, right) => left - right);
	}
}

/** The groups of all input items, which are read together before anything is done. */
export class InputGroups {
	private readonly begun = Date.now();

	private readonly groups = new Map<string, InputGroup>();

	private readonly groupsOfItems = new Map<ItemParameters, InputGroup>();

	private readonly unreadable = new Map<ItemParameters, unknown>();

	private isRead = false;

	constructor(
		private readonly items: readonly ItemParameters[],
		private readonly parameters: readonly INodeProperties[],
	) {}

	/**
	 * The group of an item.
	 *
	 * @throws what reading the item threw; without Continue On Fail the error of any item, since then
	 *   nothing is to be done
	 */
	of(item: ItemParameters): InputGroup {
		if (!this.isRead) this.readAll();
		if (this.unreadable.size > 0) this.throwErrorFor(item);
		const group = this.groupsOfItems.get(item);
		if (group) return group;
		throw new Error(`Item ${item.index} belongs to no group`);
	}

	private throwErrorFor(item: ItemParameters): void {
		const [first] = this.unreadable.keys();
		const failed = item.context.continueOnFail() ? item : first;
		if (!failed || !this.unreadable.has(failed)) return;
		throw nodeError(item.context.getNode(), this.unreadable.get(failed), failed.index);
	}

	private readAll(): void {
		this.isRead = true;
		for (const item of this.items) {
			try {
				if (takesInputItems(item)) this.read(item);
			} catch (error) {
				this.unreadable.set(item, error);
			}
		}
	}

	private read(item: ItemParameters): void {
		const recordId = readInputRecordId(item);
		const names = ['authentication', ...this.parameters.map(({ name }) => name)];
		const key = JSON.stringify(
			names.map((name) => item.value(name)),
			(_, value: unknown) => (this.isNow(value) ? 'now' : value),
		);
		const group = this.groups.get(key) ?? new InputGroup();
		this.groups.set(key, group);
		group.add(item, recordId);
		this.groupsOfItems.set(item, group);
	}

	/** `$now` is a little later for each item, and means the same. */
	private isNow(value: unknown): boolean {
		if (!isLuxonText(value)) return false;
		const moment = Date.parse(value);
		return moment >= this.begun && moment <= Date.now();
	}
}
