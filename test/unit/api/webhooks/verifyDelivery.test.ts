import { generateKeyPairSync, sign } from 'node:crypto';
import { sleep } from 'n8n-workflow';

import { verifyDelivery } from '../../../../nodes/api/webhooks/verifyDelivery';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

const data =
	'[{"_svcId":5,"105":"a\\/b","1000001":1.0,"512":12345678901234567890,"n":"\\u003c😀é","":null' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}}},{"_svcId":6}]';
/** The string-to-sign, written by hand from the specification. */
const signedText =
	'[{"":null,"1000001":1.0,"105":"a\\/b","512":12345678901234567890' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}},"_svcId":5,"n":"\\u003c😀é"},{"_svcId":6}]';
const members = {
	apname: 'acme',
	path: '/sales/orders',
	sheetIndex: 1,
	eventType: 'UPDATE',
	signature: signatureOf(signedText),
};

function signatureOf(text: string, key = privateKey): string {
	return sign('RSA-SHA256', Buffer.from(text), key).toString('base64');
}

function body(changes: object = {}, content = data): string {
	return `{"data":${content},${JSON.stringify({ ...members, ...changes }).slice(1)}`;
}

type Receiver = Parameters<typeof verifyDelivery>[1];
const orders: Receiver = {
	sleep,
	account: 'acme',
	sheet: { folders: ['sales', 'orders'], sheetIndex: 1 },
	verification: 'require',
	keys: [publicKey],
};

/** Whether a delivery was verified, or the status and reason of its refusal. */
async function outcome(text: string | Buffer, receiver: Partial<Receiver> = {}): Promise<unknown> {
	return await verifyDelivery(Buffer.from(text), { ...orders, ...receiver }).then(
		({ verified }) => verified,
		({ status, message }) => `${status}: ${message}`,
	);
}

const noKeys = {
	[Symbol.asyncIterator](): AsyncIterator<never> {
		throw new Error('A key was asked for');
	},
};

describe('verification', () => {
	const unsigned = body({ signature: undefined });
	const forged = body({ signature: signatureOf(signedText, foreign.privateKey) });

	it.each([
		['require', [/^401: .*Tick 'Send full/, /^401: .*not signed/, /^401: .*not valid/, true]],
		['ifPresent', [false, false, /^401: .*not valid/, true]],
		['off', [false, false, false, false]],
	] as const)('%s: ids, unsigned, forged and signed deliveries', async (verification, expected) => {
		for (const [index, text] of ['[5]', unsigned, forged, body()].entries()) {
			const reason = expected[index];
			const isReason = reason instanceof RegExp;
			const ended = await outcome(text, { verification });
			expect(ended).toEqual(isReason ? expect.stringMatching(reason) : reason);
		}
	});

	it('asks for a key only when a signature needs it, and for another only when one does not fit', async () => {
		const lazy = { keys: noKeys };
		expect(await outcome(unsigned, lazy)).toMatch(/^401/);
		expect(await outcome(body({ sheetIndex: 2 }), lazy)).toMatch(/^401/);
		expect(await outcome(body(), { ...lazy, verification: 'off' })).toBe(false);
		await expect(outcome(body(), lazy)).resolves.toContain('A key was asked for');
		expect(await outcome(body(), { keys: [foreign.publicKey, publicKey] })).toBe(true);
	});
});

describe('a delivery that is not for this sheet is refused with a valid signature: it is for another', () => {
	it.each([
		{ apname: 'other' },
		...['/sales/invoices', '/sales', '/sales/orders/1', '/sales/x/../orders'].map((path) => ({
			path,
		})),
		...[2, '11'].map((sheetIndex) => ({ sheetIndex })),
	])('%j', async (changes) => {
		for (const verification of ['require', 'ifPresent', 'off'] as const) {
			const refusal = '401: The delivery is for another account, path or sheet';
			expect(await outcome(body(changes), { verification })).toBe(refusal);
		}
	});

	it('unless its account is spelled in another case', async () => {
		expect(await outcome(body({ apname: 'ACME' }))).toBe(true);
	});

	it.each(['küche/é t é', '/k%C3%BCche/%C3%A9%20t%20%C3%A9', 'k%C3%BCche/%C3%A9%20t%20%C3%A9/'])(
		'unless its path is spelled in another way: %s',
		async (path) => {
			const sheet = { folders: ['küche', 'é t é'], sheetIndex: 1 };
			expect(await outcome(body({ path }), { sheet })).toBe(true);
		},
	);
});

describe('a delivery is refused when', () => {
	it.each([
		['its signature is empty', body({ signature: '' })],
		['its signature is of other data', body({ signature: signatureOf('[]') })],
		[
			'its data are there twice in different spellings',
			body().replace('"apname"', '"d\\u0061ta":[{"_svcId":9}],"apname"'),
		],
		[
			'a key of a record is there twice, in different spellings',
			body({}, data.replace('"n":', '"\\u006e":"x","n":')),
		],
		['records have changed places', body({}, `[{"_svcId":6},${data.slice(1, -14)}]`)],
		['a record is there twice', body({}, data.replace(']', ',{"_svcId":6}]'))],
		[
			'a long number is rounded',
			body({}, data.replace('12345678901234567890', '12345678901234567000')),
		],
	])('%s', async (_what, text) => {
		expect(text).not.toBe(body());
		expect(await outcome(text)).toMatch(/^401: .*sign/);
	});

	it('it is no JSON, not UTF-8, or too large', async () => {
		expect(await outcome('data=1')).toBe('400: The body is not JSON');
		expect(await outcome(Buffer.from(body({ x: 'ÿ' }), 'latin1'))).toBe(
			'400: The body is not UTF-8',
		);
		expect(await outcome(Buffer.alloc(16 * 1024 * 1024 + 1))).toBe('413: The body is too large');
	});
});
