import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import { isSubscribed, subscribe, unsubscribe } from '../api/webhooks/subscription';
import { nodeError } from '../ui/nodeError';
import { fileKeys } from '../ui/recordFiles';
import { logWarning, nodeKeyOf, parametersOf } from '../ui/trigger';
import { readSetUp } from './receiver';
import { restartMemory } from './recentDeliveries';
import { registrationParameter } from './triggerParameters';
import { wantedChanges } from './wantedChanges';

/**
 * Returns whether the sheet sends to this node; manual registration is the user's affair. Removes what the node has
 * registered before its settings were changed. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const { client, subscription, entry, setUp } = await readSubscription(context);
		const staticData = context.getWorkflowStaticData('node');
		restartMemory(nodeKeyOf(context), staticData);
		delete staticData.wanted;
		await wantedChanges(setUp, staticData);
		await fileKeys(client, setUp.sheet, setUp.settings);
		const isWanted = isAutomatic(context);
		await removeOther(context, client, isWanted ? entry : undefined);
		return !isWanted || (await isSubscribed(client, subscription));
	});
}

/** Registers this node's address in the sheet, in place of an entry with other events. Throws as `isRegistered`. */
export async function register(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const { client, subscription, entry } = await readSubscription(context);
		await unsubscribe(client, subscription);
		await subscribe(client, subscription);
		context.getWorkflowStaticData('node').registered = entry;
		return true;
	});
}

/** Removes this node's address from the sheet, and another one that it has registered. Throws as `isRegistered`. */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	return await asNode(context, async () => {
		const staticData = context.getWorkflowStaticData('node');
		const wasWanted = isAutomatic(context);
		if (!wasWanted && staticData.registered === undefined) return true;
		const { client, subscription, entry } = await readSubscription(context);
		await removeOther(context, client, wasWanted ? entry : undefined);
		if (!wasWanted) return true;
		await unsubscribe(client, subscription);
		delete staticData.registered;
		return true;
	});
}

function isAutomatic(context: IHookFunctions): boolean {
	return registrationParameter.parse(parametersOf(context)) === 'automatic';
}

/** The entry of a subscription in static data is the whole address of the sheet and, in a second line, that of the node. */
async function readSubscription(context: IHookFunctions) {
	const setUp = await readSetUp(context);
	const { client, sheet, settings } = setUp;
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new InputError("This node's webhook has no address", 'Save the workflow and try again.');
	}
	const subscription = { sheet, url, events: settings.events };
	const entry = `${accountAddress(client)}${formatSheetPath(sheet)}\n${url}`;
	return { client, subscription, entry, setUp };
}

/** The endpoints are not part of the published API: a refusal names the way that always works. */
async function asNode(context: IHookFunctions, act: () => Promise<boolean>): Promise<boolean> {
	return await act().catch((thrown: unknown) => {
		const isRefused = thrown instanceof ServiceError && thrown.kind !== 'unsent';
		const hasOtherWay = isRefused && isAutomatic(context);
		throw nodeError(context.getNode(), hasOtherWay ? withManualWay(thrown) : thrown, 0);
	});
}

function withManualWay(refusal: ServiceError): ServiceError {
	const way = `Set 'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).`;
	return refusal.with({
		message: `The webhook could not be registered or removed automatically: ${refusal.message}`,
		description: `${way} ${refusal.details.description ?? ''}`.trim(),
	});
}

/**
 * Removes what the node has registered, unless it is what is wanted now: its settings may have changed. A failure is
 * logged: the workflow becomes active, or inactive, all the same.
 */
async function removeOther(
	context: IHookFunctions,
	client: Client,
	wanted: string | undefined,
): Promise<void> {
	const staticData = context.getWorkflowStaticData('node');
	const { registered } = staticData;
	if (typeof registered !== 'string' || registered === wanted) return;
	const failure = await remove(client, registered);
	if (failure === undefined) {
		delete staticData.registered;
		return;
	}
	const [sheet] = registered.split('\n');
	const what = `an address of '${context.getNode().name}' is still registered in the webhook settings of ${sheet}`;
	logWarning(context, `Sheet Records Trigger: ${what}. ${failure}`);
}

/** Returns why the entry could not be removed; undefined when it was. */
async function remove(client: Client, entry: string): Promise<string | void> {
	const [sheet = '', url = ''] = entry.split('\n');
	const account = accountAddress(client);
	if (!sheet.startsWith(account)) return 'The credential is for another account now';
	const address = parseSheetPath(sheet.slice(account.length));
	const removal = unsubscribe(client, { sheet: address, url, events: webhookEvents });
	return await removal.catch((error: unknown) => {
		if (error instanceof ServiceError) return error.message;
		throw error;
	});
}

function accountAddress({ connection: { baseUrl, account } }: Client): string {
	return `${baseUrl}/${account}/`;
}
