import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import type { SeenRequest } from '../service';
import { until } from './until';

/** Poll times: 20 expressions. n8n rejects an expression that polls more often than once a minute, but accepts many of them. */
export const everyThreeSeconds = {
	item: Array.from({ length: 20 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 3} * * * * *`,
	})),
};

/** Changes a workflow so that it polls every three seconds, and checks for deleted records in each poll. */
export function pollingFrequently(json: WorkflowJson): WorkflowJson {
	const nodes = json.nodes.map((node) => {
		const { parameters } = node;
		if (!('pollTimes' in parameters)) return node;
		const options = { ...Object(parameters.options), deletionCheckEvery: 1 };
		return { ...node, parameters: { ...parameters, pollTimes: everyThreeSeconds, options } };
	});
	return { ...json, nodes };
}

export function isPoll({ query }: SeenRequest): boolean {
	return query.some(([name, value]) => name === 'order' && value.startsWith('109'));
}

/** Whether the request reads all record IDs to find deleted records. */
export function isDeletionCheck({ query }: SeenRequest): boolean {
	return query.some(([name]) => name === 'listing');
}

/** Time zone of n8n, as set by `GENERIC_TIMEZONE` in `runningN8n.ts`. */
const timeZone = 'Europe/Berlin';
const day = 24 * 60 * 60 * 1000;
const maxTestMilliseconds = 90_000;

/** Returns the date `days` days ago in the time zone of n8n, in the format of the service. */
export function daysAgo(days: number): string {
	const [year = 0, month = 0, date = 0] = dateAt(Date.now()).split('-').map(Number);
	// Calculate in UTC, where every day has 24 hours.
	const earlier = new Date(Date.UTC(year, month - 1, date) - days * day);
	return earlier.toISOString().slice(0, 10).replaceAll('-', '/');
}

/** Waits until after midnight if the date would change during a test. */
export async function keepToOneDay(): Promise<void> {
	await until(() => dateAt(Date.now()) === dateAt(Date.now() + maxTestMilliseconds));
}

function dateAt(moment: number): string {
	return new Date(moment).toLocaleDateString('sv-SE', { timeZone });
}
