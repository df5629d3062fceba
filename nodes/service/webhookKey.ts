import type { KeyObject } from 'node:crypto';
import type { RawAnswer } from '../wire/answer';
import { judgeAnswer } from '../wire/answer';
import { parsePublicKey } from '../wire/publicKey';
import { apiQuery } from '../wire/query';
import { ServiceError } from '../wire/serviceError';
import type { Client } from './client';

/** However many forged deliveries arrive, the service is asked for its key no more often than this. */
const leastMillisecondsBetweenRequests = 60_000;

interface KnownKey {
	requestedAt: number;
	key: Promise<KeyObject>;
}

/** Keys belong to a service, so all accounts on one address share one. */
const knownKeys = new Map<string, KnownKey>();

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
	const address = client.connection.baseUrl;
	const known = knownKeys.get(address) ?? fetchKey(client, address);
	const isFresh = Date.now() - known.requestedAt < leastMillisecondsBetweenRequests;
	const holds = await known.key.then(check, (error: unknown) => {
		if (isFresh) throw error;
		return false;
	});
	if (holds || isFresh) return holds;
	// Another delivery may have fetched it while this one was checked.
	const current = knownKeys.get(address);
	const next = current && current !== known ? current : fetchKey(client, address);
	return check(await next.key);
}

function fetchKey(client: Client, address: string): KnownKey {
	const request = {
		path: '/api/http/getWebhookSignaturePublicKey.jsp',
		query: `type=string&${apiQuery([])}`,
	};
	const known = { requestedAt: Date.now(), key: client.read(request, keyOf) };
	known.key.catch(() => undefined);
	knownKeys.set(address, known);
	return known;
}

/** The key comes as a bare text, as JSON, or as PEM (specification, endpoint 15). */
function keyOf(answer: RawAnswer): KeyObject {
	const key = answer.status < 400 ? parsePublicKey(answer.text) : undefined;
	if (key) return key;
	const judged = judgeAnswer(answer);
	if (judged instanceof ServiceError && judged.kind !== 'malformed') throw judged;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service did not hand out its public key for webhooks',
		description: "Paste the key: set 'Public Key From' to 'Pasted PEM'.",
		status: answer.status,
	});
}
