import type { ServiceState } from '../call';
import type { ByteSource } from '../data/storedFiles';
import { writeJson, type JsonValue } from '../json';
import { InvalidRecordError, ServiceError, StatusError } from './serviceError';
import type { Query } from './query';
import type { Switches } from '../switches';

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer | ByteSource;
}

const jsonType = 'application/json;charset=UTF-8';

export function textAnswer(body: string, status = 200): Answer {
	return { status, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}

export function htmlAnswer(message: string, status = 200): Answer {
	const body = `<!DOCTYPE html><html><title>Sheets</title><body>${message}</body></html>`;
	return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body };
}

/** Answers with JSON, or with a call of the function named by `callback` with the JSON as its argument. */
export function jsonAnswer(value: JsonValue, query: Query, status = 200): Answer {
	const json = writeJson(value);
	const callback = query.first('callback');
	if (!callback) return { status, headers: { 'content-type': jsonType }, body: json };
	const headers = { 'content-type': 'application/javascript;charset=UTF-8' };
	return { status, headers, body: `${callback}(${json})` };
}

/** Converts a thrown error to an answer, in the form selected by the switches (specification, "Errors"). */
export function errorAnswer(
	error: unknown,
	query: Query,
	{ switches }: ServiceState,
	method: string,
): Answer {
	if (error instanceof StatusError) return textAnswer(error.message, error.status);
	if (error instanceof InvalidRecordError) {
		const invalid = { status: 'INVALID', code: 202, msg: error.message };
		return jsonAnswer(invalid, query);
	}
	if (!(error instanceof ServiceError)) {
		return textAnswer(error instanceof Error ? (error.stack ?? error.message) : 'Failure', 500);
	}
	const { code, kind, message } = error;
	const falseSuccess = switches.falseSuccess && method !== 'GET' && notFoundMessage(error);
	if (falseSuccess) return jsonAnswer({ status: 'SUCCESS', msg: falseSuccess }, query);
	const status = switches.errorTransport === 'httpStatus' ? error.status : 200;
	const concernsContent = kind === 'parameters' || kind === 'execution';
	if (switches.writeRefusal === 'messageOnly' && method !== 'GET' && concernsContent) {
		return jsonAnswer({ msg: message }, query, status);
	}
	return jsonAnswer(
		{ status: 'ERROR', [switches.errorCodeKey]: code, msg: message },
		query,
		status,
	);
}

/** Returns the message that the deployed service sends beside `SUCCESS` if it does not find a field, record or sheet. */
function notFoundMessage({ kind, message }: ServiceError): string | undefined {
	const [, field] = /^Error processing parameter: (.*)$/.exec(message) ?? [];
	if (field !== undefined) return `Field id ${field} not found.`;
	const [, index] = /^Invalid form index: (.*)$/.exec(message) ?? [];
	if (index !== undefined) return `Form Index ${index} not found.`;
	return kind === 'recordNotFound' ? message : undefined;
}

interface OutgoingFile {
	name: string;
	mimeType: string;
	source: ByteSource;
}

export function fileAnswer({ name, mimeType, source }: OutgoingFile, switches: Switches): Answer {
	const headers: Record<string, string> = {};
	if (switches.fileTypes === 'exact') headers['content-type'] = mimeType;
	if (switches.fileTypes === 'octetStream') headers['content-type'] = 'application/octet-stream';
	const disposition = dispositionOf(name, switches.fileNameForm);
	if (disposition !== undefined) headers['content-disposition'] = disposition;
	return { status: 200, headers, body: source };
}

function dispositionOf(name: string, form: Switches['fileNameForm']): string | undefined {
	switch (form) {
		case 'encoded':
			return `attachment; filename="file"; filename*=UTF-8''${strictlyEncoded(name)}`;
		case 'quoted':
			return `attachment; filename="${escaped(latin1(name))}"`;
		case 'rawUtf8':
			// Header values are sent as latin1, so this sends the UTF-8 bytes of the name.
			return `attachment; filename="${escaped(Buffer.from(oneLine(name)).toString('latin1'))}"`;
		case 'none':
			return undefined;
	}
}

/** RFC 8187 allows fewer unencoded characters than `encodeURIComponent` leaves. */
function strictlyEncoded(name: string): string {
	return encodeURIComponent(name).replace(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

function escaped(text: string): string {
	return text.replace(/["\\]/g, '\\$&');
}

function latin1(name: string): string {
	return oneLine(name).replace(/[^\u0020-\u00ff]/gu, '?');
}

function oneLine(name: string): string {
	return name.replace(/\p{Cc}/gu, ' ');
}
