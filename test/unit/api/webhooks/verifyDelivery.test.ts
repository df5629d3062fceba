import { generateKeyPairSync, sign } from 'node:crypto';
import { readSigned } from '../../../../nodes/api/json/canonicalJson';
import { atOnce } from '../../../../nodes/api/json/jsonReader';
import { verifyDelivery } from '../../../../nodes/api/webhooks/verifyDelivery';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signatureOf = (text: string) =>
	sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

const record = (id: number) => ({
	b: 'é/<x> \\ "quoted"',
	a: '\u2028 plain'.repeat(9),
	_svcId: id,
});
const records = (count: number) => JSON.stringify(Array.from(Array(count).keys(), record));

/** Verifies a delivery, and says how often something else had its turn meanwhile. */
async function verified(data: string, signature: string) {
	const head = '"apname":"acme","path":"/sales","sheetIndex":1,"eventType":"UPDATE"';
	const body = Buffer.from(`{${head},"data":${data},"signature":"${signature}"}`);
	const sleep = jest.fn(async () => await Promise.resolve());
	const outcome = await verifyDelivery(body, {
		account: 'acme',
		sheet: { folders: ['sales'], sheetIndex: 1 },
		verification: 'require',
		keys: [publicKey],
		sleep,
	}).then(
		(result) => result.verified,
		(refusal: Error) => refusal.message,
	);
	return { outcome, turns: sleep.mock.calls.length };
}

describe('a delivery of megabytes lets others have their turn', () => {
	const data = records(15_000);
	const genuine = signatureOf(atOnce(readSigned(`{"data":${data}}`, 'data')).signedText ?? '');
	/** As it is read once. */
	const turns = Math.floor(data.length / 200_100);
	const refused = 'The signature is not valid';

	it.each([
		['is forged', Buffer.alloc(256, 7).toString('base64'), refused],
		['is genuine', genuine, true],
		['is that of another text', signatureOf('[]'), refused],
	])('when its signature %s', async (_what, signature, outcome) => {
		const seen = await verified(data, signature);
		expect(seen.outcome).toBe(outcome);
		expect(seen.turns).toBeGreaterThanOrEqual(turns);
	});
});

it('a long text in many lists costs about as much as in one', () => {
	const text = `"${'x'.repeat(4_000_000)}"`;
	const took = (lists: number) => {
		const data = `${'['.repeat(lists)}${text}${',1]'.repeat(lists)}`;
		const begun = performance.now();
		expect(atOnce(readSigned(`{"data":${data}}`, 'data')).signedText === data).toBe(true);
		return performance.now() - begun;
	};
	const best = (lists: number) => Math.min(took(lists), took(lists), took(lists));
	expect(best(400)).toBeLessThan(20 * best(1));
});
