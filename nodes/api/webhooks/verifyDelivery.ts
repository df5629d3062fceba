import type { KeyObject } from 'node:crypto';
import { processCache } from '../http/processState';
import { inTurns, type Waiting } from '../http/waiting';
import type { SheetAddress } from '../values/sheetAddress';
import { percentDecoded } from '../values/text';
import { parseDelivery, Refusal, type ContentDelivery, type Delivery } from './delivery';
import { signedSpelling } from './signature';

/** Larger than any delivery should be; n8n itself stops at 16 MB unless configured otherwise. */
const mostBytes = 16 * 1024 * 1024;

/** How the signed texts of accounts were spelt last. */
const spellings = processCache<number>('signedSpellings');

/** What a delivery must be for. */
interface Receiver extends Pick<Waiting, 'sleep'> {
	account: string;
	sheet: SheetAddress;
	/** Whether a delivery must be signed, may be, or its signature does not matter. */
	verification: 'require' | 'ifPresent' | 'off';
	/** One of which must have made the signature. They are asked for when a signature needs them. */
	keys: AsyncIterable<KeyObject> | Iterable<KeyObject>;
}

/**
 * Returns the delivery in a body, and whether its signature was checked (specification, "Signature verification"). That alone
 * does not make it this sheet's: the service signs for all its accounts with one key. Throws Refusal.
 */
export async function verifyDelivery(
	rawBody: Uint8Array,
	receiver: Receiver,
): Promise<{ delivery: Delivery; verified: boolean }> {
	if (rawBody.length > mostBytes) throw new Refusal(413, 'The body is too large');
	const text = decode(rawBody);
	if (text === undefined) throw new Refusal(400, 'The body is not UTF-8');
	const delivery = await inTurns(parseDelivery(text), receiver);
	return { delivery, verified: await isVerified(delivery, receiver) };
}

/** Signatures are made over the text that was sent, not over what n8n parsed. */
function decode(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

async function isVerified(delivery: Delivery, receiver: Receiver): Promise<boolean> {
	const { account, verification } = receiver;
	if (delivery.kind === 'ids') {
		if (verification !== 'require') return false;
		const advice = "Tick 'Send full content of the changed record' in the sheet's webhook settings";
		throw new Refusal(401, `Deliveries without content are not signed. ${advice}`);
	}
	if (!isForReceiver(delivery, receiver)) {
		throw new Refusal(401, 'The delivery is for another account, path or sheet');
	}
	const { signature, signedText } = delivery;
	const mayLack = verification === 'ifPresent' && signature === undefined;
	if (verification === 'off' || mayLack) return false;
	if (signature === undefined || signedText === undefined) {
		throw new Refusal(401, 'The delivery is not signed');
	}
	for await (const key of receiver.keys) {
		const steps = signedSpelling(signedText, signature, key, spellings.get(account));
		const spelling = await inTurns(steps, receiver);
		if (spelling === undefined) continue;
		spellings.set(account, spelling);
		return true;
	}
	throw new Refusal(401, 'The signature is not valid');
}

/** The path may come as people read it or encoded as in an address. */
function isForReceiver(
	{ account, path, sheetIndex }: ContentDelivery,
	{ account: ownAccount, sheet }: Receiver,
): boolean {
	const paths = [path, percentDecoded(path), percentDecoded(path.replace(/\+/g, '%20'))];
	const isOwn = account.toLowerCase() === ownAccount.toLowerCase();
	const isInFolder = paths.includes(sheet.folders.join('/'));
	return isOwn && isInFolder && sheetIndex === sheet.sheetIndex;
}
