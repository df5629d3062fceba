import type { IHookFunctions } from 'n8n-workflow';
import { credentialTypeOf } from '../editor/authentication';
import { nodeError } from '../editor/nodeError';
import { sheetOf } from '../editor/sheet';
import { Client } from '../service/client';
import { isSubscribed, subscribe, unsubscribe } from '../service/webhookSubscription';
import type { Subscription } from '../service/webhookSubscription';
import { parsePublicKey } from '../wire/publicKey';
import { ServiceError, inputError } from '../wire/serviceError';
import { chosenEvents } from './chosenEvents';

/**
 * Whether the sheet sends to this node. With manual registration that is the user's affair; the node's
 * settings are checked either way, while somebody is there to read what is wrong.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await withSubscription(context, async (client, subscription) => {
		requireUsableKey(context);
		return !isAutomatic(context) || (await isSubscribed(client, subscription));
	});
}

/** Enters this node's address in the sheet, in place of an entry with other events. */
export async function register(context: IHookFunctions): Promise<boolean> {
	if (!isAutomatic(context)) return true;
	return await withSubscription(context, async (client, subscription) => {
		await unsubscribe(client, subscription);
		await subscribe(client, subscription);
		return true;
	});
}

/** Removes this node's address from the sheet. */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	if (!isAutomatic(context)) return true;
	return await withSubscription(context, async (client, subscription) => {
		await unsubscribe(client, subscription);
		return true;
	});
}

function isAutomatic(context: IHookFunctions): boolean {
	return context.getNodeParameter('registration') === 'automatic';
}

async function withSubscription(
	context: IHookFunctions,
	act: (client: Client, subscription: Subscription) => Promise<boolean>,
): Promise<boolean> {
	return await actOnSubscription(context, act).catch((thrown: unknown) => {
		throw nodeError(context.getNode(), withManualWay(thrown), 0);
	});
}

async function actOnSubscription(
	context: IHookFunctions,
	act: (client: Client, subscription: Subscription) => Promise<boolean>,
): Promise<boolean> {
	const client = await Client.connect(
		context,
		credentialTypeOf(context.getNodeParameter('authentication')),
	);
	const url = context.getNodeWebhookUrl('default');
	if (url === undefined) throw inputError("This node's webhook has no address");
	const sheet = sheetOf(context.getNodeParameter('sheet'), client.connection);
	const events = chosenEvents(context);
	if (events.length === 0) throw inputError("Choose at least one event in 'Trigger On'");
	return await act(client, { sheet, url, events });
}

function requireUsableKey(context: IHookFunctions): void {
	const isPasted =
		context.getNodeParameter('verification') !== 'off' &&
		context.getNodeParameter('publicKeySource') === 'pem';
	if (!isPasted || parsePublicKey(String(context.getNodeParameter('publicKeyPem')))) return;
	throw inputError(
		"'Public Key (PEM)' is not an RSA public key",
		"Paste it whole, with its first and last line, or set 'Public Key From' to 'Service'.",
	);
}

/** The endpoints are not part of the published API: whoever is refused is told the way that always works. */
function withManualWay(thrown: unknown): unknown {
	if (!(thrown instanceof ServiceError) || thrown.kind === 'input') return thrown;
	const before = thrown.details.description;
	return new ServiceError({
		...thrown.details,
		message: `The webhook could not be registered or removed automatically: ${thrown.message}`,
		description: `Set 'Registration' to 'Manual' and paste the node's address into the sheet's webhook settings (Tools → Sync → Webhook).${before ? ` ${before}` : ''}`,
	});
}
