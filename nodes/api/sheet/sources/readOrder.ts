import type { Client } from '../../http/client';
import type { SheetAddress } from '../../values/sheetAddress';
import type { FieldIndex } from '../fieldIndex';
import { maxFieldsAgeMinutes, minute, sheetMemory, type RunMemory } from './sheetMemory';

/** Maximum number of orders of fields to keep. Lists and single reads may have an order of their own. */
const maxReadOrders = 2;

/**
 * Notes the order of the fields in a read by name with all fields, once per run. Returns whether it is new. Then fields have swapped
 * their names, or were moved.
 *
 * - It is compared with the orders that reads of the last ten minutes had; after a pause, with the last one.
 * - The first read is compared with the list, if another run loaded it.
 * - Keys that only one of both has do not count, and neither do integers, which JavaScript sorts.
 *
 * @param keys the keys of a record
 */
export async function noteReadOrder(
	client: Client,
	sheet: SheetAddress,
	keys: readonly string[],
): Promise<boolean> {
	const memory = sheetMemory(client, sheet);
	if (memory.isReadOrderNoted) return false;
	memory.isReadOrderNoted = true;
	const { ofProcess } = memory;
	const order = keys.filter((key) => !key.startsWith('_') && !/^\d/.test(key));
	const ofList = await listOrder(memory);
	const now = Date.now();
	const recent = ofProcess.readOrders.filter(({ at }) => now - at < maxFieldsAgeMinutes * minute);
	const known = recent.length > 0 ? recent : ofProcess.readOrders.slice(-1);
	const same = known.filter((each) => haveSameOrder(each.keys, order));
	const others = known.filter((each) => !same.includes(each));
	// A read may leave out empty fields.
	const longest = same.map((each) => each.keys).find(({ length }) => length > order.length);
	const latest = { keys: longest ?? order, at: now };
	ofProcess.readOrders = [...others, latest].slice(-maxReadOrders);
	return known.length > 0 ? same.length === 0 : !haveSameOrder(ofList, order);
}

/** Returns the keys of the fields in the order of the list that another run loaded; empty if there is no such list. */
async function listOrder({ list, ofProcess }: RunMemory): Promise<readonly string[]> {
	if (list.isLoadedHere) return [];
	const loaded = await ofProcess.list.get()?.catch(() => undefined);
	return loaded ? keysOf(loaded.index) : [];
}

function keysOf(index: FieldIndex): string[] {
	return index.fieldsOf('record').flatMap((field) => index.readKey(field) ?? []);
}

/** Returns whether the keys that two lists share have the same order. */
function haveSameOrder(left: readonly string[], right: readonly string[]): boolean {
	const [ofLeft, ofRight] = [new Set(left), new Set(right)];
	const shared = left.filter((key) => ofRight.has(key));
	return right.filter((key) => ofLeft.has(key)).every((key, at) => key === shared[at]);
}
