/** What stands where a secret was. */
export const hidden = '‹hidden›';

/**
 * The text without any of the secrets, in whatever spelling they came back: as they are, percent-encoded, in base64, as
 * JSON or a page for people writes them.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	const spellings = secrets.filter((secret) => secret !== '').flatMap(spellingsOf);
	const longestFirst = [...new Set(spellings)].sort((left, right) => right.length - left.length);
	return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, hidden), text);
}

function spellingsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret);
	const inJson = JSON.stringify(secret).slice(1, -1);
	return [
		secret,
		encoded,
		encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
		encoded.replaceAll('%20', '+'),
		encodeURI(secret),
		Buffer.from(secret).toString('base64'),
		Buffer.from(`${secret}:`).toString('base64'),
		inJson,
		inJson.replaceAll('/', '\\/'),
		// What is left of a key in base64 when somebody has decoded it.
		...decodedBase64(secret),
		secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
	];
}

function decodedBase64(secret: string): string[] {
	if (!/^[\w+/-]{16,}={0,2}$/.test(secret)) return [];
	return [Buffer.from(secret, 'base64').toString('utf8')];
}
