import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { verifyDelivery } from '../../../../nodes/api/webhooks/verifyDelivery';

/** Returns a new private key, and the public key parsed from text. A generated public key can make Node.js 20 hang. */
function newKeys() {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', {
		modulusLength: 1024,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});
	return { privateKey, publicKey: createPublicKey(publicKey) };
}

const { privateKey, publicKey } = newKeys();
const { publicKey: otherPublicKey } = newKeys();
const signatureOf = (text: string) =>
	sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

describe('a delivery', () => {
	const dataText = '[{"1":"a","_svcId":5}]';
	const valid = signatureOf(dataText);

	interface Setup {
		head?: object;
		data?: string;
		signature?: string;
		verification?: 'require' | 'ifPresent' | 'off';
		folders?: string[];
		body?: Uint8Array;
		keys?: (typeof publicKey)[];
	}

	/** Returns whether the delivery was verified, or the status and message of the rejection. */
	async function outcomeOf(input: Setup) {
		const {
			head,
			data = dataText,
			signature,
			verification = 'require',
			keys = [publicKey],
		} = input;
		const members = { apname: 'acme', path: 'sales', sheetIndex: 1, eventType: 'UPDATE', ...head };
		const text = JSON.stringify({ ...members, ...(signature && { signature }) });
		const body = input.body ?? Buffer.from(text.replace(/}$/, `,"data":${data}}`));
		const sheet = { folders: input.folders ?? ['sales'], sheetIndex: 1 };
		const receiver = { account: 'Acme', sheet, verification, keys };
		return await verifyDelivery(body, receiver).then(
			({ verified: isVerified }) => isVerified,
			({ status, message }) => `${status} ${message}`,
		);
	}

	const notSigned = '401 The delivery is not signed';
	const notValid = '401 The signature is not valid';
	const elsewhere = '401 The delivery is for another account, path or sheet';

	it.each<{ title: string; input: Setup; outcome: boolean | string }>([
		{ title: 'signed', input: { signature: valid }, outcome: true },
		{
			title: 'signed, if present',
			input: { signature: valid, verification: 'ifPresent' },
			outcome: true,
		},
		{ title: 'signed, off', input: { signature: 'x', verification: 'off' }, outcome: false },
		{ title: 'not signed', input: {}, outcome: notSigned },
		{ title: 'not signed, if present', input: { verification: 'ifPresent' }, outcome: false },
		{
			title: 'wrongly signed',
			input: { signature: 'x', verification: 'ifPresent' },
			outcome: notValid,
		},
		{ title: 'without a key', input: { signature: valid, keys: [] }, outcome: notValid },
		{
			title: 'signed with the second key',
			input: { signature: valid, keys: [otherPublicKey, publicKey] },
			outcome: true,
		},
		{
			title: 'IDs only',
			input: { data: '[5]' },
			outcome:
				"401 Deliveries without content are not signed. Tick 'Send full content of the changed record' in the sheet's webhook settings",
		},
		{
			title: 'IDs only, if present',
			input: { data: '[5]', verification: 'ifPresent' },
			outcome: false,
		},
		{
			title: 'with its data twice, in different spellings',
			input: {
				body: Buffer.from(
					`{"apname":"acme","path":"sales","sheetIndex":1,"eventType":"UPDATE","signature":"${valid}","d\\u0061ta":${dataText},"data":${dataText}}`,
				),
			},
			outcome: notSigned,
		},
		{ title: 'for another account', input: { head: { apname: 'other' } }, outcome: elsewhere },
		{ title: 'for another sheet', input: { head: { sheetIndex: 2 } }, outcome: elsewhere },
		{
			title: 'for another folder, off',
			input: { head: { path: 'other' }, verification: 'off' },
			outcome: elsewhere,
		},
		{
			title: 'for an encoded folder',
			input: { signature: valid, head: { path: 'a%20b%2B' }, folders: ['a b+'] },
			outcome: true,
		},
		{
			title: 'for a folder encoded as in a form',
			input: { signature: valid, head: { path: '/a+b/c' }, folders: ['a b', 'c'] },
			outcome: true,
		},
		{
			title: 'for a folder with a plus sign',
			input: { signature: valid, head: { path: 'a+b' }, folders: ['a+b'] },
			outcome: true,
		},
		{
			title: 'that is no UTF-8',
			input: { body: Uint8Array.of(0x7b, 0xff) },
			outcome: '400 The body is not UTF-8',
		},
		{
			title: 'that is too large',
			input: { body: new Uint8Array(16 * 1024 * 1024 + 1) },
			outcome: '413 The body is too large',
		},
		{
			title: 'of the maximum size, which is no JSON',
			input: { body: new Uint8Array(16 * 1024 * 1024) },
			outcome: '400 The body is not JSON, or holds too much',
		},
	])('is accepted or rejected: $title', async ({ input, outcome }) => {
		expect(await outcomeOf(input)).toBe(outcome);
	});
});
