import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import { isSubscribed, subscribe, unsubscribe } from '../api/webhooks/subscription';
import type { Subscription } from '../api/webhooks/subscription';
import { nodeError } from '../shared/nodeError';
import { fileKeys } from '../shared/output/recordFiles';
import { logWarning, nodeKeyOf, parametersOf } from '../shared/trigger';
import { restartMemory } from './recentDeliveries';
import { readSetUp, registrationParameter } from './triggerParameters';
import { wantedChanges } from './wantedChanges';

/** What n8n calls on activation and deactivation. Throws NodeOperationError for wrong settings, NodeApiError for refusals. */
export const registration = {
	/** Returns whether the sheet sends to this node. Throws if a setting is wrong, and removes an outdated entry. */
	checkExists: hook(async (context) => {
		const { setUp, subscription, entry } = await readSubscription(context);
		const { client, sheet, settings } = setUp;
		const staticData = context.getWorkflowStaticData('node');
		restartMemory(nodeKeyOf(context), staticData);
		if (isPublished(context)) {
			delete staticData.wanted;
			await fileKeys(client, sheet, settings);
		}
		await wantedChanges(setUp, staticData);
		const isWanted = isAutomatic(context);
		await removeOther(context, client, isWanted ? entry : undefined);
		// Manual registration is the user's affair.
		return !isWanted || (await isSubscribed(client, subscription));
	}),

	/** Registers this node's address in the sheet, in place of an entry with other events. */
	create: hook(async (context) => {
		const { setUp, subscription, entry } = await readSubscription(context);
		await unsubscribe(setUp.client, subscription);
		await subscribe(setUp.client, subscription).catch(async (failure: unknown) => {
			throw await withoutEntry(failure, setUp.client, subscription);
		});
		context.getWorkflowStaticData('node').registered = entry;
		return true;
	}),

	/** Removes this node's address from the sheet, and another one that it has registered. */
	delete: hook(async (context) => {
		const staticData = context.getWorkflowStaticData('node');
		const isWanted = isAutomatic(context);
		if (!isWanted && staticData.registered === undefined) return true;
		const { setUp, subscription, entry } = await readSubscription(context);
		await removeOther(context, setUp.client, isWanted ? entry : undefined);
		if (!isWanted) return true;
		await unsubscribe(setUp.client, subscription);
		delete staticData.registered;
		return true;
	}),
};

/** The endpoints are not part of the published API: a refusal names the way that always works. */
function hook(act: (context: IHookFunctions) => Promise<boolean>) {
	return async function (this: IHookFunctions): Promise<boolean> {
		return await act(this).catch((thrown: unknown) => {
			const isRefused = thrown instanceof ServiceError && thrown.kind !== 'unsent';
			const hasOtherWay = isRefused && isAutomatic(this);
			throw nodeError(this.getNode(), hasOtherWay ? withManualWay(thrown) : thrown, 0);
		});
	};
}

/** Removes what a failed registration may have left in the sheet. Returns the failure, which names the address if that fails, too. */
async function withoutEntry(failure: unknown, client: Client, subscription: Subscription) {
	if (!(failure instanceof ServiceError)) return failure;
	return await unsubscribe(client, subscription).then(
		() => failure,
		() => {
			const advice = `The address ${subscription.url} may still be registered: look in the sheet's webhook settings.`;
			const { description = '' } = failure.details;
			return failure.with({ description: `${advice} ${description}`.trim() });
		},
	);
}

function withManualWay(refusal: ServiceError): ServiceError {
	const way = `Set 'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).`;
	return refusal.with({
		message: `The webhook could not be registered or removed automatically: ${refusal.message}`,
		description: `${way} ${refusal.details.description ?? ''}`.trim(),
	});
}

/**
 * Returns whether a user activates the workflow, rather than n8n when it starts. At its start the stored filters and watched
 * fields stay: a renamed field or a busy service must not keep the workflow inactive, since it would miss deliveries.
 */
function isPublished(context: IHookFunctions): boolean {
	return !['init', 'leadershipChange'].includes(context.getActivationMode());
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
	const entry = `${accountAddress(client)}${formatSheetPath(sheet)}\n${url}`;
	return { setUp, subscription: { sheet, url, events: settings.events }, entry };
}

/** Removes what the node has registered, unless it is wanted now. A failure is logged, and keeps the workflow from nothing. */
async function removeOther(context: IHookFunctions, client: Client, wanted: string | undefined) {
	const staticData = context.getWorkflowStaticData('node');
	const { registered } = staticData;
	if (typeof registered !== 'string' || registered === wanted) return;
	const [sheet = '', url = ''] = registered.split('\n');
	const what = `an address of '${context.getNode().name}' is still registered in the webhook settings of ${sheet}`;
	const warn = (why: string) => logWarning(context, `Sheet Records Trigger: ${what}. ${why}`);
	const account = accountAddress(client);
	if (!sheet.startsWith(account)) return warn('The credential is for another account now');
	const address = parseSheetPath(sheet.slice(account.length));
	await unsubscribe(client, { sheet: address, url, events: webhookEvents }).then(
		() => delete staticData.registered,
		(failure: unknown) => {
			if (!(failure instanceof ServiceError)) throw failure;
			warn(failure.message);
		},
	);
}

function accountAddress({ connection: { baseUrl, account } }: Client): string {
	return `${baseUrl}/${account}/`;
}
