import { listPages } from '../../../../nodes/api/read/pages';
import { readOptionsBy } from '../../../../nodes/api/read/readOptions';
import { recordsIn, type ListRequest } from '../../../../nodes/api/read/records';
import { FakeService, type FakeAnswer, type FakeRequest } from '../http/fakeService';

export const request: ListRequest = {
	sheet: { folders: ['sales'], sheetIndex: 1 },
	where: [{ fieldId: '7', operator: 'eq', value: 'a,b' }],
	reading: readOptionsBy('EID'),
};

export function pageAsked({ url }: FakeRequest): { offset: number; limit: number } {
	const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
	return { offset: offset ?? 0, limit: limit ?? 0 };
}

/** Returns records as text, because a JavaScript object would sort the IDs. */
export const recordsText = (ids: readonly number[]) =>
	`{${ids.map((id) => `"${id}":{"_svcId":${id}}`).join()}}`;

export const listing =
	(ids: readonly number[]) =>
	(asked: FakeRequest): FakeAnswer => {
		const { offset, limit } = pageAsked(asked);
		return { body: recordsText(ids.slice(offset, offset + limit)) };
	};

export async function idsRead(service: FakeService, limit = Infinity, pageSize = 0) {
	const ids: number[] = [];
	const read = listPages(await service.connect(), request, recordsIn, { limit, pageSize });
	for await (const page of read) ids.push(...page.map(({ id }) => Number(id)));
	return ids;
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);
