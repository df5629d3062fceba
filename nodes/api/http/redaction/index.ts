import { secretDetector } from './secretDetector';

/** What is told in place of words of the service that hold a secret. */
export const redactedText =
	'What the service said is withheld, because it holds a secret of the credential';

/**
 * What makes texts that repeat words of others fit to be shown: in place of each of the words that holds one of the
 * secrets, in whatever form, stands that it is withheld. All else in the texts stays as it is.
 */
export function redacting(
	words: readonly string[],
	secrets: readonly string[],
): (text: string) => string {
	// One of them may hold another.
	const withheld = words
		.filter(secretDetector(secrets))
		.sort((left, right) => right.length - left.length);
	return (text) => withheld.reduce((left, said) => left.split(said).join(redactedText), text);
}
