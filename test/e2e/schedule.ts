import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import type { SeenRequest } from '../service';
import { until } from './until';

/** n8n refuses an expression that polls more often than once a minute, and takes many that poll once. */
export const everyThreeSeconds = {
	item: Array.from({ length: 20 }, (_, third) => ({
		mode: 'custom',
		cronExpression: `${third * 3} * * * * *`,
	})),
};

/** The workflow with polls every three seconds, each of which looks for deleted records, too. */
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

/** Whether a request asks for all ids, to tell which are gone. */
export function isDeletionCheck({ query }: SeenRequest): boolean {
	return query.some(([name]) => name === 'listing');
}

/** Where n8n is: see `GENERIC_TIMEZONE` in `runningN8n.ts`. */
const timeZone = 'Europe/Berlin';
const day = 24 * 60 * 60 * 1000;
const maxTestMilliseconds = 90_000;

/** A date as the service writes it, so many days before today where n8n is. */
export function daysAgo(days: number): string {
	const [year = 0, month = 0, date = 0] = dateAt(Date.now()).split('-').map(Number);
	// Counted in UTC, where every day has 24 hours.
	const earlier = new Date(Date.UTC(year, month - 1, date) - days * day);
	return earlier.toISOString().slice(0, 10).replaceAll('-', '/');
}

/** Waits for the next day when this one ends so soon that a test would have two of them. */
export async function keepToOneDay(): Promise<void> {
	await until(() => dateAt(Date.now()) === dateAt(Date.now() + maxTestMilliseconds));
}

function dateAt(moment: number): string {
	return new Date(moment).toLocaleDateString('sv-SE', { timeZone });
}
