import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import { isObject } from '../api/json/objects';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import { unsubscribe, type Subscription } from '../api/webhooks/subscription';
import { logWarning } from '../ui/trigger';

/** Which address is registered in which sheet, by the whole address of that. */
interface Entry {
	sheet: string;
	url: string;
}

/** Returns what the node has registered and not removed. */
export function registeredAddresses(context: IHookFunctions): Entry[] {
	const { registered } = context.getWorkflowStaticData('node');
	if (!Array.isArray(registered)) return [];
	return registered
		.filter(isObject)
		.map(({ sheet, url }) => ({ sheet: String(sheet), url: String(url) }));
}

/** Remembers whether the address is registered: when it is to be removed, the node's settings may have changed. */
export function setRegistered(
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
export async function removeAddresses(
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
async function remove(client: Client, { sheet, url }: Entry): Promise<string | undefined> {
	const account = accountAddress(client);
	if (!sheet.startsWith(account)) return 'The credential is for another account now';
	const address = parseSheetPath(sheet.slice(account.length));
	return await unsubscribe(client, { sheet: address, url, events: webhookEvents }).then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error.message;
			throw error;
		},
	);
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
