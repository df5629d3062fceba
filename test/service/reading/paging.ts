import type { Query } from '../http/query';
import { ServiceError } from '../http/serviceError';

const defaultLimit = 1000;

/** The part of a list that was asked for (specification, endpoint 1, "Paging rules"). */
export function page<Item>(items: Item[], query: Query, maximumLimit = Infinity): Item[] {
	const { offset, limit } = readPaging(query);
	return items.slice(offset, offset + Math.min(limit, maximumLimit));
}

function readPaging(query: Query): { offset: number; limit: number } {
	const limitText = query.first('limit');
	const offsetText = query.first('offset') ?? '0';
	if (limitText === undefined) return { offset: count(offsetText), limit: defaultLimit };
	const [first = '', second] = limitText.split(',');
	if (second === undefined) return { offset: count(offsetText), limit: count(first) };
	return { offset: count(first), limit: count(second) };
}

function count(text: string): number {
	if (/^\d+$/.test(text.trim())) return Number(text);
	throw new ServiceError('parameters', `Invalid limit or offset: ${text}`);
}
