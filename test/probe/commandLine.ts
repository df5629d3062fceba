import { parseArgs } from 'node:util';
import { fieldNames, type FieldKind } from './scratchSheet';

/** Invalid command-line arguments. The message explains the correct usage. */
export class WrongCall extends Error {}

export interface Order {
	baseUrl: string;
	account: string;
	/** Folder path and sheet number, without leading and trailing slashes. */
	sheet: string;
	fields: Map<FieldKind, string>;
	mayWrite: boolean;
	/** Path of a file with the body of a webhook delivery. */
	delivery: string | undefined;
	asJson: boolean;
	apiKey: string;
	login: { email: string; password: string } | undefined;
}

export const usage = `npm run probe -- --base-url https://… --account <account> --sheet <folder path>/<number> [--write] [--json] [--delivery <file>] [--field <kind>=<field id> …]
The API key is read from SHEET_RECORDS_API_KEY; e-mail and password, for the questions about sessions, from SHEET_RECORDS_EMAIL and
SHEET_RECORDS_PASSWORD. Kinds of fields: ${Object.keys(fieldNames).join(', ')}.`;

/** Parses the command-line arguments, and reads secrets from the environment. */
export function readOrder(
	words: string[],
	environment: Readonly<Record<string, string | undefined>>,
): Order {
	const { values } = parse(words);
	const { SHEET_RECORDS_API_KEY: apiKey, SHEET_RECORDS_EMAIL: email } = environment;
	const { SHEET_RECORDS_PASSWORD: password } = environment;
	if (!apiKey) throw new WrongCall('The environment variable SHEET_RECORDS_API_KEY is missing.');
	return {
		baseUrl: readBaseUrl(required(values['base-url'], '--base-url')),
		account: required(values.account, '--account'),
		sheet: readSheet(required(values.sheet, '--sheet')),
		fields: new Map(values.field.map(readField)),
		mayWrite: values.write,
		delivery: values.delivery,
		asJson: values.json,
		apiKey,
		login: email && password ? { email, password } : undefined,
	};
}

function parse(words: string[]) {
	try {
		return parseArgs({
			args: words,
			options: {
				'base-url': { type: 'string' },
				account: { type: 'string' },
				sheet: { type: 'string' },
				field: { type: 'string', multiple: true, default: [] },
				write: { type: 'boolean', default: false },
				delivery: { type: 'string' },
				json: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		throw new WrongCall(error instanceof Error ? error.message : String(error));
	}
}

function required(value: string | undefined, name: string): string {
	if (value) return value;
	throw new WrongCall(`${name} is missing.`);
}

/** Returns only the origin of the URL, so that nothing else is sent to the service with the key. */
function readBaseUrl(text: string): string {
	if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
		throw new WrongCall('--base-url must begin with https://');
	}
	const { origin, username, password } = new URL(text);
	if (username !== '' || password !== '') {
		throw new WrongCall('--base-url must not hold a user or a password.');
	}
	return origin;
}

function readSheet(text: string): string {
	const path = text.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '');
	if (/^.+\/\d+$/.test(path)) return path;
	throw new WrongCall('--sheet is folder path and number, such as sales/orders/1');
}

function readField(text: string): [FieldKind, string] {
	const [kind = '', id = ''] = text.split('=');
	if (isFieldKind(kind) && /^\d+$/.test(id)) return [kind, id];
	throw new WrongCall(`--field is <kind>=<field id>, not ${text}`);
}

function isFieldKind(kind: string): kind is FieldKind {
	return Object.hasOwn(fieldNames, kind);
}
