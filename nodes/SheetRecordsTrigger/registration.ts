import type { IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { ServiceError, type FailureKind } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import { SheetFields } from '../api/sheet/sheetFields';
import { isPrivateAddress } from '../api/values/privateAddress';
import { urlOf } from '../api/values/serviceAddress';
import { formatSheetPath, parseSheetPath } from '../api/values/sheetAddress';
import { webhookEvents } from '../api/webhooks/delivery';
import { isSubscribed, subscribe, undoSubscribe, unsubscribe } from '../api/webhooks/subscription';
import type { Subscription } from '../api/webhooks/subscription';
import { nodeError, withAdvice } from '../shared/nodeError';
import { fileKeys } from '../shared/output/fileKeys';
import { logWarning, nodeKeyOf, parametersOf, watchedFields } from '../shared/trigger';
import { comparisonOf, forgetMemory, restartMemory } from './recentDeliveries';
import { parseSetup, registrationParameter } from './triggerParameters';
import { changeFilter, changeFilterOrAll } from './changeFilter';

/** The hooks that n8n calls on activation and deactivation. They throw NodeOperationError for wrong settings, and NodeApiError for errors of the service. */
export const registration = {
	/**
	 * Returns whether the sheet sends events to this node. A manual registration counts as existing. Removes an outdated
	 * registration. Checks all settings if `isPublished`. Otherwise it does not check fields that were looked up before.
	 */
	checkExists: hook(async (context) => {
		const { setUp, subscription, storedText } = await subscriptionOf(context);
		const { client, sheet, settings } = setUp;
		if (isAutomatic(context)) requireReachable(subscription.url, client);
		const staticData = context.getWorkflowStaticData('node');
		if (isPublished(context)) {
			delete staticData.wanted;
			// The names of fields are stored as IDs now, so they must not be those of ten minutes ago.
			const sheetFields = new SheetFields(client, sheet);
			sheetFields.forgetLists();
			// Check the fields of Download Files.
			await fileKeys(sheetFields, settings);
		}
		// When n8n starts, a service that does not answer must not prevent the activation. Each delivery tries again.
		await (isPublished(context) ? changeFilter : changeFilterOrAll)(setUp, staticData);
		// A test run does not receive the deliveries of the published workflow.
		if (context.getActivationMode() !== 'manual') {
			const watched = settings.events.includes('UPDATE') ? watchedFields.parse(setUp) : [];
			const isCompared = comparisonOf(settings, watched) !== undefined;
			(isCompared ? restartMemory : forgetMemory)(nodeKeyOf(context), staticData);
		}
		await removeOutdated(context, client, isAutomatic(context) ? storedText : undefined);
		// A manual registration is not checked.
		if (!isAutomatic(context)) return true;
		const isKnown = staticData.registered === storedText;
		const isRegistered = await isListed(context, client, subscription, isKnown);
		if (isRegistered) staticData.registered = storedText;
		return isRegistered;
	}),

	/** Registers the address of this node in the sheet. Replaces a registration with other events. */
	create: hook(async (context) => {
		const { setUp, subscription, storedText } = await subscriptionOf(context);
		const { client } = setUp;
		await registering(unsubscribe(client, subscription));
		const subscribed = subscribe(client, subscription).catch(async (failure: unknown) => {
			throw await failureAfterCleanup(failure, client, subscription);
		});
		await registering(subscribed);
		context.getWorkflowStaticData('node').registered = storedText;
		return true;
	}),

	/** Removes the address of this node from the sheet if the registration is automatic, and an outdated address in any case. */
	delete: hook(async (context) => {
		const staticData = context.getWorkflowStaticData('node');
		const isRegistered = isAutomatic(context);
		if (!isRegistered && staticData.registered === undefined) return true;
		const { setUp, subscription, storedText } = await subscriptionOf(context);
		await removeOutdated(context, setUp.client, isRegistered ? storedText : undefined);
		if (!isRegistered) return true;
		await registering(unsubscribe(setUp.client, subscription));
		delete staticData.registered;
		return true;
	}),
};

/** Returns a hook with the errors of n8n. A user who publishes a workflow sees only their messages. */
function hook(act: (context: IHookFunctions) => Promise<boolean>) {
	return async function (this: IHookFunctions): Promise<boolean> {
		return await act(this).catch((thrown: unknown) => {
			const error = nodeError(this.getNode(), thrown, 0);
			throw this.getActivationMode() === 'manual' ? error : withAdvice(error);
		});
	};
}

/**
 * Returns the result of a registration request. The endpoints for registration are not part of the published API, so a
 * ServiceError of a sent request also explains manual registration.
 */
async function registering<T>(request: Promise<T>): Promise<T> {
	return await request.catch((thrown: unknown) => {
		const isRefused = thrown instanceof ServiceError && thrown.kind !== 'unsent';
		throw isRefused ? withManualAdvice(thrown) : thrown;
	});
}

/**
 * Returns whether the sheet sends the events to this node. When n8n starts, a known registration counts if the service does not
 * tell: if the activation failed, n8n would refuse deliveries until it tries again.
 */
async function isListed(
	context: IHookFunctions,
	client: Client,
	subscription: Subscription,
	isKnown: boolean,
): Promise<boolean> {
	return await registering(isSubscribed(client, subscription)).catch((failure: unknown) => {
		if (isPublished(context) || !isKnown || !(failure instanceof ServiceError)) throw failure;
		const what = `it is not known whether the address of '${context.getNode().name}' is still registered in the sheet`;
		logWarning(context, `Sheet Records Trigger: ${what}. ${failure.message}`);
		return true;
	});
}

/**
 * Removes the address that a failed registration may have left in the sheet. Returns the failure of the registration, which
 * names the address if the removal fails, too.
 */
async function failureAfterCleanup(failure: unknown, client: Client, subscription: Subscription) {
	if (!(failure instanceof ServiceError)) return failure;
	return await undoSubscribe(client, subscription).then(
		() => failure,
		() => {
			const advice = `The address ${subscription.url} may still be registered: look in the sheet's webhook settings.`;
			const { description = '' } = failure.details;
			return failure.with({ description: `${advice} ${description}`.trim() });
		},
	);
}

/** Failures that end without a change to the node. Their own advice comes first. */
const mayPass: readonly FailureKind[] = ['tooFrequent', 'server', 'unreachable', 'connectionLost'];

function withManualAdvice(refusal: ServiceError): ServiceError {
	const way = `'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).`;
	// HTTP 404 is about the endpoint for registration, not about a sheet or an ID.
	const isMissing = refusal.kind === 'notFound';
	const { description = '', remedy } = isMissing ? {} : refusal.details;
	const advice = mayPass.includes(refusal.kind)
		? `${description} If it lasts, set ${way}`
		: `Set ${way} ${description}`;
	return refusal.with({
		message: `The webhook could not be registered or removed automatically: ${refusal.message}`,
		description: advice.trim(),
		remedy,
	});
}

/**
 * Returns whether a user activates or tests the workflow, not n8n when it starts or another instance takes over. In these cases,
 * the stored filters and watched fields are kept, because a renamed field or a busy service must not prevent the activation.
 */
function isPublished(context: IHookFunctions): boolean {
	return !['init', 'leadershipChange'].includes(context.getActivationMode());
}

/** Throws InputError if the service is on the internet and n8n's own address is not, because no delivery would ever arrive. */
function requireReachable(url: string, { connection }: Client): void {
	if (!isPrivateAddress(url) || isPrivateAddress(connection.baseUrl)) return;
	const shown = `${urlOf(url)?.origin ?? url.split('/')[0]}/…`;
	throw new InputError(
		`n8n would register ${shown}, which the service cannot reach. WEBHOOK_URL must be n8n's public address`,
		'Set the environment variable WEBHOOK_URL of n8n to its public address, or use Sheet Records Polling Trigger.',
	);
}

function isAutomatic(context: IHookFunctions): boolean {
	return registrationParameter.parse(parametersOf(context)) === 'automatic';
}

/**
 * Returns the settings, the subscription, and its text for static data: the address of the sheet, that of the node, and the ID of
 * this n8n, each in a line.
 */
async function subscriptionOf(context: IHookFunctions) {
	const setUp = await parseSetup(context);
	const { client, sheet, settings } = setUp;
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) {
		throw new InputError("This node's webhook has no address", 'Save the workflow and try again.');
	}
	const lines = [accountAddress(client) + formatSheetPath(sheet), url, context.getInstanceId()];
	const storedText = lines.join('\n');
	return { setUp, subscription: { sheet, url, events: settings.events }, storedText };
}

/**
 * Removes the registration in static data from the sheet if it differs from the current one. If it is of another account or
 * another n8n, or on a ServiceError, only logs a warning, so that the activation continues.
 */
async function removeOutdated(
	context: IHookFunctions,
	client: Client,
	current: string | undefined,
) {
	const staticData = context.getWorkflowStaticData('node');
	const { registered } = staticData;
	if (typeof registered !== 'string' || registered === current) return;
	const [sheet = '', url = '', instanceId] = registered.split('\n');
	const what = `an address of '${context.getNode().name}' is still registered in the webhook settings of ${sheet}`;
	const warn = (why: string) => logWarning(context, `Sheet Records Trigger: ${what}. ${why}`);
	// A workflow that was exported with its static data may still be active in the n8n that registered the address.
	if (instanceId !== context.getInstanceId()) {
		delete staticData.registered;
		return warn('It was registered by another n8n');
	}
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
