import type { NodeHint } from 'n8n-workflow';
import { defaultRequestsPerSecond } from '../../api/http/connection';
import { inEnglish } from '../../api/values/text';

/**
 * Numbers of input items above which a hint is shown. Only the hint of the highest exceeded number is shown. Each hint has its
 * own text, because n8n evaluates no expressions in hint texts.
 */
const itemCounts = [1_500, 6_000, 18_000, 60_000];

/**
 * Returns the hints that n8n shows before a run that writes many items: how long the run takes at least.
 *
 * @param operations operations that send a write request for each item, such as `record.create`
 */
export function durationHints(operations: readonly string[]): NodeHint[] {
	const isWrite = `${JSON.stringify(operations)}.includes($parameter["resource"] + "." + $parameter["operation"])`;
	const isDryRun = '$parameter["options"]?.["dryRun"] === true';
	return itemCounts.map((count, index) => {
		const nextCount = itemCounts[index + 1];
		const conditions = [
			// Test the operation first: the editor logs a warning if a condition reads `$input` before there is data.
			...[isWrite, `!(${isDryRun})`],
			`$input.all().length > ${count}`,
			...(nextCount === undefined ? [] : [`$input.all().length <= ${nextCount}`]),
		];
		return {
			type: 'info',
			message: durationText(count),
			displayCondition: `={{ ${conditions.join(' && ')} }}`,
			whenToDisplay: 'beforeExecution',
			location: 'outputPane',
		};
	});
}

/** Returns the text of a hint, with the minimum duration in minutes for more than `count` items. */
function durationText(count: number): string {
	const minutes = count / defaultRequestsPerSecond / 60;
	return `Writing more than ${inEnglish(count)} items takes more than ${minutes} minutes at ${defaultRequestsPerSecond} requests per second, the default in the credential.`;
}
