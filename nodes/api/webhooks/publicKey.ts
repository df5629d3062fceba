import { createPublicKey, type KeyObject } from 'node:crypto';
import { isJsonObject, orderedJsonIn } from '../json/orderedJson';

/**
 * The service's public key in any of the forms in which it is handed out: PEM, bare base64 of the DER form, or
 * JSON with `publicKey` in either (specification, endpoint 15). Undefined when the text is no RSA public key.
 */
export function parsePublicKey(text: string): KeyObject | undefined {
	const written = (memberOfJson(text) ?? text).trim();
	const key = /-----BEGIN [A-Z ]+-----/.test(written) ? fromPem(written) : fromDer(written);
	return key?.asymmetricKeyType === 'rsa' ? key : undefined;
}

function memberOfJson(text: string): string | undefined {
	if (!/^\s*["{]/.test(text)) return undefined;
	const value = orderedJsonIn(text);
	const member = isJsonObject(value) ? value.get('publicKey') : value;
	return typeof member === 'string' ? member : undefined;
}

/** A key that was pasted into one line has lost the breaks that PEM needs. */
function fromPem(text: string): KeyObject | undefined {
	const [, label = '', body = '', end = ''] =
		/-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END ([A-Z ]+)-----/.exec(text.replace(/\\n/g, '\n')) ??
		[];
	if (label !== end || !label.endsWith('PUBLIC KEY')) return undefined;
	const lines = body.replace(/\s+/g, '').replace(/.{64}(?=.)/g, '$&\n');
	return created(() =>
		createPublicKey(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`),
	);
}

function fromDer(text: string): KeyObject | undefined {
	const base64 = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return undefined;
	const key = Buffer.from(base64, 'base64');
	return created(() => createPublicKey({ key, format: 'der', type: 'spki' }));
}

function created(create: () => KeyObject): KeyObject | undefined {
	try {
		return create();
	} catch {
		return undefined;
	}
}
