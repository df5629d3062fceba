import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import { isObject } from '../api/json/objects';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import { unsubscribe, type Subscription } from '../api/webhooks/subscription';
import { logWarning } from '../ui/logWarning';

/** Which address is registered in which sheet of which account. */
interface Entry {
	account: string;
	sheet: string;
	url: string;
}

/** Returns what the node has registered and not removed. */
export function registeredAddresses(context: IHookFunctions): Entry[] {
	const { registered } = context.getWorkflowStaticData('node');
	if (!Array.isArray(registered)) return [];
	return registered.filter(isObject).map(({ account, sheet, url }) => ({
		account: String(account),
		sheet: String(sheet),
		url: String(url),
	}));
}

/** Remembers that the address is registered: when it is to be removed, the node's settings may have changed. */
export function addAddress(context: IHookFunctions, client: Client, wanted: Subscription): void {
	const entry = entryOf(client, wanted);
	store(context, [...without(context, entry), entry]);
}

/** Forgets an address that is registered no more. */
export function deleteAddress(context: IHookFunctions, client: Client, gone: Subscription): void {
	store(context, without(context, entryOf(client, gone)));
}

/**
 * Removes what the node has registered, but for what is wanted now. What fails is logged, and tried again at the
 * next change: it must not keep the workflow from becoming active, or inactive.
 */
export async function removeAddresses(
	context: IHookFunctions,
	client: Client,
	wanted: Subscription | undefined,
): Promise<void> {
	for (const entry of registeredAddresses(context)) {
		if (wanted && isSame(entry, entryOf(client, wanted))) continue;
		const failure = await remove(client, entry);
		if (failure === undefined) {
			store(context, without(context, entry));
			continue;
		}
		logWarning(
			context,
			`Sheet Records Trigger: an address of '${context.getNode().name}' is still registered in the webhook settings of ${entry.account}/${entry.sheet}. ${failure}`,
		);
	}
}

/** Returns why the entry could not be removed; undefined when it was. */
async function remove(client: Client, { account, sheet, url }: Entry): Promise<string | undefined> {
	if (account !== accountOf(client)) return 'The credential is for another account now';
	const entry = { sheet: parseSheetPath(sheet), url, events: webhookEvents };
	return await unsubscribe(client, entry).then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error.message;
			throw error;
		},
	);
}

function without(context: IHookFunctions, entry: Entry): Entry[] {
	return registeredAddresses(context).filter((other) => !isSame(other, entry));
}

/** Each change is that of a number: what is there already is stored already. */
function store(context: IHookFunctions, entries: Entry[]): void {
	if (entries.length === registeredAddresses(context).length) return;
	context.getWorkflowStaticData('node').registered = entries.map((entry) => ({ ...entry }));
}

function entryOf(client: Client, { sheet, url }: Subscription): Entry {
	return { account: accountOf(client), sheet: formatSheetPath(sheet), url };
}

function accountOf({ connection: { baseUrl, account } }: Client): string {
	return `${baseUrl}/${account}`;
}

function isSame(one: Entry, other: Entry): boolean {
	return one.account === other.account && one.sheet === other.sheet && one.url === other.url;
}
