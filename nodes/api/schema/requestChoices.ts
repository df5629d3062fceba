import { choicesIn } from './choices';
import type { Field } from './fields';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { listPage } from '../read/records';
import { plainReading, readingBy } from '../read/readOptions';
import { processCache } from '../http/processState';
import { cached, cacheKey } from '../http/runCache';

type Choices = ReadonlyMap<string, string[]>;

/** Enough records to meet the choices that are in use. */
const sampleLength = 200;
const choices = processCache<Promise<Choices>>('choices');

/**
 * What the newest records hold in fields, for pick lists: kept for a minute, for each user apart.
 *
 * @returns texts by field id; without the fields that are empty in all of these records
 * @throws ServiceError when the service does not let the user read
 */
export async function learnChoices(
	client: Client,
	sheet: SheetAddress,
	fields: readonly Field[],
): Promise<Choices> {
	if (fields.length === 0) return new Map();
	const fieldIds = fields.map(({ fieldId }) => fieldId);
	const ask = async () => await learn(client, sheet, fields, fieldIds);
	return await cached(client, choices, cacheKey(client, sheet, fieldIds), ask);
}

async function learn(
	client: Client,
	sheet: SheetAddress,
	fields: readonly Field[],
	fieldIds: readonly string[],
): Promise<Choices> {
	const inRows = fields.some(({ subtableId }) => subtableId !== undefined);
	const reading = inRows ? readingBy('EID') : { ...plainReading('EID'), fields: fieldIds };
	const request = { sheet, where: [], reading, order: { reverse: true } };
	return choicesIn(await listPage(client, request, { offset: 0, limit: sampleLength }), fieldIds);
}
