import { makeBinary, type InputItem } from '../engine/runner';
import { generatedBytes } from '../service/data/byteSource';
import { itemsToCreate, itemsToLock, itemsToSync, itemsToUpsert } from './items';
import type { Task } from './task';

/** What comes into a node that does the task: so many items, or a file of so many bytes. */
export async function inputOf({ work }: Task, amount: number): Promise<InputItem[]> {
	if (work === 'create') return itemsToCreate(amount);
	if (work === 'upsert') return itemsToUpsert(amount);
	if (work === 'sync') return itemsToSync(amount);
	if (work === 'massLock') return itemsToLock(amount);
	if (work !== 'upload') return [{}];
	const content = generatedBytes(amount).open();
	const data = await makeBinary(content, 'large.bin', 'application/octet-stream');
	return [{ json: {}, binary: { data } }];
}
