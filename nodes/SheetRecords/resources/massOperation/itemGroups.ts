import type { INodeProperties } from 'n8n-workflow';
import { getOrInsert } from '../../../api/json/objects';
import { authenticationParameter } from '../../../shared/editor/nodeDescription';
import { inputRecordId } from '../../parameters/selection';
import type { ItemContext } from '../../run/itemContext';
import { assignBatches } from '../../run/operation';
import type { ItemResults } from '../../run/operationResult';

/** Items with the same values of all parameters. One mass operation runs for all of them. */
export interface ItemGroup {
	indexes: number[];
	/** Record ID → indexes of the items with this record. */
	byRecord: Map<string, number[]>;
	results?: Promise<ItemResults>;
}

/**
 * Groups items with the same credential type and the same values of these parameters. If items have different values for one
 * record, the last one wins: an item does not join a group that runs before another one with its record. Which records filters
 * select is not known, so without a record, an item does not join a group that runs before another change. Returns a function that
 * returns the group of an item.
 *
 * @param changeProperties those of the properties that define the change
 */
export function groupSameItems(
	items: readonly ItemContext[],
	properties: readonly INodeProperties[],
	changeProperties: readonly INodeProperties[],
): (item: ItemContext) => Promise<ItemGroup> {
	const groups = new Map<string, ItemGroup>();
	/** Record ID → start of its last group. Groups run in the order of their starts. */
	const lastStarts = new Map<string, number>();
	const commonStarts = new ChangeStarts();
	const changeNames = changeProperties.map(({ name }) => name);
	const names = [...authenticationParameter.properties, ...properties].map(({ name }) => name);
	const startTime = Date.now();
	// n8n copies the whole node in each call of `getNode`.
	const written = items[0]?.context.getNode().parameters ?? {};
	return assignBatches(items, async (item) => {
		const recordId = inputRecordId(item);
		const values = names.map((name) => valueAtTime(startTime, item, name, written[name]));
		const key = JSON.stringify(values, distinctNumber);
		const changeValues = values.filter((_, index) => changeNames.includes(names[index] ?? ''));
		const change = JSON.stringify(changeValues, distinctNumber);
		const lastStart =
			recordId === undefined ? commonStarts.lastOther(change) : (lastStarts.get(recordId) ?? -1);
		const [start = -1] = groups.get(key)?.indexes ?? [];
		if (start < lastStart) groups.delete(key);
		const group = getOrInsert(groups, key, () => ({ indexes: [], byRecord: new Map() }));
		group.indexes.push(item.index);
		if (recordId === undefined) {
			if (group.indexes.length === 1) commonStarts.add(change, item.index);
			return group;
		}
		lastStarts.set(recordId, group.indexes[0] ?? item.index);
		getOrInsert(group.byRecord, recordId, () => []).push(item.index);
		return group;
	});
}

/** Starts of groups of items that select their records together, in order. */
class ChangeStarts {
	private readonly starts: Array<{ change: string; start: number }> = [];

	add(change: string, start: number): void {
		if (this.starts.at(-1)?.change === change) this.starts.pop();
		this.starts.push({ change, start });
	}

	/** Returns the start of the last group with another change, or -1. */
	lastOther(change: string): number {
		const [latest, before] = [this.starts.at(-1), this.starts.at(-2)];
		return (latest?.change === change ? before : latest)?.start ?? -1;
	}
}

/** Replaces NaN and Infinity, which JSON would convert to null: an item with null clears the field, these numbers are rejected. */
function distinctNumber(_name: string, value: unknown): unknown {
	return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

/** Patterns of expressions for the current time. `at` returns the expression for a given time, in ms since 1970. */
const currentTime: ReadonlyArray<{ pattern: RegExp; at: (milliseconds: number) => string }> = [
	{ pattern: /\$now\b/g, at: luxonTime },
	{ pattern: /\$today\b/g, at: (milliseconds) => `${luxonTime(milliseconds)}.startOf('day')` },
	{ pattern: /\bDateTime\.(?:now|local)\(\)/g, at: luxonTime },
	{ pattern: /\bnew Date\(\)/g, at: (milliseconds) => `new Date(${milliseconds})` },
	{ pattern: /\bDate\.now\(\)/g, at: String },
];

function luxonTime(milliseconds: number): string {
	return `DateTime.fromMillis(${milliseconds})`;
}

/**
 * Returns the value of a parameter for an item. `milliseconds` is used as the current time, so that equal expressions have equal
 * values.
 *
 * @param written the parameter with its expressions, as the node stores it
 */
function valueAtTime(
	milliseconds: number,
	item: ItemContext,
	name: string,
	written: unknown,
): unknown {
	const value = item.value(name);
	return value !== undefined && usesTime(written) ? evaluated(written, item, milliseconds) : value;
}

function usesTime(written: unknown): boolean {
	if (typeof written === 'string') {
		return (
			written.startsWith('=') && currentTime.some(({ pattern }) => written.search(pattern) !== -1)
		);
	}
	return typeof written === 'object' && written !== null && Object.values(written).some(usesTime);
}

/**
 * Evaluates the expressions in an unevaluated parameter, with `milliseconds` as the current time. Returns lists and objects as
 * lists of entries, which can only be compared.
 */
function evaluated(written: unknown, item: ItemContext, milliseconds: number): unknown {
	if (typeof written === 'string') {
		if (!written.startsWith('=')) return written;
		const expression = currentTime.reduce(
			(text, { pattern, at }) => text.replace(pattern, at(milliseconds)),
			written.slice(1),
		);
		return item.context.evaluateExpression(expression, item.index);
	}
	if (typeof written !== 'object' || written === null) return written;
	return Object.entries(written).map(([name, part]) => [name, evaluated(part, item, milliseconds)]);
}
