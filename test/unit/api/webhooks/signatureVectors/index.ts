import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A signature created by the openssl command. See `generate.sh`. */
export interface SignatureVector {
	name: string;
	/** `data` as in the body of a delivery. */
	delivered: string;
	/** The string to sign. */
	signed: string;
	/** Signature in base64. */
	signature: string;
}

export const vectors: SignatureVector[] = readdirSync(join(__dirname, 'signed')).map((file) => {
	const name = file.replace('.txt', '');
	return {
		name,
		delivered: read(`delivered/${name}.json`),
		signed: read(`signed/${file}`),
		signature: read(`signatures/${file}`),
	};
});

/** The same key in all formats of the service, and a key of another kind. */
export const keyTexts = {
	pem: read('publicKey.pem'),
	der: read('publicKey.der.base64'),
	pkcs1: read('publicKey.pkcs1.pem'),
	elliptic: read('ellipticKey.pem'),
};

function read(path: string): string {
	return readFileSync(join(__dirname, path), 'utf8');
}
