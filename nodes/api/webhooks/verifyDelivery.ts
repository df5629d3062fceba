import type { KeyObject } from 'node:crypto';
import { processCache } from '../http/processState';
import { runCooperatively } from '../http/eventLoop';
import type { SheetAddress } from '../values/sheetAddress';
import { percentDecoded } from '../values/text';
import { parseDelivery, DeliveryRefusal, type Delivery, type Envelope } from './delivery';
import { signedSpelling } from './signature';

/** Maximum size of a body, in bytes. n8n has the same limit unless it is configured otherwise. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Account → number of the spelling in which its last signed text was written. */
const lastSpellings = processCache<number>('signedSpellings');

/** The node that receives a delivery. */
interface DeliveryReceiver {
	account: string;
	sheet: SheetAddress;
	/** Whether a delivery must be signed, may be signed, or its signature is ignored. */
	verification: 'require' | 'ifPresent' | 'off';
	/** Public keys. One of them must match the signature. They are only fetched if a signature is checked. */
	keys: AsyncIterable<KeyObject> | Iterable<KeyObject>;
}

/**
 * Returns the delivery in a body, and whether its signature was checked (specification, "Signature verification"). The
 * service signs for all its accounts with one key, so account, path and sheet are checked too. A bare list of record IDs names
 * none of these, and is only accepted if no signature is required. Throws DeliveryRefusal.
 */
export async function verifyDelivery(
	rawBody: Uint8Array,
	receiver: DeliveryReceiver,
): Promise<{ delivery: Delivery; verified: boolean }> {
	if (rawBody.length > maxBodyBytes) throw new DeliveryRefusal(413, 'The body is too large');
	const text = decode(rawBody);
	if (text === undefined) throw new DeliveryRefusal(400, 'The body is not UTF-8');
	const delivery = await runCooperatively(parseDelivery(text));
	return { delivery, verified: await isVerified(delivery, receiver) };
}

/** Returns the text of UTF-8 bytes; undefined if they are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/**
 * Returns whether a valid signature was checked. Throws DeliveryRefusal (401) if the delivery is for another sheet, if its
 * signature is wrong, or if a required signature is missing. Deliveries without content have none.
 */
async function isVerified(
	{ envelope, hasContent }: Delivery,
	receiver: DeliveryReceiver,
): Promise<boolean> {
	if (envelope && !isForReceiver(envelope, receiver)) {
		throw new DeliveryRefusal(401, 'The delivery is for another account, path or sheet');
	}
	const { verification } = receiver;
	if (verification === 'off') return false;
	if (envelope?.signature !== undefined) {
		await requireValidSignature(envelope.signature, envelope.signedText, receiver);
		return true;
	}
	if (verification === 'ifPresent') return false;
	if (!hasContent) {
		const advice = "Tick 'Send full content of the changed record' in the sheet's webhook settings";
		throw new DeliveryRefusal(401, `Deliveries without content are not signed. ${advice}`);
	}
	throw new DeliveryRefusal(401, 'The delivery is not signed');
}

async function requireValidSignature(
	signature: string,
	signedText: string | undefined,
	receiver: DeliveryReceiver,
): Promise<void> {
	const { account } = receiver;
	if (signedText === undefined) throw new DeliveryRefusal(401, 'The delivery is not signed');
	for await (const key of receiver.keys) {
		const steps = signedSpelling(signedText, signature, key, lastSpellings.get(account));
		const spelling = await runCooperatively(steps);
		if (spelling === undefined) continue;
		lastSpellings.set(account, spelling);
		return;
	}
	throw new DeliveryRefusal(401, 'The signature is not valid');
}

/** The path may come as people read it, or percent-encoded as in an address. */
function isForReceiver(envelope: Envelope, { account, sheet }: DeliveryReceiver): boolean {
	const { path, sheetIndex } = envelope;
	const paths = [path, percentDecoded(path), percentDecoded(path.replace(/\+/g, '%20'))];
	const isInAccount = envelope.account.toLowerCase() === account.toLowerCase();
	const isInFolder = paths.includes(sheet.folders.join('/'));
	return isInAccount && isInFolder && sheetIndex === sheet.sheetIndex;
}
