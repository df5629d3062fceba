import type { ServiceState } from '../call';
import type { ByteSource } from '../data/byteSource';
import { writeJson, type JsonValue } from '../json';
import { InvalidRecordError, ServiceError, StatusError } from './serviceError';
import type { Query } from './query';

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer | ByteSource;
}

const jsonType = 'application/json;charset=UTF-8';

export function textAnswer(body: string, status = 200): Answer {
	return { status, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}

/** A page for people with a message. */
export function htmlAnswer(message: string, status = 200): Answer {
	const body = `<!DOCTYPE html><html><title>Sheets</title><body>${message}</body></html>`;
	return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body };
}

/** JSON, or a call to the function that `callback` names with the JSON as its argument. */
export function jsonAnswer(value: JsonValue, query: Query, status = 200): Answer {
	const json = writeJson(value);
	const callback = query.first('callback');
	if (!callback) return { status, headers: { 'content-type': jsonType }, body: json };
	const headers = { 'content-type': 'application/javascript;charset=UTF-8' };
	return { status, headers, body: `${callback}(${json})` };
}

/**
 * Turns what an endpoint has thrown into the answer that the switches ask for (specification,
 * "Errors").
 */
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
	const status = switches.errorTransport === 'httpStatus' ? error.status : 200;
	if (switches.errorFormat === 'html') return htmlAnswer(message, status);
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
