import { until as repeatUntilTrue } from '../until';

/** Repeats a check every 100 ms until it succeeds. Checks of a real n8n take longer than other checks. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
	await repeatUntilTrue(holds, 100);
}
