import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import {
	WrittenJson,
	isObject,
	stringOrNumber,
	writeJson,
	type JsonValue,
} from '../../service/json';
import {
	jsonSpellings,
	type JsonSpelling,
	type SignatureForm,
} from '../../service/webhooks/signingKey';
import { inWords, membersOf, type Members } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { question, type Finding } from './question';

const spellings: readonly JsonSpelling[] = Object.keys(jsonSpellings).filter(isSpelling);
const noneFits =
	'no spelling fits the public key: it is another service’s, or the body was changed';

/** Questions about a saved webhook delivery, which is verified with the public key of the service. */
export const deliveryQuestions = [
	question('signatureForm', 'The encoding of the signature', async (sheet) => {
		const { form, fitting } = await verified(sheet);
		if (!fitting.length) return { seen: noneFits };
		return { seen: form, standsFor: form };
	}),
	question('signedSpelling', 'The spelling of texts in what is signed', async (sheet) =>
		foundSpelling((await verified(sheet)).fitting, noneFits),
	),
	question('bodySpelling', 'The spelling of texts in what is sent', async (sheet) => {
		const tokens = deliveryOf(sheet).match(stringOrNumber) ?? [];
		const texts = tokens.filter((token) => token.startsWith('"'));
		const fits = (name: JsonSpelling) =>
			texts.every((token) => jsonSpellings[name](String(JSON.parse(token))) === token);
		return foundSpelling(spellings.filter(fits), 'none that is known');
	}),
	question('deliveryForm', 'Letters and forms in deliveries', async (sheet) => {
		const { eventType, sheetIndex } = membersIn(sheet);
		const isPublished = /^[A-Z]+$/.test(String(eventType)) && typeof sheetIndex === 'number';
		const seen = `eventType ${String(eventType)}, sheetIndex as a ${typeof sheetIndex}`;
		return { seen, standsFor: isPublished ? 'published' : 'captured' };
	}),
];

function isSpelling(name: string): name is JsonSpelling {
	return Object.hasOwn(jsonSpellings, name);
}

function foundSpelling(fitting: readonly JsonSpelling[], none: string): Finding<JsonSpelling> {
	const [first] = fitting;
	return first === undefined ? { seen: none } : { seen: fitting.join(', '), standsFor: first };
}

function deliveryOf({ delivery }: ScratchSheet): string {
	if (delivery !== undefined) return delivery;
	throw new NotAsked('it needs --delivery <file with the body of a webhook>');
}

/** Returns the members of the delivery. Throws NotAsked if the file does not contain a delivery. */
function membersIn(sheet: ScratchSheet): Members {
	try {
		const value: unknown = JSON.parse(deliveryOf(sheet));
		if (isObject(value) && 'data' in value) return value;
	} catch (error) {
		if (error instanceof NotAsked) throw error;
	}
	throw new NotAsked('the file holds no delivery with content');
}

/** Returns the encoding of the signature, and all JSON spellings with a valid signature. */
async function verified(
	sheet: ScratchSheet,
): Promise<{ form: SignatureForm; fitting: JsonSpelling[] }> {
	const { signature } = membersIn(sheet);
	if (typeof signature !== 'string') throw new NotAsked('the delivery has no signature');
	const key = await publicKey(sheet);
	const data = dataIn(deliveryOf(sheet));
	const isHex = /^[0-9a-f]+$/i.test(signature);
	const form = isHex ? 'hex' : /[-_]|[^=]$/.test(signature) ? 'base64url' : 'base64';
	const bytes = Buffer.from(signature, form);
	const fitting = spellings.filter((name) => {
		const text = writeJson(data, jsonSpellings[name], true);
		return verify('RSA-SHA256', Buffer.from(text), key, bytes);
	});
	return { form, fitting };
}

async function publicKey({ client }: ScratchSheet): Promise<KeyObject> {
	const address = '/api/http/getWebhookSignaturePublicKey.jsp';
	const answer = await client.get(address, 'type=string', 'nobody');
	const text = String(membersOf(answer).publicKey ?? answer.text).trim();
	try {
		if (text.startsWith('-----')) return createPublicKey(text);
		return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
	} catch {
		throw new NotAsked(`the public key could not be read: ${inWords(answer)}`);
	}
}

const numberMark = '\ue000';

/** Returns `data` of a delivery with the exact text of its numbers, which `JSON.parse` would lose. */
function dataIn(delivery: string): JsonValue {
	const marked = delivery.replace(stringOrNumber, (token) =>
		token.startsWith('"') ? token : `"${numberMark}${token}"`,
	);
	const restored = (value: unknown): JsonValue => {
		if (Array.isArray(value)) return value.map(restored);
		if (isObject(value)) {
			return new Map(Object.entries(value).map(([key, member]) => [key, restored(member)]));
		}
		if (typeof value !== 'string') return value === true || value === false ? value : null;
		return value.startsWith(numberMark) ? new WrittenJson(value.slice(1)) : value;
	};
	const { data }: { data: unknown } = JSON.parse(marked);
	return restored(data);
}
