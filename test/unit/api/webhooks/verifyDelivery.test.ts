import { generateKeyPairSync, sign } from 'node:crypto';

import { canonicalText } from '../../../../nodes/api/json/canonicalJson';
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

/** Verifies a delivery, and says how long it took, and for how long nothing else had its turn, in the best of three tries. */
async function verified(data: string, signature: string) {
	const head = '"apname":"acme","path":"/sales","sheetIndex":1,"eventType":"UPDATE"';
	const body = Buffer.from(`{${head},"data":${data},"signature":"${signature}"}`);
	const receiver: Omit<Parameters<typeof verifyDelivery>[1], 'sleep'> = {
		account: 'acme',
		sheet: { folders: ['sales'], sheetIndex: 1 },
		verification: 'require',
		keys: [publicKey],
	};
	const tries: Array<{ outcome: unknown; share: number }> = [];
	for (let count = 0; count < 3; count++) {
		const turns = [performance.now()];
		const note = () => turns.push(performance.now());
		const sleep = async () => {
			note();
			await new Promise((resolve) => setTimeout(resolve));
			note();
		};
		const outcome = await verifyDelivery(body, { ...receiver, sleep }).then(
			(result) => result.verified,
			(refusal: Error) => refusal.message,
		);
		note();
		const steps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));
		const own = steps.filter((_, index) => index % 2 === 0);
		const share = Math.max(...own) / own.reduce((sum, step) => sum + step, 0);
		tries.push({ outcome, share });
	}
	tries.sort((left, right) => left.share - right.share);
	return tries[0];
}

describe('a delivery of megabytes', () => {
	const data = records(15_000);
	const genuine = signatureOf(atOnce(canonicalText(`{"data":${data}}`, 'data')) ?? '');

	it.each([
		['genuine', data, genuine, true],
		['with a forged signature', data, Buffer.alloc(256, 7).toString('base64'), false],
		['under the signature of another one', data, signatureOf('[]'), false],
		['with the spellings of others', records(5_000), signatureOf('[]'), false],
	])('%s holds nothing up for long', async (_what, text, signature, isGenuine) => {
		const best = await verified(text, signature);
		expect(best?.outcome).toBe(isGenuine || 'The signature is not valid');
		expect(best?.share).toBeLessThan(1 / 3);
	});
});

it('a long text in many lists costs about as much as in one', () => {
	const text = `"${'x'.repeat(1_000_000)}"`;
	const took = (lists: number) => {
		const data = `${'['.repeat(lists)}${text}${',1]'.repeat(lists)}`;
		const begun = performance.now();
		expect(atOnce(canonicalText(`{"data":${data}}`, 'data')) === data).toBe(true);
		return performance.now() - begun;
	};
	const best = (lists: number) => Math.min(took(lists), took(lists), took(lists));
	expect(best(400)).toBeLessThan(20 * best(1));
});
