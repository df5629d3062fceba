import type { IHookFunctions } from 'n8n-workflow';
import { authenticationParameter } from '../ui/authentication';
import { nodeError } from '../ui/nodeError';
import { sheetParameter } from '../ui/sheet';
import { Client } from '../api/http/client';
import { isSubscribed, subscribe, unsubscribe } from '../api/webhooks/webhookSubscription';
import type { Subscription } from '../api/webhooks/webhookSubscription';
import { parsePublicKey } from '../api/webhooks/publicKey';
import { InputError } from '../api/values/inputError';
import { ServiceError } from '../api/http/serviceError';
import { forgetEntered, hasEntered, rememberEntered, removeEntered } from './registeredAddresses';
import { beginMemory, nodeKeyOf } from './nodeMemory';
import { isTestRun } from './refusal';
import { readSettings, registrationParameter, settingsOf } from './triggerParameters';
import type { TriggerSettings } from './triggerParameters';

/**
 * Whether the sheet sends to this node. With manual registration that is the user's affair; the node's
 * settings are checked either way, while somebody is there to read what is wrong. What the node has
 * entered itself, before its settings were changed, is taken out.
 *
 * @throws NodeOperationError for settings that are wrong, NodeApiError when the service refuses
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const { client, subscription } = await subscriptionOf(context);
		const settings = readSettings(context);
		requireUsableKey(settings);
		if (remembersRecords(context, settings)) {
			beginMemory(nodeKeyOf(context), context.getWorkflowStaticData('node'));
		}
		const isWanted = isAutomatic(context);
		await removeEntered(context, client, isWanted ? subscription : undefined);
		if (!isWanted) return true;
		const isThere = await isSubscribed(client, subscription);
		if (isThere) rememberEntered(context, client, subscription);
		return isThere;
	});
}

/**
 * Enters this node's address in the sheet, in place of an entry with other events. Throws NodeOperationError
 * for settings that are wrong, NodeApiError when the service refuses.
 */
export async function register(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		if (!isAutomatic(context)) return true;
		const { client, subscription } = await subscriptionOf(context);
		await unsubscribe(client, subscription);
		await subscribe(client, subscription);
		rememberEntered(context, client, subscription);
		return true;
	});
}

/**
 * Removes this node's address from the sheet. Throws NodeOperationError for settings that are wrong,
 * NodeApiError when the service refuses.
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const isEntered = isAutomatic(context);
		if (!isEntered && !hasEntered(context)) return true;
		const { client, subscription } = await subscriptionOf(context);
		await removeEntered(context, client, isEntered ? subscription : undefined);
		if (!isEntered) return true;
		await unsubscribe(client, subscription);
		forgetEntered(context, client, subscription);
		return true;
	});
}

async function asNode(context: IHookFunctions, act: () => Promise<boolean>): Promise<boolean> {
	return await act().catch((thrown: unknown) => {
		throw nodeError(context.getNode(), withManualWay(thrown), 0);
	});
}

function isAutomatic(context: IHookFunctions): boolean {
	return registrationParameter.read(settingsOf(context)) === 'automatic';
}

async function subscriptionOf(
	context: IHookFunctions,
): Promise<{ client: Client; subscription: Subscription }> {
	const { item } = settingsOf(context);
	const client = await Client.connect(context, authenticationParameter.read({ item }));
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new InputError(
			"This node's webhook has no address",
			'Save the workflow and try again. If the address is still missing, add the node anew.',
		);
	}
	const sheet = sheetParameter.read({ item, client });
	return { client, subscription: { sheet, url, events: readSettings(context).events } };
}

function remembersRecords(
	context: IHookFunctions,
	{ skipRepeats, skipUnchanged }: TriggerSettings,
): boolean {
	return (skipRepeats || skipUnchanged) && !isTestRun(context);
}

function requireUsableKey({ publicKeyPem }: TriggerSettings): void {
	if (publicKeyPem === undefined || parsePublicKey(publicKeyPem)) return;
	throw new InputError(
		"'Public Key (PEM)' is not an RSA public key",
		"Paste it whole, with its first and last line, or set 'Public Key From' to 'Service'.",
	);
}

/** The endpoints are not part of the published API: whoever is refused is told the way that always works. */
function withManualWay(thrown: unknown): unknown {
	if (!(thrown instanceof ServiceError) || thrown.kind === 'unsent') return thrown;
	const before = thrown.details.description;
	return thrown.with({
		message: `The webhook could not be registered or removed automatically: ${thrown.message}`,
		description: `Set 'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).${before ? ` ${before}` : ''}`,
	});
}
