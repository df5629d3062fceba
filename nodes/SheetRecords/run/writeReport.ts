import type { INodeExecutionData } from 'n8n-workflow';
import { inEnglish } from '../../api/values/text';

/** Minimum number of input items for which a report is shown. Fewer items can be counted in the output. */
const minReportedItems = 100;

/** Operations with a report → action of an output item without `_action`. */
const reportedOperations: ReadonlyMap<string, string> = new Map([
	['record.create', 'created'],
	['record.update', 'updated'],
	['record.upsert', 'updated'],
]);

/** Values of `_action` → words of the report, in its order. */
const actionWords: ReadonlyMap<string, string> = new Map([
	['created', 'created'],
	['updated', 'updated'],
	['wouldCreate', 'would be created'],
	['wouldUpdate', 'would be updated'],
	['unchanged', 'unchanged'],
	['skipped', 'skipped'],
]);

/** The outputs of a run: those of each item, by its index, and the indexes of failed items. */
export interface RunOutput {
	outputs: ReadonlyArray<readonly INodeExecutionData[] | undefined>;
	failed: ReadonlySet<number>;
}

/** Number of requests and duration of a run. */
export interface RunCost {
	requests: number;
	milliseconds: number;
}

/**
 * Returns the numbers of records that a run created, updated, left unchanged or skipped, of failed items and of requests, and the
 * duration. Returns undefined for other operations (`resource.operation`), and for fewer than `minReportedItems` items.
 */
export function writeReport(
	operation: string | undefined,
	{ outputs, failed }: RunOutput,
	{ requests, milliseconds }: RunCost,
): string | undefined {
	const usualAction = reportedOperations.get(operation ?? '');
	if (usualAction === undefined || outputs.length < minReportedItems) return undefined;
	const counts = new Map<string, number>();
	for (const [index, items = []] of outputs.entries()) {
		if (failed.has(index)) continue;
		for (const { json } of items) {
			const action = typeof json._action === 'string' ? json._action : usualAction;
			counts.set(action, (counts.get(action) ?? 0) + 1);
		}
	}
	const records = [...actionWords].flatMap(([action, words]) => {
		const count = counts.get(action);
		return count === undefined ? [] : [`${inEnglish(count)} ${words}`];
	});
	const failures = failed.size === 0 ? [] : [`${inEnglish(failed.size)} failed`];
	const outcomes = [...records, ...failures].join(', ') || 'no record';
	const cost = `${inEnglish(requests)} requests and ${durationText(milliseconds)}`;
	return `${inEnglish(outputs.length)} items: ${outcomes}. The run took ${cost}.`;
}

/** Returns a duration in seconds, or in minutes if it is longer than two minutes. */
function durationText(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	return seconds <= 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
