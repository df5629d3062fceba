import { createPublicKey, type KeyObject } from 'node:crypto';
import { valueOrRefusal, type RawAnswer } from '../http/answer';
import type { Client } from '../http/client';
import { serviceOf } from '../http/connection';
import { processCache } from '../http/processState';
import { withCancel } from '../http/waiting';
import { ServiceError } from '../http/serviceError';
import { getOrInsert } from '../json/objects';
import { isJsonObject, orderedJsonIn } from '../json/orderedJson';
import { DeliveryRefusal } from './delivery';

/**
 * Burst of key downloads; after it, one per minute. The burst keeps forged deliveries from blocking genuine ones right after
 * a key rotation.
 */
const maxRefreshes = 5;
const refreshMilliseconds = 60_000;
/** Delay between downloads while no key is known. It is short, because without a key every delivery is lost. */
const retryMilliseconds = 5_000;
/** Maximum length of a key's text. A key of 16,384 bits has about 3,000 characters. */
const maxKeyCharacters = 16_000;

/** Maximum time that a delivery waits for another key while one is known, in ms. */
const maxRefreshWaitMilliseconds = 1_500;
/** Maximum time that a delivery waits while no key is known, in ms. The next delivery then gives up the download and tries again. */
const maxDownloadMilliseconds = 10_000;

/** A running download. */
interface Download {
	/** Resolves to its error, or to undefined. */
	ended: Promise<unknown>;
	/** Returns why it has been repeated; undefined at its first attempt. */
	reason: () => string | undefined;
	giveUp: () => void;
	/** Monotonic time in ms (performance.now()). */
	startedAt: number;
}

interface CachedKey {
	/** The last downloaded key. A failed download does not remove it. */
	key?: KeyObject;
	download?: Download;
	/** Error of the last download. Undefined after a download that succeeded. */
	failure?: unknown;
	/** Number of downloads that are allowed at the time `asOf`. */
	refreshes: number;
	/** Monotonic time in ms (performance.now()). */
	asOf: number;
}

/** Keys by service: all accounts of a service share one key. */
const publicKeys = processCache<CachedKey>('publicKeys');

/**
 * Yields the cached public key of the service. If the caller asks for another key, fetches the key again, or waits for a running
 * download, and yields the new key, even if it is the same. Ends if no download is allowed now. Throws DeliveryRefusal (503) with
 * the reason if the last download failed, or does not end in time while a key is known: the signature may be valid then.
 */
export async function* servicePublicKeys(client: Client): AsyncGenerator<KeyObject> {
	const noKey = (): CachedKey => ({ refreshes: 1, asOf: performance.now() });
	const cached = getOrInsert(publicKeys, serviceOf(client.connection), noKey);
	const { key } = cached;
	if (key) yield key;
	if (!isRunning(cached.download) && takeRefresh(cached)) {
		cached.download?.giveUp();
		cached.download = startDownload(client, cached);
	}
	const { download } = cached;
	const maxWait = key ? maxRefreshWaitMilliseconds : maxDownloadMilliseconds;
	const failure = (download && (await errorWithin(maxWait, download))) ?? cached.failure;
	if (failure !== undefined || !cached.key) throw noKeyRefusal(failure);
	if (cached.key !== key) yield cached.key;
}

/** Returns whether there is a download that is not given up: a hanging download must not keep later deliveries from trying again. */
function isRunning(download: Download | undefined): boolean {
	return download !== undefined && performance.now() - download.startedAt < maxDownloadMilliseconds;
}

/** Returns the error of a download; if it takes too long, the reason so far. It continues, so that later deliveries find its key. */
async function errorWithin(milliseconds: number, { ended, reason }: Download): Promise<unknown> {
	return await withCancel(ended, AbortSignal.timeout(milliseconds)).catch(() => tooSlow(reason()));
}

function tooSlow(message = 'The service does not answer in time'): ServiceError {
	return new ServiceError({ kind: 'tooSlow', message });
}

