import { Matches } from '../../../../nodes/api/write/match';
import type { MatchKey } from '../../../../nodes/api/write/match';
import { FakeService } from '../http/fakeService';
import type { FakeRequest } from '../http/fakeService';

export const sheet = { folders: ['sales'], sheetIndex: 1 };

/** Field id → values asked for, as the service reads repeated `where` (filter rules 6 and 8). */
export function conditionsOf({ url }: FakeRequest): Map<string, string[]> {
	const conditions = new Map<string, string[]>();
	for (const part of url.search.slice(1).split('&')) {
		const [, fieldId, value] = /^where=(\d+),eq,(.*)$/.exec(part) ?? [];
		if (fieldId === undefined || value === undefined) continue;
		conditions.set(fieldId, [...(conditions.get(fieldId) ?? []), valueOf(value)]);
	}
	return conditions;
}

/** Filter rules 4 and 5: what still looks encoded was encoded twice. */
function valueOf(encoded: string): string {
	const once = decodeURIComponent(encoded);
	return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
}

export type Row = readonly [id: number, values: Readonly<Record<string, unknown>>];

interface Habits {
	/** What the service calls equal. */
	equal?: (left: string, right: string) => boolean;
	/** Sends no more than so many records at once; a function tells by the number of the page. */
	cap?: number | ((page: number) => number);
	/** Refuses a look-up that holds such a value. */
	refuses?: (value: string) => boolean;
}

/** Answers look-ups over these records, with habits of its own. */
export function serviceWith(
	rows: readonly Row[],
	{ equal = Object.is, cap = 1000, refuses = () => false }: Habits = {},
) {
	const service: FakeService = new FakeService((asked) => {
		if (service.requests.length > 500) throw new Error('asked again and again');
		const conditions = [...conditionsOf(asked)];
		const wrong = conditions.flatMap(([, wanted]) => wanted).find(refuses);
		if (wrong !== undefined) return { body: { status: 'ERROR', code: 201, msg: `${wrong}?` } };
		const found = rows.filter(([, values]) =>
			conditions.every(([fieldId, wanted]) =>
				wanted.some((value) => equal(String(values[fieldId] ?? ''), value)),
			),
		);
		const offset = Number(asked.url.searchParams.get('offset'));
		const page = found.slice(
			offset,
			offset +
				Math.min(
					typeof cap === 'number' ? cap : cap(service.requests.length - 1),
					Number(asked.url.searchParams.get('limit')),
				),
		);
		return { body: `{${page.map(([id, values]) => `"${id}":${JSON.stringify(values)}`).join()}}` };
	});
	return service;
}

/** The ids for each key, asked for one after the other. */
export async function found(
	service: FakeService,
	fieldIds: string[],
	keys: MatchKey[],
): Promise<string[][]> {
	const matches = new Matches(await service.connect(), sheet, fieldIds, keys);
	const ids: string[][] = [];
	for (const key of keys) ids.push(await matches.recordIds(key));
	return ids;
}
