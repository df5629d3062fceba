/** What stands where a secret was. */
export const redactionMark = '***';

/** Names of query parameters whose values are secret: key, session, password (specification, "Authentication"). */
const secretParameters = /([?&](?:APIKey|sid|p)=)[^&\s"'<>#]*/gi;
const basicIdentity = /(\bBasic\s+)[A-Za-z0-9+/=_-]{6,}/gi;

/**
 * A text without the given secrets, in whichever form an address or a JSON text may carry them, and
 * without the values of secret query parameters and Basic headers.
 */
export function redact(text: string, secrets: readonly string[]): string {
	return formsOf(secrets)
		.reduce((redacted, form) => redacted.split(form).join(redactionMark), text)
		.replace(secretParameters, `$1${redactionMark}`)
		.replace(basicIdentity, `$1${redactionMark}`);
}

/** Longest first, so that a secret which contains another goes whole. */
function formsOf(secrets: readonly string[]): string[] {
	const forms = new Set<string>();
	for (const secret of secrets) {
		if (secret === '') continue;
		forms.add(secret);
		const encoded = percentEncoded(secret);
		forms.add(encoded);
		forms.add(encoded.replace(/%20/g, '+'));
		forms.add(percentEncoded(encoded));
		forms.add(JSON.stringify(secret).slice(1, -1));
		forms.add(Buffer.from(secret).toString('base64'));
	}
	return [...forms].sort((left, right) => right.length - left.length);
}

/** Half of a surrogate pair has no encoded form; nobody could have sent it. */
function percentEncoded(secret: string): string {
	try {
		return encodeURIComponent(secret);
	} catch {
		return secret;
	}
}
