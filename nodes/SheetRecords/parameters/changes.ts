import { readOptionsBy } from '../../api/read/readOptions';
import { isAddedKey, sourceRecordId } from '../../api/read/recordKeys';
import { recordLoader } from '../../api/read/recordLoader';
import type { Field } from '../../api/schema/fields';
import type { Schema } from '../../api/schema/schema';
import type { FieldKinds } from '../../api/schema/valueKinds';
import { deletionOf, isSubtableKey } from '../../api/values/subtableKeys';
import type { QueryParameter } from '../../api/values/query';
import { isBlank } from '../../api/values/text';
import { parseInput, type ParsedInput, type RecordInput } from '../../api/write/parsedInput';
import { namesIn, needsFields, needsReadNames, recordChanges } from '../../api/write/recordInput';
import type { AutoMapRules, InputChanges } from '../../api/write/recordInput';
import type { SourceRecord } from '../../api/write/sourceRecord';
import { schemaOf, sheetParameter } from '../../shared/parameters/sheet';
import { writtenTimeZone } from '../../shared/parameters/options';
import type { ItemContext } from '../run/itemContext';
import { ignoreFields } from './input';
import { clearEmpty, unknownChoices, unknownFields } from './writeOptions';

/** The changes of an input, with the kinds of the fields by which its values were parsed. */
export type ParsedChanges = InputChanges & { kinds: FieldKinds };

/** Returns the changes of an input. Loads the fields of the sheet and their kinds. With `keepsRows`, rows without values count. Throws InputError. */
export async function readChanges(
	item: ItemContext,
	input: RecordInput,
	isAutoMapped: boolean,
	keepsRows = false,
): Promise<ParsedChanges> {
	const schema = schemaOf(item);
	const autoMap = isAutoMapped ? await readAutoMapRules(item, schema) : undefined;
	const record = parseInput(input, autoMap?.ignoreFields);
	const names = namesIn(record, autoMap);
	const refuseUnknownChoices = unknownChoices.parse(item) === 'error';
	const mustKnowFields = names.length > 0 || refuseUnknownChoices || needsFields(record, autoMap);
	const kinds = await kindsFor(schema, record, mustKnowFields);
	const rules = {
		schema,
		kinds: kinds ?? new Map(),
		clearEmpty: clearEmpty.parse(item) ?? false,
		clock: item.clock(writtenTimeZone.parse(item)),
		ignoreUnknown: unknownFields.parse(item) === 'ignore',
		observedChoices: kinds && (await schema.observedChoices()),
		refuseUnknownChoices,
		autoMap,
		keepsRows,
	};
	const resolve = async (listed: readonly Field[]): Promise<ParsedChanges> => {
		const isByReadNames = autoMap !== undefined && needsReadNames(listed, record);
		const fields = isByReadNames ? await schema.namedFields() : listed;
		return { ...(await recordChanges(record, { ...rules, fields })), kinds: rules.kinds };
	};
	const isComplete = ({ notes }: InputChanges) => notes.every(({ reason }) => reason !== 'unknown');
	if (names.length > 0) return await schema.resolved(names, resolve, isComplete);
	return await resolve(kinds || mustKnowFields ? await schema.fields() : []);
}

/** Returns the kinds of the fields; undefined if the input can be written without them and they are not known. Throws ServiceError. */
async function kindsFor(
	schema: Schema,
	{ values }: ParsedInput,
	mustKnowFields: boolean,
): Promise<FieldKinds | undefined> {
	if (mustKnowFields) return await schema.kinds();
	const isEmpty = values.every(({ value }) => isBlank(value));
	return isEmpty ? undefined : await schema.kindsIfKnown();
}

/** Returns the record from which an item was read, as it is stored and as it was read; those of others are read with it. */
async function sourceRecord(
	item: ItemContext,
	timeZone: number | undefined,
): Promise<SourceRecord | undefined> {
	const recordId = sourceRecordId(item.record) ?? '';
	const read = async (parameter: QueryParameter) => {
		const reading = readOptionsBy('EID', parameter);
		const loader = recordLoader(item.client, sheetParameter.parse(item), reading);
		if (!loader.isEnqueued(recordId)) loader.enqueue(...item.run.sourceIds(item.index));
		return await loader.loadOnce(item.client, recordId);
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
