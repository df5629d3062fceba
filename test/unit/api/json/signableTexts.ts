import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { readSigned, respelled, spellingsOf } from '../../../../nodes/api/json/canonicalJson';

/** Returns the different texts that may have been signed for the member `data` of a body. */
export function signableTexts(body: string): string[] {
	const { signedText: text } = atOnce(readSigned(body, 'data'));
	if (text === undefined) return [];
	return [...new Set(spellingsOf(text).map((spelling) => [...respelled(text, spelling)].join('')))];
}
