import type { FastifyRequest } from 'fastify';
import type { ByteSource, UploadFolder } from '../data/storedFiles';
import { isObject, readJsonWithNumbersAsText } from '../json';
import { decodeQueryText } from './query';
import { ServiceError } from './serviceError';

export interface UploadedFile {
	fieldName: string;
	fileName: string;
	mimeType: string;
	content: ByteSource;
}

export type FormFields = Array<[name: string, value: string]>;

/** Request body: form data with or without files, or JSON (numbers as texts). */
export type RequestBody =
	| { kind: 'none' }
	| { kind: 'json'; text: string }
	| { kind: 'form'; multipart: boolean; fields: FormFields; files: UploadedFile[] }
	| { kind: 'unreadable' };

/** Parses a URL-encoded body. Keeps the order and repetitions of names. */
export function readFormText(text: string): FormFields {
	return text
		.split('&')
		.filter(Boolean)
		.map((pair) => {
			const [name = '', ...value] = pair.split('=');
			return [decodeQueryText(name), decodeQueryText(value.join('='))];
		});
}

/** Converts a body parsed by fastify. Multipart bodies are read part by part. */
export async function readBody(
	request: FastifyRequest,
	uploads: UploadFolder,
): Promise<RequestBody> {
	if (request.isMultipart()) return await readMultipart(request, uploads);
	const { body } = request;
	if (typeof body === 'string')
		return body === '' ? { kind: 'none' } : { kind: 'json', text: body };
	if (isFormFields(body)) return { kind: 'form', multipart: false, fields: body, files: [] };
	return { kind: Buffer.isBuffer(body) && body.length > 0 ? 'unreadable' : 'none' };
}

/** Returns the fields of a form, or the members of a JSON object that are texts or booleans. */
export function textsIn(body: RequestBody): FormFields {
	if (body.kind === 'form') return body.fields;
	if (body.kind !== 'json') return [];
	try {
		const members = Object.entries(jsonMembers(body.text));
		return members.flatMap(([name, value]): FormFields =>
			typeof value === 'string' || typeof value === 'boolean' ? [[name, String(value)]] : [],
		);
	} catch {
		return [];
	}
}

export function jsonMembers(text: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = readJsonWithNumbersAsText(text);
	} catch {
		throw new ServiceError('parameters', 'The body is no JSON.');
	}
	if (!isObject(value)) throw new ServiceError('parameters', 'The body is no object.');
	return value;
}

async function readMultipart(request: FastifyRequest, uploads: UploadFolder): Promise<RequestBody> {
	const fields: FormFields = [];
	const files: UploadedFile[] = [];
	for await (const part of request.parts({ preservePath: true })) {
		if (part.type === 'file') {
			const { fieldname: fieldName, filename: fileName, mimetype: mimeType } = part;
			files.push({ fieldName, fileName, mimeType, content: await uploads.keep(part.file) });
		} else {
			fields.push([part.fieldname, String(part.value)]);
		}
	}
	return { kind: 'form', multipart: true, fields, files };
}

function isFormFields(body: unknown): body is FormFields {
	return Array.isArray(body);
}
