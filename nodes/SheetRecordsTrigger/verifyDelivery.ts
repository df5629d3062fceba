import type { Client } from '../api/http/client';
import { checkWithServiceKey } from '../api/webhooks/webhookKey';
import { parsePublicKey } from '../api/webhooks/publicKey';
import { isSignedText } from '../api/webhooks/signature';
import type { SheetAddress } from '../api/values/sheetAddress';
import { InputError } from '../api/values/inputError';
import { ServiceError } from '../api/http/serviceError';
import type { ContentDelivery, Delivery } from '../api/webhooks/webhookDelivery';
import type { Refusal } from './refusal';
import type { TriggerSettings } from './triggerParameters';

/** A delivery that may start the workflow. */
export interface Accepted {
	/** Whether its signature was checked and is the service's. */
	verified: boolean;
}

/**
 * Whether a delivery is for this node's sheet and comes from the service (specification, "Signature
 * verification"). The service signs for all its accounts with one key, so a valid signature alone does
 * not make a delivery this sheet's.
 */
export async function judgeDelivery(
	{ verification, publicKeyPem }: TriggerSettings,
	client: Client,
	sheet: SheetAddress,
	delivery: Delivery,
): Promise<Accepted | Refusal> {
	if (delivery.kind === 'ids') {
		return verification === 'require'
			? refused(
					"Deliveries without content are not signed. Tick 'Send full content of the changed record' in the sheet's webhook settings",
				)
			: { verified: false };
	}
	if (!isForSheet(delivery, client.connection.account, sheet)) {
		return refused('The delivery is for another account, path or sheet');
	}
	if (verification === 'off') return { verified: false };
	const { signature, signedTexts } = delivery;
	if (signature === undefined) {
		return verification === 'ifPresent'
			? { verified: false }
			: refused('The delivery is not signed');
	}
	return await judgeSignature(publicKeyPem, client, signedTexts, signature);
}

async function judgeSignature(
	publicKeyPem: string | undefined,
	client: Client,
	texts: () => Iterable<string>,
	signature: string,
): Promise<Accepted | Refusal> {
	if (publicKeyPem !== undefined) {
		const key = parsePublicKey(publicKeyPem);
		if (!key) return { status: 503, reason: "'Public Key (PEM)' of the node is no RSA public key" };
		return acceptedWhen(isSignedText(texts(), signature, key));
	}
	return await checkWithServiceKey(client, (key) => isSignedText(texts(), signature, key)).then(
		acceptedWhen,
		keyUnavailable,
	);
}

function acceptedWhen(isSigned: boolean): Accepted | Refusal {
	return isSigned ? { verified: true } : refused('The signature is not valid');
}

function keyUnavailable(error: unknown): Refusal {
	if (error instanceof ServiceError || error instanceof InputError) {
		return { status: 503, reason: "The service's public key cannot be fetched now", cause: error };
	}
	throw error;
}

function refused(reason: string): Refusal {
	return { status: 401, reason };
}

function isForSheet(
	{ account, path, sheetIndex }: ContentDelivery,
	ownAccount: string,
	sheet: SheetAddress,
): boolean {
	return (
		account === ownAccount && isSamePath(path, sheet.folders) && sheetIndex === sheet.sheetIndex
	);
}

/** The path may come as people read it or encoded as in an address. */
function isSamePath(path: string, folders: readonly string[]): boolean {
	return [folders, folders.map(encodeURIComponent)].some((segments) => segments.join('/') === path);
}
