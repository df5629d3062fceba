import { readOptionsBy } from '../../api/read/readOptions';
import { isAddedKey, sourceRecordId } from '../../api/read/recordKeys';
import { recordsByIds } from '../../api/read/recordLoader';
import type { Field } from '../../api/schema/fields';
import type { Schema } from '../../api/schema/schema';
import { deletionOf, isSubtableKey } from '../../api/values/subtableKeys';
import type { QueryParameter } from '../../api/values/query';
import { parseInput, type RecordInput } from '../../api/write/parsedInput';
import { namesIn, needsFields, needsReadNames, recordChanges } from '../../api/write/recordInput';
import type { AutoMapRules, InputChanges, SourceRecord } from '../../api/write/recordInput';
import { schemaOf, sheetParameter } from '../../shared/parameters/sheet';
import { writtenTimeZone } from '../../shared/parameters/options';
import type { ItemContext } from '../run/itemContext';
import { ignoreFields } from './input';
import { clearEmpty, unknownChoices, unknownFields } from './writeOptions';

/** Returns the changes of an input; fields are looked up only where they matter. With `keepsRows`, rows without values count. Throws InputError. */
export async function readChanges(
	item: ItemContext,
	input: RecordInput,
	isAutoMapped: boolean,
	keepsRows = false,
): Promise<InputChanges> {
	const schema = schemaOf(item);
	const autoMap = isAutoMapped ? await readAutoMapRules(item, schema) : undefined;
	const rules = {
		schema,
		clearEmpty: clearEmpty.parse(item) ?? false,
		clock: item.clock(writtenTimeZone.parse(item)),
		ignoreUnknown: unknownFields.parse(item) === 'ignore',
		refuseUnknownChoices: unknownChoices.parse(item) === 'error',
		autoMap,
		keepsRows,
	};
	const record = parseInput(input, autoMap?.ignoreFields);
	const resolve = async (listed: readonly Field[]) => {
		const isByReadNames = autoMap !== undefined && needsReadNames(listed, record);
		const fields = isByReadNames ? await schema.namedFields() : listed;
		return await recordChanges(record, { ...rules, fields });
	};
	const names = namesIn(record, autoMap);
	const asks = rules.refuseUnknownChoices || needsFields(record, autoMap);
	const isComplete = ({ notes }: InputChanges) => notes.every(({ reason }) => reason !== 'unknown');
	return names.length > 0
		? await schema.resolved(names, resolve, isComplete)
		: await resolve(asks ? await schema.fields() : []);
}

/** Returns the record from which an item was read, as it is stored and as it was read; those of others are read with it. */
async function sourceRecord(
	item: ItemContext,
	timeZone: number | undefined,
): Promise<SourceRecord | undefined> {
	const recordId = sourceRecordId(item.record) ?? '';
	const read = async (parameter: QueryParameter) => {
		const reading = readOptionsBy('EID', parameter);
		const records = recordsByIds(item.client, sheetParameter.parse(item), reading);
		if (!records.isExpected(recordId)) records.expect(...item.run.sourceIds(item.index));
		return await records.take(item.client, recordId);
	};
	const stored = await read(['bbcode', true]);
	const shown = stored && timeZone !== undefined ? await read(['tz', timeZone]) : stored;
	return stored && { stored, shown: shown ?? stored };
}

async function readAutoMapRules(item: ItemContext, schema: Schema): Promise<AutoMapRules> {
	const hours = Number(item.record._timeZone ?? NaN);
	const ignored = await schema.fieldKeys(ignoreFields.parse(item) ?? []);
	for (const key of ignored) {
		const isRows = isSubtableKey(key) || deletionOf(key) !== undefined;
		if (!(key in item.record) && !isRows && !isAddedKey(key)) await schema.requireField(key);
	}
	const timeZone = Number.isFinite(hours) ? hours : undefined;
	let source: Promise<SourceRecord | undefined> | undefined;
	return {
		ignoreFields: new Set(ignored),
		isRead: sourceRecordId(item.record) !== undefined,
		timeZone,
		source: async () => await (source ??= sourceRecord(item, timeZone)),
	};
}
