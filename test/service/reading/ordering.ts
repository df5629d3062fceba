import type { Call } from '../call';
import { compareValues } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { ServiceError } from '../http/serviceError';
import type { Switches } from '../switches';
import { fieldReader, type FieldReader } from './fieldReader';
import type { Query } from '../http/query';

interface Rule {
	reader: FieldReader;
	sign: 1 | -1;
}

/**
 * Sorts records (specification, endpoint 1): by creation in the direction of a switch, reversed by `reverse`. `order` takes
 * precedence. Unlike `where`, it is not repeatable.
 */
export function ordered(
	records: SheetRecord[],
	sheet: Sheet,
	{ query, state }: Pick<Call, 'query' | 'state'>,
): SheetRecord[] {
	const byCreation = records.sort((left, right) => left.created.at - right.created.at);
	const isNewestFirst = state.switches.defaultOrder === 'newestFirst';
	if (query.flag('reverse') !== isNewestFirst) byCreation.reverse();
	const [text, ...others] = query.all('order');
	if (text === undefined) return byCreation;
	if (others.length > 0) throw new ServiceError('parameters', 'order is given more than once');

	const { reader, sign } = readRule(text, sheet, state.switches);
	const keyed = byCreation.map((record) => ({ record, key: reader.texts(record).join(',') }));
	keyed.sort((left, right) => compareValues(reader.type, left.key, right.key) * sign);
	return keyed.map(({ record }) => record);
}

function readRule(text: string, sheet: Sheet, switches: Switches): Rule {
	const [fieldId = '', direction = 'ASC'] = text.split(',');
	const reader = fieldReader(sheet, fieldId, switches);
	if (!reader || !['ASC', 'DESC'].includes(direction)) {
		throw new ServiceError('parameters', `Invalid order: ${text}`);
	}
	return { reader, sign: direction === 'DESC' ? -1 : 1 };
}

const defaultLimit = 1000;

/** Returns the requested page of a list (specification, endpoint 1, "Paging rules"). */
export function page<Item>(items: Item[], query: Query): Item[] {
	const { offset, limit } = readPaging(query);
	return items.slice(offset, offset + limit);
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
