import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../../../api/json/objects';
import type { ItemContext } from '../../itemContext';
import { groupItems } from '../../operation';
import { OutputItems, type ItemResults } from '../../operationResult';
import { readInputRecordId, takesInputItems } from '../../parameters/selection';

/** What came of a part of the selected records: of all of them when it does not say of which. */
export interface Outcome {
	json?: IDataObject;
	error?: Error;
	recordIds?: readonly string[];
}

/** Items that want the same: it is done once, for all of them. */
export class ItemGroup {
	results?: Promise<ItemResults>;
	/** The numbers of the items. */
	readonly indexes: number[] = [];
	private readonly byRecord = new Map<string, number[]>();

	/** The ids of the items' own records. */
	get recordIds(): string[] {
		return [...this.byRecord.keys()];
	}

	add({ index }: ItemContext, recordId: string | undefined): void {
		this.indexes.push(index);
		if (recordId !== undefined) getOrInsert(this.byRecord, recordId, () => []).push(index);
	}

	/** Returns the results of all items: errors for those of what failed; one of the others has what came of the rest. */
	resultsOf(outcomes: readonly Outcome[]): ItemResults {
		const results: ItemResults = new Map(this.indexes.map((index) => [index, []]));
		for (const { error, recordIds } of outcomes) {
			if (error) this.indexesOf(recordIds).forEach((index) => results.set(index, error));
		}
		const isGood = (index: number) => !(results.get(index) instanceof Error);
		const first = this.indexes.find(isGood);
		const items = outcomes.flatMap(({ json, recordIds }) => {
			const links = this.indexesOf(recordIds)
				.filter(isGood)
				.map((item) => ({ item }));
			const [only, ...others] = links;
			return json ? [{ json, pairedItem: others.length > 0 ? links : only }] : [];
		});
		return first === undefined ? results : results.set(first, new OutputItems(items));
	}

	private indexesOf(recordIds?: readonly string[]): number[] {
		if (!recordIds || this.byRecord.size === 0) return this.indexes;
		const indexes = recordIds.flatMap((recordId) => this.byRecord.get(recordId) ?? []);
		return indexes.sort((left, right) => left - right);
	}
}

/** Groups the items that agree in these parameters. Returns what gives an item's group; throws as `groupItems`. */
export function groupAlike(
	items: readonly ItemContext[],
	properties: readonly INodeProperties[],
): (item: ItemContext) => Promise<ItemGroup> {
	const groups = new Map<string, ItemGroup>();
	const names = ['authentication', ...properties.map(({ name }) => name)];
	return groupItems(items, async (item) => {
		const recordId = takesInputItems(item) ? readInputRecordId(item) : undefined;
		const { parameters } = item.context.getNode();
		const wanted = names.map((name) => wantedOf(parameters[name], () => item.value(name)));
		const group = getOrInsert(groups, JSON.stringify(wanted), () => new ItemGroup());
		group.add(item, recordId);
		return group;
	});
}

/** Returns what is written in a parameter, with values in place of expressions that may differ between items. */
function wantedOf(written: unknown, value: () => unknown): unknown {
	if (typeof written === 'string') return differs(written) ? value() : written;
	if (typeof written !== 'object' || written === null) return written;
	const values = new Map<string, unknown>(Object.entries(value() ?? {}));
	return Object.entries(written).map(([name, part]) => [
		name,
		wantedOf(part, () => values.get(name)),
	]);
}

/** `$now` is a little later for each item, and means the same for all of them. */
function differs(written: string): boolean {
	if (!written.startsWith('=')) return false;
	const names = written.match(/\$\w*|\b(?:items?|random)\b/gi) ?? [];
	return !names.every((name) => ['$now', '$today', '$vars', '$workflow'].includes(name));
}
