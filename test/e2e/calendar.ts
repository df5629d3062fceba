import { until } from './until';

/** Where n8n is: see `GENERIC_TIMEZONE` in `runningN8n.ts`. */
const timeZone = 'Europe/Berlin';
const day = 24 * 60 * 60 * 1000;
const longestTest = 90_000;

/** A date as the service writes it, so many days before today where n8n is. */
export function daysAgo(days: number): string {
	const [year = 0, month = 0, date = 0] = dateAt(Date.now()).split('-').map(Number);
	// Counted in UTC, where every day has 24 hours.
	const earlier = new Date(Date.UTC(year, month - 1, date) - days * day);
	return earlier.toISOString().slice(0, 10).replaceAll('-', '/');
}

/** Waits for the next day when this one ends so soon that a test would have two of them. */
export async function keepToOneDay(): Promise<void> {
	await until(() => dateAt(Date.now()) === dateAt(Date.now() + longestTest));
}

function dateAt(moment: number): string {
	return new Date(moment).toLocaleDateString('sv-SE', { timeZone });
}
