import { cutMark } from './text';

/** What stands where a secret was. */
export const redactionMark = '***';

/** Names of query parameters whose values are secret: key, session, password (specification, "Authentication"). */
const secretParameters = /([?&](?:APIKey|sid|p)=)[^&\s"'<>#]*/gi;
const basicIdentity = /(\bBasic\s+)[A-Za-z0-9+/=_-]{6,}/gi;
/** Less of a secret tells nothing of it. */
const shortestBeginning = 4;

/**
 * A text without the given secrets, in whichever form an address or a JSON text may carry them, and
 * without the values of secret query parameters and Basic headers.
 */
export function redact(text: string, secrets: readonly string[]): string {
	const forms = formsOf(secrets);
	const whole = forms.reduce((redacted, form) => redacted.split(form).join(redactionMark), text);
	return withoutBeginnings(whole, forms)
		.replace(secretParameters, `$1${redactionMark}`)
		.replace(basicIdentity, `$1${redactionMark}`);
}

/** Where a text was cut, the cut may have gone through a secret. */
function withoutBeginnings(text: string, forms: readonly string[]): string {
	const parts = text.split(cutMark);
	const last = parts.pop() ?? '';
	const ended = parts.map((part) => {
		const length = Math.max(0, ...forms.map((form) => beginningAtEnd(part, form)));
		return length < shortestBeginning ? part : `${part.slice(0, -length)}${redactionMark}`;
	});
	return [...ended, last].join(cutMark);
}

/** How many characters of a form, from its first one, the text ends with. */
function beginningAtEnd(text: string, form: string): number {
	for (let length = form.length - 1; length > 0; length--) {
		if (text.endsWith(form.slice(0, length))) return length;
	}
	return 0;
}

/** Longest first, so that a secret which contains another goes whole. */
function formsOf(secrets: readonly string[]): string[] {
	const forms = new Set<string>();
	for (const secret of secrets) {
		if (secret === '') continue;
		forms.add(secret);
		forms.add(JSON.stringify(secret).slice(1, -1));
		forms.add(Buffer.from(secret).toString('base64'));
		// As the user name of Basic authentication, without a password.
		forms.add(Buffer.from(`${secret}:`).toString('base64'));
		for (const form of addressForms(secret)) forms.add(form);
	}
	return [...forms].sort((left, right) => right.length - left.length);
}

/** What writes addresses differs in the characters that it encodes; none if half of a character is among them. */
function addressForms(secret: string): string[] {
	if (/\p{Surrogate}/u.test(secret)) return [];
	const encoded = encodeURIComponent(secret);
	return [
		encoded,
		encodeURIComponent(encoded),
		encoded.replace(/%20/g, '+'),
		encoded.replace(/'/g, '%27'),
		encoded.replace(/[!'()*]/g, percentForm),
		encoded.replace(/[!'()~]/g, percentForm).replace(/%20/g, '+'),
	];
}

function percentForm(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
