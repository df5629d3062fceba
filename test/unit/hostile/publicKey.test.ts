import { parsePublicKey } from '../../../nodes/wire/publicKey';
import { nastyTexts } from '../../engine/hostile/corpus';

describe('a nasty text in place of the public key', () => {
	it('is none, whatever is around it', () => {
		const texts = nastyTexts.flatMap((text) => [
			text,
			JSON.stringify({ publicKey: text }),
			`-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`,
			`-----BEGIN ${text}-----\nMIIB\n-----END ${text}-----`,
		]);
		expect(texts.filter((text) => parsePublicKey(text) !== undefined)).toEqual([]);
	});
});
