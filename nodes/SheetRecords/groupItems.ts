import type { Item } from './operation';

/**
 * Prepares what items do together: before the first of them runs, it reads what each wants and puts it into a group.
 * An item that cannot be read fails in its own turn; when it will end the run, nothing behind it is read.
 *
 * @param groupOf adds an item to its group and returns the group; called in the order of the items
 * @param endsRun is called with the item that will end the run, and may throw: then nothing is done for any
 * @returns the group of an item; throws what reading the item threw
 */
export function groupItems<ReadFrom extends Item, Wanted, Group>(
	items: readonly ReadFrom[],
	read: (item: ReadFrom) => Promise<Wanted>,
	groupOf: (item: ReadFrom, wanted: Wanted) => Group,
	endsRun: (item: ReadFrom, error: unknown) => void = () => undefined,
): (item: ReadFrom) => Promise<Group> {
	let prepared: Promise<Map<ReadFrom, { group: Group }>> | undefined;
	async function prepare(): Promise<Map<ReadFrom, { group: Group }>> {
		const groups = new Map<ReadFrom, { group: Group }>();
		for (const item of items) {
			try {
				groups.set(item, { group: groupOf(item, await read(item)) });
			} catch (error) {
				if (item.context.continueOnFail()) continue;
				endsRun(item, error);
				break;
			}
		}
		return groups;
	}
	return async (item) => {
		const groups = await (prepared ??= prepare());
		return groups.get(item)?.group ?? groupOf(item, await read(item));
	};
}
