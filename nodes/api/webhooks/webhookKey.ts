import type { KeyObject } from 'node:crypto';
import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { parsePublicKey } from './publicKey';
import { ServiceError } from '../http/serviceError';
import type { Client } from '../http/client';
import { serviceOf } from '../http/connection';
import { processCache } from '../http/processState';
import { getOrInsert } from '../json/objects';

/** However many forged deliveries arrive, the service is asked for its key no more often than this. */
const leastMillisecondsBetweenRequests = 60_000;

/** While there is no key at all, every delivery is lost: it is asked for again sooner. */
const leastMillisecondsWithoutKey = 5_000;

interface KnownKey {
	/** When it was last asked for; milliseconds of a clock that is never set. */
	requestedAt: number;
	/** The last one that was handed out; kept when a later request fails. */
	key?: KeyObject;
	request?: Promise<KeyObject>;
	failure?: unknown;
}

/** Keys belong to a service, so all accounts on one share one. */
const publicKeys = processCache<KnownKey>('publicKeys');

/**
 * Whether `check` holds with the service's public key. When it does not, once more with a key that is
 * fetched anew, in case the service has changed it: at most once a minute for each service.
 *
 * @throws ServiceError when no key is to be had
 */
export async function checkWithServiceKey(
	client: Client,
	check: (key: KeyObject) => boolean,
): Promise<boolean> {
	const service = serviceOf(client.connection);
	const known = getOrInsert(publicKeys, service, (): KnownKey => ({ requestedAt: -Infinity }));
	const tried = known.key;
	if (tried && check(tried)) return true;
	const newest = await newestKey(client, known);
	return newest !== tried && check(newest);
}

/** The key of a request that is under way or due, else the last one. */
async function newestKey(client: Client, known: KnownKey): Promise<KeyObject> {
	const wait = known.key ? leastMillisecondsBetweenRequests : leastMillisecondsWithoutKey;
	const isDue = performance.now() - known.requestedAt >= wait;
	if (!known.request && isDue) known.request = fetchKey(client, known);
	if (known.request) return await known.request;
	if (known.key) return known.key;
	throw known.failure;
}

async function fetchKey(client: Client, known: KnownKey): Promise<KeyObject> {
	const path = '/api/http/getWebhookSignaturePublicKey.jsp';
	const keepKey = (key: KeyObject) => (known.key = key);
	const keepFailure = (failure: unknown) => {
		known.failure = failure;
		if (known.key) return known.key;
		throw failure;
	};
	return await client
		.read({ path, query: 'type=string', isPublic: true }, keyOf)
		.then(keepKey, keepFailure)
		.finally(() => {
			known.requestedAt = performance.now();
			known.request = undefined;
		});
}

/** The key comes as a bare text, as JSON, or as PEM (specification, endpoint 15). */
function keyOf(answer: RawAnswer): KeyObject {
	const key = answer.status < 400 ? parsePublicKey(answer.text) : undefined;
	if (key) return key;
	const judged = valueOrRefusal(answer);
	if (judged instanceof ServiceError && judged.kind !== 'malformed') throw judged;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service did not hand out its public key for webhooks',
		description: 'Download the key from the service and paste it into the node.',
		status: answer.status,
	});
}
