import { generateKeyPairSync } from 'node:crypto';
import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import { nastyTexts } from '../../../engine/hostile/corpus';
import { keyTexts } from './signatureVectors';

const { pem, der, pkcs1, elliptic } = keyTexts;
const urlSafe = der.replace(/\+/g, '-').replace(/\//g, '_');

it.each([
	['PEM', pem],
	['PEM pasted without any white space inside', pem.replace(/\n/g, '')],
	['PEM whose line breaks are written as \\n', pem.replace(/\n/g, '\\n')],
	['PEM with text around it', `The key:\n${pem}\nKeep it.`],
	['PEM in PKCS#1 form', pkcs1],
	['PEM in PKCS#1 form pasted into one line', pkcs1.replace(/\n/g, ' ')],
	['the first of two PEM', `${pem}${pem}`],
	['bare base64 with white space around it', `\r\n  ${der}  \n`],
	['base64 of the kind for addresses', urlSafe],
	['base64 without padding', der.replace(/=+$/, '')],
	['JSON with base64', JSON.stringify({ status: 'SUCCESS', code: 200, publicKey: der })],
	['a JSON text', JSON.stringify(der)],
])('the public key is read from %s', (_form, text) => {
	const found = parsePublicKey(text)?.export({ type: 'spki', format: 'der' });
	expect(found?.toString('base64')).toBe(der);
});

describe('an invalid public key', () => {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
	const rsaPss = generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).publicKey;

	it.each([
		['nothing', ''],
		['a web page', '<!DOCTYPE html><title>Login</title>'],
		['half of the base64', der.slice(0, der.length / 2)],
		['PEM whose ends differ', pem.replace('END PUBLIC KEY', 'END RSA PUBLIC KEY')],
		['PEM in PKCS#1 form whose ends differ', pkcs1.replace('END RSA PUBLIC KEY', 'END PUBLIC KEY')],
		['PEM without its last line', pem.slice(0, pem.indexOf('-----END'))],
		['a key behind more than 16,000 characters', `${' '.repeat(16_000)}${pem}`],
		['an elliptic key', elliptic],
		['a key for another kind of signature', rsaPss.export({ type: 'spki', format: 'pem' })],
		['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' })],
		['a private key in PKCS#1 form', privateKey.export({ type: 'pkcs1', format: 'pem' })],
		[
			'the base64 of a private key in PKCS#1 form',
			privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
		],
	])('no public key is read from %s', (_what, text) => {
		expect(parsePublicKey(text.toString())).toBeUndefined();
	});

	it('no public key is read from random texts', () => {
		const texts = nastyTexts.flatMap((text) => [
			...[text, JSON.stringify({ publicKey: text })],
			`-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`,
		]);
		expect(texts.filter((text) => parsePublicKey(text) !== undefined)).toEqual([]);
	});
});
