import type { IDataObject } from 'n8n-workflow';
import { CachePart } from '../../../api/http/runCache';
import { getOrInsert } from '../../../api/json/objects';
import { nodeError } from '../../../shared/nodeError';
import type { Item } from '../../run/itemContext';
import { Deferred } from '../../run/operationResult';

type Output = IDataObject | IDataObject[] | Deferred;

/**
 * Runs a deferred item again, and returns its output. The item is not deferred again.
 *
 * @param isLocked whether the caller holds the lock of the record's key, so that it must not be waited for
 */
export type FinishLater = (isLocked: boolean) => Promise<Output>;

/** An item that seems unchanged, and that is decided after all other items, or before a later item writes the same record. */
class DeferredUpdate {
	private output?: Promise<Output>;

	constructor(
		readonly index: number,
		private readonly finishLater: FinishLater,
	) {}

	/** Runs the item again, unless that was done before. */
	async finish(isLocked: boolean): Promise<Output> {
		return await (this.output ??= this.finishLater(isLocked));
	}
}

/** Deferred items of a run, by the keys of their records (see `recordKey`). */
const deferredUpdates = new CachePart<DeferredUpdate[]>();

/** Defers an item. `key` is that of its record. */
export function deferUpdate(item: Item, key: string, finishLater: FinishLater): Deferred {
	const update = new DeferredUpdate(item.index, finishLater);
	getOrInsert(item.client.cache.part(deferredUpdates), key, () => []).push(update);
	return new Deferred(async () => await update.finish(false));
}

/**
 * Finishes the earlier items that were deferred for a record. Call it before each write to the record: after the write it could
 * not be known whether the record held their values. Throws the error of such an item, with its index. With Continue On Fail, the
 * error is thrown when the turn of the item comes.
 */
export async function finishDeferred(item: Item, key: string): Promise<void> {
	const { client, context, index, run } = item;
	for (const update of client.cache.part(deferredUpdates).get(key) ?? []) {
		if (update.index >= index) continue;
		await run
			.outcome(update.index, async () => await update.finish(true))
			.catch((error: unknown) => {
				// Otherwise, the next attempt of Retry On Fail would write the values of the earlier item over those of this one.
				const node = context.getNode();
				if (!context.continueOnFail()) throw nodeError(node, error, update.index);
				run.journal.hasFailure ||= node.retryOnFail === true;
			});
	}
}
