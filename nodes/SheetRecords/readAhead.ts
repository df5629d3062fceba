import type { Item } from './operation';

/**
 * Reads what all items want before the first of them is worked on, so that some of them can be worked
 * on together. An item that cannot be read says so in its own turn; when it will end the run, nothing
 * behind it is read.
 *
 * @param take gets what each item wants, in the order of the items
 * @param endsRun is told of the item that will end the run, and may throw: then nothing is done for any
 * @returns reads once, however often it is called
 */
export function readAhead<ReadFrom extends Item, Wanted>(
	items: readonly ReadFrom[],
	read: (item: ReadFrom) => Promise<Wanted>,
	take: (item: ReadFrom, wanted: Wanted) => void,
	endsRun: (item: ReadFrom, error: unknown) => void = () => undefined,
): () => Promise<void> {
	let reading: Promise<void> | undefined;
	async function readAll(): Promise<void> {
		for (const item of items) {
			try {
				take(item, await read(item));
			} catch (error) {
				if (item.context.continueOnFail()) continue;
				endsRun(item, error);
				return;
			}
		}
	}
	return async () => await (reading ??= readAll());
}
