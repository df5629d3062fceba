import type { IWebhookFunctions } from 'n8n-workflow';
import { remember } from '../service/rememberedLists';
import { logWarning } from '../shared/logWarning';
import { nodeKeyOf } from './nodeMemory';

/** Anybody may send to the address: however much comes, n8n's log gets a line of each kind no more often. */
const leastMillisecondsBetween = 60_000;
const mostKinds = 1_000;

/** When each was last logged; milliseconds of a clock that is never set. */
const logged = new Map<string, number>();

/**
 * Writes a warning into n8n's log, at most one a minute of each kind and node.
 *
 * @param kind one of a few texts; what was sent is no part of it, nor of the message
 */
export function warn(
	context: Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	kind: string,
	message = kind,
): void {
	const key = `${nodeKeyOf(context)}/${kind}`;
	const now = performance.now();
	if (now - (logged.get(key) ?? -Infinity) < leastMillisecondsBetween) return;
	remember(logged, key, now, mostKinds);
	logWarning(context, `Sheet Records Trigger: ${message}`);
}
