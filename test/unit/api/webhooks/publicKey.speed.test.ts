import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';

it('a text of many BEGIN lines is not a key, and 100 times as many lines take at most 1,000 times as long', () => {
	const took = (count: number) => {
		const text = '-----BEGIN PUBLIC KEY-----\n'.repeat(count);
		const begun = performance.now();
		expect(parsePublicKey(text)).toBeUndefined();
		return performance.now() - begun;
	};
	const best = (count: number) => Math.min(took(count), took(count), took(count));
	expect(best(5_000)).toBeLessThan(1_000 * best(50));
});
