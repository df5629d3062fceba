import type { IHookFunctions } from 'n8n-workflow';
import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import {
	isSubscribed,
	subscribe,
	unsubscribe,
	type Subscription,
} from '../api/webhooks/subscription';
import { nodeError } from '../ui/nodeError';
import { nodeKeyOf } from '../ui/trigger';
import { readSetUp } from './receiver';
import { restartMemory } from './recentDeliveries';
import { registeredAddresses, removeAddresses, setRegistered } from './registeredAddresses';
import { registrationParameter, settingsOf } from './triggerParameters';

/**
 * Returns whether the sheet sends to this node; manual registration is the user's affair. Removes what the node has
 * registered before its settings were changed. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const { client, subscription } = await readSubscription(context);
		restartMemory(nodeKeyOf(context), context.getWorkflowStaticData('node'));
		const wanted = isAutomatic(context) ? subscription : undefined;
		await removeAddresses(context, client, wanted);
		if (!wanted) return true;
		const isThere = await isSubscribed(client, wanted);
		if (isThere) setRegistered(context, client, wanted, true);
		return isThere;
	});
}

/** Registers this node's address in the sheet, in place of an entry with other events. Throws as `isRegistered`. */
export async function register(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const { client, subscription } = await readSubscription(context);
		await unsubscribe(client, subscription);
		await subscribe(client, subscription);
		setRegistered(context, client, subscription, true);
		return true;
	});
}

/** Removes this node's address from the sheet, and all others that it has registered. Throws as `isRegistered`. */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const wasWanted = isAutomatic(context);
		if (!wasWanted && registeredAddresses(context).length === 0) return true;
		const { client, subscription } = await readSubscription(context);
		await removeAddresses(context, client, wasWanted ? subscription : undefined);
		if (!wasWanted) return true;
		await unsubscribe(client, subscription);
		setRegistered(context, client, subscription, false);
		return true;
	});
}

function isAutomatic(context: IHookFunctions): boolean {
	return registrationParameter.parse(settingsOf(context)) === 'automatic';
}

async function readSubscription(context: IHookFunctions) {
	const { client, sheet, settings } = await readSetUp(context);
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new InputError(
			"This node's webhook has no address",
			'Save the workflow and try again. If the address is still missing, add the node again.',
		);
	}
	const subscription: Subscription = { sheet, url, events: settings.events };
	return { client, subscription };
}

/** The endpoints are not part of the published API: a refusal names the way that always works. */
async function asNode(context: IHookFunctions, act: () => Promise<boolean>): Promise<boolean> {
	return await act().catch((thrown: unknown) => {
		const isRefused = thrown instanceof ServiceError && thrown.kind !== 'unsent';
		throw nodeError(context.getNode(), isRefused ? withManualWay(thrown) : thrown, 0);
	});
}

function withManualWay(refusal: ServiceError): ServiceError {
	const way = `Set 'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).`;
	return refusal.with({
		message: `The webhook could not be registered or removed automatically: ${refusal.message}`,
		description: `${way} ${refusal.details.description ?? ''}`.trim(),
	});
}
