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
	return {
		offset: Number(url.searchParams.get('offset')),
		limit: Number(url.searchParams.get('limit')),
	};
}

/** Ids in an order of their own, as text: an object of JavaScript would sort them. */
export const recordsText = (ids: readonly number[]) =>
	`{${ids.map((id) => `"${id}":{"_svcId":${id}}`).join()}}`;

/** A service that never sends more than `cap` records, and says nothing about it. */
export function listing(
	ids: readonly number[],
	cap = Infinity,
): (asked: FakeRequest) => FakeAnswer {
	return (asked) => {
		const { offset, limit } = pageAsked(asked);
		return { body: recordsText(ids.slice(offset, offset + Math.min(limit, cap))) };
	};
}

export async function idsRead(
	service: FakeService,
	limit = Infinity,
	pageSize = 0,
): Promise<number[]> {
	const ids: number[] = [];
	for await (const page of listPages(
		await service.connect(),
		request,
		recordsIn,
		limit,
		pageSize,
	)) {
		ids.push(...page.map(({ id }) => Number(id)));
	}
	return ids;
}

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);
