import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { unsubscribe, type Subscription } from '../api/webhooks/webhookSubscription';
import { isObject } from '../api/json/objects';
import { ServiceError } from '../api/http/serviceError';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/webhookDelivery';

/** In which sheet of which account the node has entered which address. */
interface Entry {
	account: string;
	sheet: string;
	url: string;
}

/** Keeps in mind that the address is entered: when it is to be removed, the node's settings may be others. */
export function rememberEntered(
	context: IHookFunctions,
	client: Client,
	subscription: Subscription,
): void {
	const entry = entryOf(client, subscription);
	const entries = enteredBefore(context);
	if (!entries.some((other) => isSame(other, entry))) keep(context, [...entries, entry]);
}

/** The address is entered no more. */
export function forgetEntered(
	context: IHookFunctions,
	client: Client,
	subscription: Subscription,
): void {
	const entry = entryOf(client, subscription);
	const entries = enteredBefore(context);
	const others = entries.filter((other) => !isSame(other, entry));
	if (others.length < entries.length) keep(context, others);
}

/** Whether the node has entered anything that was not removed. */
export function hasEntered(context: IHookFunctions): boolean {
	return enteredBefore(context).length > 0;
}

/**
 * Removes what the node has entered, but for what is wanted now. Where that fails it is tried again at the
 * next change, and told in n8n's log: it must not keep the workflow from becoming active, or inactive.
 */
export async function removeEntered(
	context: IHookFunctions,
	client: Client,
	wanted: Subscription | undefined,
): Promise<void> {
	const kept: Entry[] = [];
	const entries = enteredBefore(context);
	for (const entry of entries) {
		const isWanted = wanted !== undefined && isSame(entry, entryOf(client, wanted));
		const failure = isWanted ? undefined : await removed(client, entry);
		if (isWanted || failure !== undefined) kept.push(entry);
		if (failure === undefined) continue;
		const where = `${entry.account}/${entry.sheet}`;
		context.logger.warn(
			`Sheet Records Trigger: an address of '${context.getNode().name}' is still entered in the webhook settings of ${where}. ${failure}`,
		);
	}
	if (kept.length < entries.length) keep(context, kept);
}

/** Why the entry could not be removed; undefined when it was. */
async function removed(
	client: Client,
	{ account, sheet, url }: Entry,
): Promise<string | undefined> {
	if (account !== accountOf(client)) return 'The credential is for another account now';
	const subscription = { sheet: parseSheetPath(sheet), url, events: webhookEvents };
	return await unsubscribe(client, subscription).then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ServiceError) return error.message;
			throw error;
		},
	);
}

function enteredBefore(context: IHookFunctions): Entry[] {
	const { entered } = context.getWorkflowStaticData('node');
	if (!Array.isArray(entered)) return [];
	return entered.filter(isObject).map(({ account, sheet, url }) => ({
		account: String(account),
		sheet: String(sheet),
		url: String(url),
	}));
}

function keep(context: IHookFunctions, entries: Entry[]): void {
	context.getWorkflowStaticData('node').entered = entries.map((entry) => ({ ...entry }));
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
