import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import { isObject } from '../api/json/objects';
import { InputError } from '../api/values/inputError';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import {
	isSubscribed,
	subscribe,
	unsubscribe,
	type Subscription,
} from '../api/webhooks/subscription';
import { nodeError } from '../ui/nodeError';
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
		const { client, subscription, setUp } = await readSubscription(context);
		const staticData = context.getWorkflowStaticData('node');
		restartMemory(nodeKeyOf(context), staticData);
		await wantedChanges(setUp, staticData);
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
	return registrationParameter.parse(parametersOf(context)) === 'automatic';
}

async function readSubscription(context: IHookFunctions) {
	const setUp = await readSetUp(context);
	const { client, sheet, settings } = setUp;
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new InputError(
			"This node's webhook has no address",
			'Save the workflow and try again. If the address is still missing, add the node again.',
		);
	}
	const subscription: Subscription = { sheet, url, events: settings.events };
	return { client, subscription, setUp };
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

/** Which address is registered in which sheet, by the whole address of that. */
interface Entry {
	sheet: string;
	url: string;
}

/** Returns what the node has registered and not removed. */
function registeredAddresses(context: IHookFunctions): Entry[] {
	const { registered } = context.getWorkflowStaticData('node');
	if (!Array.isArray(registered)) return [];
	return registered
		.filter(isObject)
		.map(({ sheet, url }) => ({ sheet: String(sheet), url: String(url) }));
}

/** Remembers whether the address is registered: when it is to be removed, the node's settings may have changed. */
function setRegistered(
	context: IHookFunctions,
	client: Client,
	subscription: Subscription,
	isRegistered: boolean,
): void {
	const entry = entryOf(client, subscription);
	const others = registeredAddresses(context).filter((other) => !isSame(other, entry));
	store(context, isRegistered ? [...others, entry] : others);
}

/**
 * Removes what the node has registered, but for what is wanted now. What fails is logged, and tried again at the next
 * change: the workflow becomes active, or inactive, all the same.
 */
async function removeAddresses(
	context: IHookFunctions,
	client: Client,
	wanted: Subscription | undefined,
): Promise<void> {
	const kept: Entry[] = [];
	for (const entry of registeredAddresses(context)) {
		const isWanted = wanted && isSame(entry, entryOf(client, wanted));
		const failure = isWanted ? undefined : await remove(client, entry);
		if (isWanted || failure !== undefined) kept.push(entry);
		if (failure === undefined) continue;
		const what = `an address of '${context.getNode().name}' is still registered in the webhook settings of ${entry.sheet}`;
		logWarning(context, `Sheet Records Trigger: ${what}. ${failure}`);
	}
	store(context, kept);
}

/** Returns why the entry could not be removed; undefined when it was. */
async function remove(client: Client, { sheet, url }: Entry): Promise<string | void> {
	const account = accountAddress(client);
	if (!sheet.startsWith(account)) return 'The credential is for another account now';
	const address = parseSheetPath(sheet.slice(account.length));
	const removal = unsubscribe(client, { sheet: address, url, events: webhookEvents });
	return await removal.catch((error: unknown) => {
		if (error instanceof ServiceError) return error.message;
		throw error;
	});
}

/** Every change adds or removes entries. */
function store(context: IHookFunctions, entries: Entry[]): void {
	if (entries.length === registeredAddresses(context).length) return;
	context.getWorkflowStaticData('node').registered = entries.map((entry) => ({ ...entry }));
}

function entryOf(client: Client, { sheet, url }: Subscription): Entry {
	return { sheet: accountAddress(client) + formatSheetPath(sheet), url };
}

function accountAddress({ connection: { baseUrl, account } }: Client): string {
	return `${baseUrl}/${account}/`;
}

function isSame(one: Entry, other: Entry): boolean {
	return one.sheet === other.sheet && one.url === other.url;
}
