import { isObject } from '../service/json';

export { isObject };

/** What the service said to one request; the text holds no secret any more. */
export interface ServiceAnswer {
	status: number;
	text: string;
	contentType: string;
	/** The names of the cookies that it sets. */
	cookieNames: string[];
	retryAfter: string | undefined;
}

export type Members = Record<string, unknown>;

/** The answer as JSON; nothing when it is none. */
export function jsonOf({ text }: Pick<ServiceAnswer, 'text'>): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The members of an answer that is an object; none when it is anything else. */
export function membersOf(answer: ServiceAnswer): Members {
	const value = jsonOf(answer);
	return isObject(value) ? value : {};
}

/** The code of an error, under either name; nothing in any other answer. */
export function codeOf(answer: ServiceAnswer): number | undefined {
	const { status, code, errorCode } = membersOf(answer);
	if (status === 'SUCCESS') return undefined;
	const number = Number(code ?? errorCode ?? NaN);
	return Number.isInteger(number) ? number : undefined;
}

export function isPage({ text, contentType }: ServiceAnswer): boolean {
	return contentType.startsWith('text/html') || /^\s*<(!doctype html|html)/i.test(text);
}

/** Whether a write, or anything else that says so, has succeeded. */
export function isSuccess(answer: ServiceAnswer): boolean {
	return answer.status < 300 && membersOf(answer).status === 'SUCCESS';
}

/** The records of a list or of one record, by their ids; nothing when the answer is no such object. */
export function recordsOf(answer: ServiceAnswer): Map<string, Members> | undefined {
	const value = jsonOf(answer);
	if (answer.status !== 200 || !isObject(value)) return undefined;
	const records = Object.entries(value).flatMap(([id, record]): Array<[string, Members]> =>
		/^\d+$/.test(id) && isObject(record) ? [[id, record]] : [],
	);
	const others = Object.keys(value).filter((key) => !/^(\d+$|_|info$)/.test(key));
	return others.length === 0 ? new Map(records) : undefined;
}

/** The answer in a few words, for people: its form, its status and code, the service's own message. */
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

/** Some of the keys, but none that could be the data of people. */
function keysInWords(value: Members): string {
	const keys = Object.keys(value);
	const names = keys.filter((key) => /^[A-Za-z_]+$/.test(key)).slice(0, 8);
	if (keys.length === 0) return 'no keys';
	return names.length === keys.length ? `the keys ${names.join(', ')}` : `${keys.length} keys`;
}

/** The id of a created record, under either name. */
export function createdId(answer: ServiceAnswer): string | undefined {
	const { svcId, ragicId, status } = membersOf(answer);
	const id = svcId ?? ragicId;
	// Some services answer with the record keyed by its ID instead.
	const [recordId] = status === undefined ? (recordsOf(answer)?.keys() ?? []) : [];
	return isSuccess(answer) && id !== undefined ? String(id) : recordId;
}

/** Fields wherever they are described: `fid<id>` with a `name`, or `fieldId` beside `fieldName`. */
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
