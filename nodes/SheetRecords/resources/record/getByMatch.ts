import type { IDataObject } from 'n8n-workflow';
import type { JsonObject } from '../../../api/json/orderedJson';
import { membersOf } from '../../../api/read/record';
import { recordLoader, type RecordLoader } from '../../../api/read/recordLoader';
import {
	fieldMapKey,
	unnamedSentence,
	withFieldNames,
	type KnownNames,
} from '../../../api/sheet/fieldNames';
import { nameOf } from '../../../api/sheet/fields';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { kindIn } from '../../../api/sheet/kinds/valueKinds';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import type { MatchLookUp } from '../../../api/write/match';
import { outputShape, type OutputSettings } from '../../../shared/output/recordOutput';
import { outputReadOptions } from '../../../shared/output/returnedFields';
import type { ItemMatch } from '../../parameters/matchFields';
import type { Item } from '../../run/itemContext';
import { chosenMatches, matchesOf } from './matchGroups';

/** Finds the records of one item. */
export interface RecordFinder {
	/** Returns the records as items; an empty array if no record matches. Throws InputError and ServiceError. */
	find(): Promise<IDataObject[]>;
	/** Returns the texts of the error for an item without a record, and the item that stands for it. */
	missing(): Promise<{ message: string; check: string; emptyItem: IDataObject }>;
}

/** Settings of the output, and what to do if several records match. */
type LookUpSettings = OutputSettings & {
	readonly onMultipleMatches?: 'all' | 'error' | 'first';
};

/** Adds the match of an item to the look-ups of all items. Records are read with field IDs as keys, because match fields have IDs. */
export async function recordFinder(
	item: Item,
	sheet: SheetAddress,
	match: ItemMatch,
	settings: LookUpSettings,
): Promise<RecordFinder> {
	const { client } = item;
	const sheetFields = new SheetFields(client, sheet);
	const reading = await outputReadOptions(client, sheet, { ...settings, naming: 'EID' });
	const loader = recordLoader(client, sheet, reading);
	if (!reading.fields?.length) loader.needWholeRecords();
	const isShared = await showsStoredValues(sheetFields, match, settings);
	const matches = matchesOf(item, sheet, match, isShared ? loader : undefined);
	const finder = { item, sheet, match, settings, loader, matches };
	return {
		find: async () => await find(finder),
		missing: async () => {
			const { naming } = settings;
			const names = await Promise.all(
				match.matchFieldIds.map(async (id) =>
					naming === 'EID' ? id : await sheetFields.nameFor(id),
				),
			);
			const values = names.map((name, index) => [name, match.key[index]] as const);
			return {
				message: `No record matches ${await matches.describe(match.key)}`,
				check: 'Check the value, the match field and the sheet.',
				emptyItem: { ...Object.fromEntries(values), _missing: true },
			};
		},
	};
}

/**
 * Returns whether reads with these settings return the match fields in their stored form. Then the look-ups can also return the
 * records.
 */
async function showsStoredValues(
	sheetFields: SheetFields,
	{ matchFieldIds }: ItemMatch,
	{ offsetHours }: LookUpSettings,
): Promise<boolean> {
	if (offsetHours !== undefined) return false;
	const { kinds } = (await sheetFields.loadKindsIfKnown()) ?? {};
	return matchFieldIds.every((fieldId) => !kindIn(kinds, { fieldId }).is('masked', 'richText'));
}

interface Finder {
	item: Item;
	sheet: SheetAddress;
	match: ItemMatch;
	settings: LookUpSettings;
	loader: RecordLoader;
	matches: MatchLookUp;
}

async function find({ item, sheet, match, settings, ...finder }: Finder): Promise<IDataObject[]> {
	const { client, run } = item;
	const { matches, loader } = finder;
	const existing = await matches.recordIds(match.key);
	const chosen = await chosenMatches(existing, matches, match.key, settings.onMultipleMatches);
	if (chosen.length === 0) return [];
	const isByName = settings.naming !== 'EID';
	const sheetFields = new SheetFields(client, sheet);
	const namesOf = async () =>
		settings.simplify ? await sheetFields.names() : await namesInReads(sheetFields);
	const names = isByName ? await namesOf() : {};
	// A raw record is narrowed and typed by the names that it gets.
	const byId = settings.simplify ? { ...settings, naming: 'EID' as const, names } : settings;
	const shape = await outputShape(client, sheet, byId, run.hints.untyped);
	const json: IDataObject[] = [];
	for (const recordId of chosen) {
		const content = await loader.load(client, recordId);
		// The record was deleted after its look-up.
		if (!content) continue;
		const { named, warning } = isByName ? namedContent(content, names) : { named: content };
		if (warning !== undefined) run.hints.warnings.add(warning);
		const output = settings.simplify ? content : named;
		const [record = {}] = await shape.withOutputKeys([shape.json(recordId, membersOf(output))]);
		json.push(warning === undefined ? record : { ...record, _warning: warning });
	}
	return json;
}

/** Returns the names of the fields in reads by name, for records with IDs as keys. */
async function namesInReads(sheetFields: SheetFields): Promise<KnownNames> {
	const index = await sheetFields.load({ readNames: true });
	const names = index.fields.map((field) => {
		return [
			fieldMapKey(field.fieldId, field.subtableId),
			index.readKey(field) ?? nameOf(field),
		] as const;
	});
	return Object.fromEntries(names);
}

/** Returns a record with field names as keys, and a warning about fields without a known name. */
function namedContent(content: JsonObject, names: KnownNames) {
	const unnamed = new Set<string>();
	const named = withFieldNames(content, names, unnamed);
	return { named, warning: unnamed.size > 0 ? unnamedSentence(unnamed) : undefined };
}
