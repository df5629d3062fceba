import { until as holdsAtLast } from '../until';

/** Looks every tenth of a second until something holds: looks at a real n8n cost more than others. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
	await holdsAtLast(holds, 100);
}
