import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Encoding of a signature. The specification does not define it. */
export type SignatureForm = 'base64' | 'base64url' | 'hex';

/** Format of the key when the endpoint returns it as a text. Descriptions differ. */
export type PublicKeyForm = 'der' | 'json' | 'pem';

interface KeyPair {
	publicKey: KeyObject;
	privateKey: KeyObject;
}

/** Creating key pairs is slow, so all services of a process share them. */
const keyPairs: KeyPair[] = [];

/** Key pair for webhooks. It belongs to the service, not to an account. */
export class SigningKey {
	private turn = 0;

	/** Replaces the key pair with the next one. */
	rotate(): void {
		this.turn += 1;
	}

	reset(): void {
		this.turn = 0;
	}

	/** Signs a text with SHA256withRSA over its UTF-8 bytes. */
	sign(text: string, form: SignatureForm): string {
		return createSign('RSA-SHA256').update(text, 'utf8').sign(this.pair.privateKey, form);
	}

	get pem(): string {
		return this.pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
	}

	/** SPKI DER as base64, without header lines. */
	get der(): string {
		return this.pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
	}

	private get pair(): KeyPair {
		const pair = keyPairs[this.turn] ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
		keyPairs[this.turn] = pair;
		return pair;
	}
}

/**
 * Equivalent spellings of JSON strings by different serializers: JavaScript, PHP with unescaped Unicode, Python, Jackson with
 * `ESCAPE_NON_ASCII`, PHP, Gson, org.json, json-simple.
 */
export const jsonSpellings = {
	plain: (text: string) => JSON.stringify(text),
	escapedSlash: (text: string) => withSlash(JSON.stringify(text)),
	escapedNonAscii: (text: string) => escaped(JSON.stringify(text), /[\u0080-\uffff]/g),
	escapedNonAsciiUpper: (text: string) =>
		escaped(JSON.stringify(text), /[\u0080-\uffff]/g, (digits) => digits.toUpperCase()),
	escapedSlashAndNonAscii: (text: string) =>
		withSlash(escaped(JSON.stringify(text), /[\u0080-\uffff]/g)),
	htmlSafe: (text: string) => escaped(JSON.stringify(text), /[<>&='\u2028\u2029]/g),
	endTag: (text: string) =>
		escaped(JSON.stringify(text), /[\u0080-\u009f\u2000-\u20ff]/g).replaceAll('</', '<\\/'),
	escapedSlashAndPunctuation: (text: string) =>
		withSlash(
			escaped(JSON.stringify(text), /[\u007f-\u009f\u2000-\u20ff]/g, (digits) =>
				digits.toUpperCase(),
			),
		),
} satisfies Record<string, (text: string) => string>;

export type JsonSpelling = keyof typeof jsonSpellings;

function withSlash(json: string): string {
	return json.replaceAll('/', '\\/');
}

function escaped(json: string, characters: RegExp, digitsOf = (digits: string) => digits): string {
	return json.replace(
		characters,
		(character) => `\\u${digitsOf(character.charCodeAt(0).toString(16).padStart(4, '0'))}`,
	);
}
