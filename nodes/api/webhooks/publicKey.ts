import { createPublicKey, type KeyObject } from 'node:crypto';
import { valueOrRefusal, type RawAnswer } from '../http/answer';
import type { Client } from '../http/client';
import { serviceOf } from '../http/connection';
import { processCache } from '../http/processState';
import { ServiceError } from '../http/serviceError';
import { getOrInsert } from '../json/objects';
import { isJsonObject, orderedJsonIn } from '../json/orderedJson';
import { Refusal } from './delivery';

/** So many times at once, then once a minute: a forged delivery just before a new key must not cost the genuine ones behind. */
const mostRefreshes = 5;
const refreshMilliseconds = 60_000;
/** Without any key every delivery is lost, so it is asked for again sooner. */
const retryMilliseconds = 5_000;

interface CachedKey {
	/** The last key that came; kept when a later request fails. */
	key?: KeyObject;
	/** Yields what went wrong, if anything did, while the key is fetched. */
	request?: Promise<unknown>;
	/** How often the key may be asked for, as of a time of a clock that is never set. */
	refreshes: number;
	asOf: number;
}

/** A service has one key for all its accounts. */
const publicKeys = processCache<CachedKey>('publicKeys');

/** Yields the cached public key of the service, then one that is fetched, in case it has changed. Throws Refusal when there is none. */
export async function* servicePublicKeys(client: Client): AsyncGenerator<KeyObject> {
	const none = (): CachedKey => ({ refreshes: 1, asOf: performance.now() });
	const cached = getOrInsert(publicKeys, serviceOf(client.connection), none);
	const { key } = cached;
	if (key) yield key;
	if (!cached.request && mayAsk(cached)) cached.request = fetchKey(client, cached);
	const cause = await cached.request;
	if (!cached.key)
		throw new Refusal(503, "The service's public key cannot be fetched now", { cause });
	if (cached.key !== key) yield cached.key;
}

function mayAsk(cached: CachedKey): boolean {
	const interval = cached.key ? refreshMilliseconds : retryMilliseconds;
	const gained = Math.floor((performance.now() - cached.asOf) / interval);
	cached.asOf += gained * interval;
	cached.refreshes = Math.min(cached.key ? mostRefreshes : 1, cached.refreshes + gained);
	if (cached.refreshes < 1) return false;
	cached.refreshes -= 1;
	return true;
}

async function fetchKey(client: Client, cached: CachedKey): Promise<unknown> {
	const path = '/api/http/getWebhookSignaturePublicKey.jsp';
	try {
		const key = await client.read({ path, query: 'type=string', isPublic: true }, readKey);
		if (!cached.key) cached.refreshes = mostRefreshes;
		cached.key = key;
		return undefined;
	} catch (cause) {
		return cause;
	} finally {
		cached.request = undefined;
	}
}

function readKey(answer: RawAnswer): KeyObject {
	const key = answer.status < 400 ? parsePublicKey(answer.text) : undefined;
	if (key) return key;
	const refusal = valueOrRefusal(answer);
	if (refusal instanceof ServiceError && refusal.kind !== 'malformed') throw refusal;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service did not hand out its public key for webhooks',
		description: 'Download the key from the service and paste it into the node.',
		status: answer.status,
	});
}

/** Returns the RSA key in PEM, base64 of DER, or JSON with `publicKey` in either (specification, endpoint 15); else undefined. */
export function parsePublicKey(text: string): KeyObject | undefined {
	const value = orderedJsonIn(text);
	const member = isJsonObject(value) ? value.get('publicKey') : value;
	const written = (typeof member === 'string' ? member : text).replace(/\\[nr]|\s+/g, '');
	// A key that was pasted into one line has lost the breaks that PEM needs, so its inside is read.
	const [, body = written] =
		/-----BEGINPUBLICKEY-----(.*)-----ENDPUBLICKEY-----/.exec(written) ?? [];
	if (!/^[\w+/-]+=*$/.test(body)) return undefined;
	try {
		const key = createPublicKey({ key: Buffer.from(body, 'base64'), format: 'der', type: 'spki' });
		return key.asymmetricKeyType === 'rsa' ? key : undefined;
	} catch {
		return undefined;
	}
}