/** Returns the refusal with its reason. The download needs no identity, so anybody could learn the reason. */
function noKeyRefusal(cause: unknown): DeliveryRefusal {
	const isAnswer = cause instanceof ServiceError && cause.kind !== 'unsent';
	const reason = isAnswer ? cause.message : 'The request could not be sent';
	const message = `The public key of the service cannot be downloaded: ${reason}`;
	return new DeliveryRefusal(503, message, { cause });
}

/** Returns whether the key may be fetched now. If so, counts the download. */
function takeRefresh(cached: CachedKey): boolean {
	const interval = cached.key ? refreshMilliseconds : retryMilliseconds;
	const gained = Math.floor((performance.now() - cached.asOf) / interval);
	cached.asOf += gained * interval;
	cached.refreshes = Math.min(cached.key ? maxRefreshes : 1, cached.refreshes + gained);
	if (cached.refreshes < 1) return false;
	cached.refreshes -= 1;
	return true;
}

/** Starts to download the key into the cache. `ended` resolves to an error instead of throwing it, since several deliveries may wait. */
function startDownload(client: Client, cached: CachedKey): Download {
	const controller = new AbortController();
	const { cache } = client;
	const endDownload = (): void => {
		// A download that was given up must not end a later download.
		if (!controller.signal.aborted) cached.download = undefined;
	};
	const ended = fetchKey(client.endingWith(controller.signal)).then(
		(key) => {
			if (!cached.key) cached.refreshes = maxRefreshes;
			Object.assign(cached, { key, failure: undefined });
			endDownload();
			return undefined;
		},
		(failure: unknown) => {
			if (!controller.signal.aborted) cached.failure = failure;
			endDownload();
			return failure;
		},
	);
	return {
		ended,
		reason: () => (cache.waited.milliseconds > 0 ? cache.waited.reason : undefined),
		giveUp: () => controller.abort(tooSlow()),
		startedAt: performance.now(),
	};
}

async function fetchKey(client: Client): Promise<KeyObject> {
	const path = '/api/http/getWebhookSignaturePublicKey.jsp';
	return await client.read({ path, query: 'type=string', isPublic: true }, decodeKey);
}

function decodeKey(answer: RawAnswer): KeyObject {
	const key = answer.status < 400 ? parsePublicKey(answer.text) : undefined;
	if (key) return key;
	const refusal = valueOrRefusal(answer);
	if (refusal instanceof ServiceError && refusal.kind !== 'malformed') throw refusal;
	throw new ServiceError({
		kind: 'unexpected',
		message: 'The service did not hand out its public key for webhooks',
		description: 'Download the key from the service and paste it into the node.',
		status: answer.status,
	});
}

/**
 * Returns the RSA public key in a text: PEM (SPKI or PKCS#1), base64 of SPKI DER, or JSON with `publicKey` in one of these forms
 * (specification, endpoint 15). Returns undefined for any other text, and for one of more than 16,000 characters.
 */
export function parsePublicKey(text: string): KeyObject | undefined {
	if (text.length > maxKeyCharacters) return undefined;
	const value = orderedJsonIn(text);
	const member = isJsonObject(value) ? value.get('publicKey') : value;
	const written = (typeof member === 'string' ? member : text).replace(/\\[nr]|\s+/g, '');
	// A PEM that was pasted into one line has no line breaks, and Node.js needs them. So its base64 is read instead.
	const pkcs1 = pemBody(written, 'RSAPUBLICKEY');
	return pkcs1 === undefined
		? rsaKey(pemBody(written, 'PUBLICKEY') ?? written, 'spki')
		: rsaKey(pkcs1, 'pkcs1');
}

/** Returns the base64 of a PEM; undefined if the text is no such PEM. Text and label must not contain white space. */
function pemBody(text: string, label: string): string | undefined {
	const firstLine = `-----BEGIN${label}-----`;
	const begin = text.indexOf(firstLine);
	const end = text.indexOf(`-----END${label}-----`, begin);
	return begin === -1 || end === -1 ? undefined : text.slice(begin + firstLine.length, end);
}

function rsaKey(base64: string, type: 'spki' | 'pkcs1'): KeyObject | undefined {
	if (!/^[\w+/-]+=*$/.test(base64)) return undefined;
	try {
		const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type });
		return key.asymmetricKeyType === 'rsa' ? key : undefined;
	} catch {
		return undefined;
	}
}
