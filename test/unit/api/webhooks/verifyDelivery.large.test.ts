import { generateKeyPairSync, sign } from 'node:crypto';
import { readSigned } from '../../../../nodes/api/json/canonicalJson';
import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { verifyDelivery } from '../../../../nodes/api/webhooks/verifyDelivery';
import { growth } from '../../growth';
import { spyOnYields } from '../http/yields';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signatureOf = (text: string) =>
	sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

const record = (id: number) => ({
	b: 'é/<x> \\ "quoted"',
	a: '\u2028 plain'.repeat(9),
	_svcId: id,
});
const records = (count: number) => JSON.stringify(Array.from(Array(count).keys(), record));

/** Verifies a delivery, and counts how often the verification yields to the event loop: once per part of the work. */
async function verified(data: string, signature: string, path = '/sales') {
	const head = `"apname":"acme","path":"${path}","sheetIndex":1,"eventType":"UPDATE"`;
	const body = Buffer.from(`{${head},"data":${data},"signature":"${signature}"}`);
	const yields = spyOnYields();
	yields.mockClear();
	const outcome = await verifyDelivery(body, {
		account: 'acme',
		sheet: { folders: ['sales'], sheetIndex: 1 },
		verification: 'require',
		keys: [publicKey],
	}).then(
		(result) => result.verified,
		(refusal: Error) => refusal.message,
	);
	return { outcome, turns: yields.mock.calls.length };
}

describe('a delivery of megabytes', () => {
	const data = records(10_000);
	const genuine = signatureOf(atOnce(readSigned(`{"data":${data}}`, 'data')).signedText ?? '');
	/** Minimum number of parts of a single pass over the text. */
	const turns = Math.floor(data.length / 200_100);
	const refused = 'The signature is not valid';

	it.each([
		['is genuine', genuine, true],
		['is that of another text', signatureOf('[]'), refused],
	])(
		'verifying a delivery of megabytes yields to the event loop when its signature %s',
		async (_what, signature, outcome) => {
			const seen = await verified(data, signature);
			expect(seen.outcome).toBe(outcome);
			expect(seen.turns).toBeGreaterThanOrEqual(turns);
		},
	);

	it.each([
		['has random bytes', Buffer.alloc(256, 7).toString('base64')],
		['is a number that no key has signed', Buffer.alloc(256).fill(1, 255).toString('base64')],
		['is as large as the modulus', Buffer.alloc(256, 0xff).toString('base64')],
		['is too short', Buffer.from(genuine, 'base64').subarray(1).toString('base64')],
		[
			'is too long',
			Buffer.from(`00${Buffer.from(genuine, 'base64').toString('hex')}`, 'hex').toString('base64'),
		],
		['is of another key', sign('RSA-SHA256', Buffer.from('[]'), otherKey).toString('base64')],
		['is of another algorithm', sign('RSA-SHA1', Buffer.from('[]'), privateKey).toString('base64')],
		['is longer than any', 'A'.repeat(1_000_000)],
	])(
		'a delivery of megabytes is rejected after the same number of steps as one for another sheet when its signature %s',
		async (_what, signature) => {
			const elsewhere = await verified(data, signature, '/other');
			expect(elsewhere.outcome).toBe('The delivery is for another account, path or sheet');
			expect(await verified(data, signature)).toEqual({ outcome: refused, turns: elsewhere.turns });
		},
	);
});

it('a long text in many lists costs about as much as in one', () => {
	const text = `"${'x'.repeat(4_000_000)}"`;
	const read = (lists: number) => {
		const data = `${'['.repeat(lists)}${text}${',1]'.repeat(lists)}`;
		expect(atOnce(readSigned(`{"data":${data}}`, 'data')).signedText === data).toBe(true);
	};
	expect(growth(read, 1, 400, 20)).toBeLessThan(20);
});
