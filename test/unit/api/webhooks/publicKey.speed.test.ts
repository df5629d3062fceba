import { parsePublicKey } from '../../../../nodes/api/webhooks/publicKey';
import { growth } from '../../growth';

it('a text of many BEGIN lines is not a key, and 100 times as many lines take at most 1,000 times as long', () => {
	const parse = (count: number) => {
		expect(parsePublicKey('-----BEGIN PUBLIC KEY-----\n'.repeat(count))).toBeUndefined();
	};
	expect(growth(parse, 50, 5_000, 1_000)).toBeLessThan(1_000);
});
