import type { Item } from './itemContext';

/**
 * Prepares what items do together: before the first of them runs, it parses what each wants and puts it into a group.
 * An item that cannot be parsed fails in its own turn; when it will end the run, nothing behind it is parsed.
 *
 * @param groupOf adds an item to its group and returns the group; called in the order of the items
 * @param endsRun is called with the item that will end the run, and may throw: then nothing is done for any
 * @returns the group of an item
 */
export function groupItems<Given extends Item, Source extends Given, Wanted, Group>(
	items: readonly Source[],
	parse: (item: Source) => Promise<Wanted>,
	groupOf: (item: Given, wanted: Wanted) => Group,
	endsRun: (item: Source, error: unknown) => void = () => undefined,
): (item: Given, wanted: Wanted) => Promise<Group> {
	let prepared: Promise<Map<Item, { group: Group }>> | undefined;
	async function prepare(): Promise<Map<Item, { group: Group }>> {
		const groups = new Map<Item, { group: Group }>();
		for (const item of items) {
			try {
				groups.set(item, { group: groupOf(item, await parse(item)) });
			} catch (error) {
				if (item.context.continueOnFail()) continue;
				endsRun(item, error);
				break;
			}
		}
		return groups;
	}
	return async (item, wanted) => {
		const groups = await (prepared ??= prepare());
		return groups.get(item)?.group ?? groupOf(item, wanted);
	};
}
