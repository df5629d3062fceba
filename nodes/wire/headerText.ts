import { InputError } from './inputError';

/**
 * A secret that is sent in a header, as it is: n8n's HTTP helper leaves out what a header cannot hold, and so
 * would send another one. Throws InputError, without the text, when a character is no visible one of ASCII.
 */
export function requireHeaderText(text: string, what: string): string {
	if (/^[\x21-\x7e]*$/.test(text)) return text;
	throw new InputError(
		`${what} in the credential holds characters that a header cannot hold`,
		'Enter it again, without blanks and line breaks.',
	);
}

/** A cookie of one name and value. Throws InputError when it would be another cookie, or more than one. */
export function cookieText(name: string, value: string): string {
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
		throw new InputError(
			"'Cookie Name' in the credential is not the name of a cookie",
			'It is a word like JSESSIONID.',
		);
	}
	if (!value.includes(';')) return `${name}=${requireHeaderText(value, 'The session')}`;
	throw new InputError('The session that the service gave cannot be sent as a cookie');
}
