import { isObject } from '../service/json';

export { isObject };

/** Response of the service to a request. Secrets in the text are hidden. */
export interface ServiceAnswer {
	status: number;
	text: string;
	contentType: string;
	/** Names of the cookies that the response sets. */
	cookieNames: string[];
	retryAfter: string | undefined;
}

export type Members = Record<string, unknown>;

/** Parses the response as JSON. Returns undefined if it is not JSON. */
export function jsonOf({ text }: Pick<ServiceAnswer, 'text'>): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the response if it is a JSON object, otherwise an empty object. */
export function membersOf(answer: ServiceAnswer): Members {
	const value = jsonOf(answer);
	return isObject(value) ? value : {};
}

/** Returns the error code from `code` or `errorCode`, or undefined if the response is not an error. */
export function codeOf(answer: ServiceAnswer): number | undefined {
	const { status, code, errorCode } = membersOf(answer);
	if (status === 'SUCCESS') return undefined;
	const number = Number(code ?? errorCode ?? NaN);
	return Number.isInteger(number) ? number : undefined;
}

export function isPage({ text, contentType }: ServiceAnswer): boolean {
	return contentType.startsWith('text/html') || /^\s*<(!doctype html|html)/i.test(text);
}

/** Whether the response reports success, such as that of a write. */
export function isSuccess(answer: ServiceAnswer): boolean {
	return answer.status < 300 && membersOf(answer).status === 'SUCCESS';
}

/** Returns the records of a response: record ID → record. Returns undefined if the response does not consist of records. */
export function recordsOf(answer: ServiceAnswer): Map<string, Members> | undefined {
	const value = jsonOf(answer);
	if (answer.status !== 200 || !isObject(value)) return undefined;
	const records = Object.entries(value).flatMap(([id, record]): Array<[string, Members]> =>
		/^\d+$/.test(id) && isObject(record) ? [[id, record]] : [],
	);
	const otherKeys = Object.keys(value).filter((key) => !/^(\d+$|_|info$)/.test(key));
	return otherKeys.length === 0 ? new Map(records) : undefined;
}

/** Describes a response in a few words: format, status, code and message. */
export function inWords(answer: ServiceAnswer): string {
	const { status, text } = answer;
	if (isPage(answer)) return `HTTP ${status}, a page for people`;
	const value = jsonOf(answer);
	const code = codeOf(answer);
	if (isObject(value) && (code !== undefined || typeof value.msg === 'string')) {
		const words = [
			...(typeof value.status === 'string' ? [value.status] : ['no status']),
			...(code === undefined ? [] : [`code ${code}`]),
			...(typeof value.msg === 'string' && value.msg !== '' ? [quoted(value.msg)] : []),
		];
		return `HTTP ${status}, ${words.join(', ')}`;
	}
	if (isObject(value)) return `HTTP ${status}, JSON with ${keysInWords(value)}`;
	if (Array.isArray(value)) return `HTTP ${status}, a JSON array of ${value.length}`;
	return text === ''
		? `HTTP ${status}, nothing in it`
		: `HTTP ${status}, ${text.length} characters`;
}

export function quoted(text: string): string {
	return `“${text.length > 90 ? `${text.slice(0, 90)}…` : text}”`;
}

/** Describes the keys. Omits keys that could contain personal data. */
function keysInWords(value: Members): string {
	const keys = Object.keys(value);
	const names = keys.filter((key) => /^[A-Za-z_]+$/.test(key)).slice(0, 8);
	if (keys.length === 0) return 'no keys';
	return names.length === keys.length ? `the keys ${names.join(', ')}` : `${keys.length} keys`;
}

/** Returns the ID of a created record, from any format of the response. */
export function createdId(answer: ServiceAnswer): string | undefined {
	const { svcId, ragicId, _ragic_id: underscored, status } = membersOf(answer);
	const id = svcId ?? ragicId ?? underscored;
	// Some services answer with the record keyed by its ID instead. A whole sheet does not show the new record.
	const recordIds = status === undefined ? [...(recordsOf(answer)?.keys() ?? [])] : [];
	const recordId = recordIds.length === 1 ? recordIds[0] : undefined;
	return isSuccess(answer) && id !== undefined ? String(id) : recordId;
}

/** Collects fields (name → ID) at any depth. A field is `fid<id>` with `name`, or an object with `fieldId` and `fieldName`. */
export function collectFields(value: unknown, ids: Map<string, string>): void {
	if (Array.isArray(value)) for (const element of value) collectFields(element, ids);
	if (!isObject(value)) return;
	const { fieldId, fieldName } = value;
	if (fieldId !== undefined && typeof fieldName === 'string') ids.set(fieldName, String(fieldId));
	for (const [key, member] of Object.entries(value)) {
		const [, id] = /^fid(\d+)$/.exec(key) ?? [];
		if (id !== undefined && isObject(member) && typeof member.name === 'string') {
			ids.set(member.name, id);
		} else {
			collectFields(member, ids);
		}
	}
}
