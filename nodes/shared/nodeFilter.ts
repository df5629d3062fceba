import type { Client } from '../api/http/client';
import { membersByKey } from '../api/json/jsonReading';
import type { JsonObject } from '../api/json/orderedJson';
import { listPages } from '../api/read/pages';
import { isNodeCondition, type WhereCondition } from '../api/read/query';
import { plainReadOptions, readOptionsBy, type ReadOptions } from '../api/read/readOptions';
import { recordsAs, type ListRequest } from '../api/read/records';
import { readKeyOf, systemFields, type Field } from '../api/sheet/fields';
import { isDateTimeValue } from '../api/sheet/sources/inference';
import type { SheetFields } from '../api/sheet/sheetFields';
import { kindOf } from '../api/sheet/kinds/valueKinds';
import { InputError } from '../api/values/inputError';
import { apiVersion, type QueryParameter } from '../api/values/query';
import { matchesConditions, type LocalCondition } from '../api/webhooks/localFilter';
import { keyInReads } from './output/returnedFields';
import type { OutputOptions } from './parameters/options';

/** Labels of the operators that the node evaluates itself. */
export const operatorLabels = "'Is Not Equal To' and 'Is Not Empty'";

/** The options that decide which fields the records of a list have, and in what form. */
type FilteredOutput = Pick<OutputOptions, 'listing' | 'subtables' | 'offsetHours'>;

/** Flags of a read on which it depends whether a record matches: those of the list, and of the form of values. */
const matchingFlagNames = ['ignoreFixedFilter', 'ignoreMask', 'bbcode'];

/** Returns the query parameters of read options on which it depends whether a record matches. */
export function matchingFlags({ parameters = [] }: ReadOptions): QueryParameter[] {
	return parameters.filter(([name]) => matchingFlagNames.includes(name));
}

/** System fields that are true or false: If Locked and If Starred. */
const switchFieldIds: readonly string[] = ['111', '112'];

/** System fields that no read returns: Entry Manager and Notify User. */
const unreturnedFieldIds: readonly string[] = ['106', '110'];

/** Thrown if records lack a compared field. It may have been renamed since the list of fields was loaded. The next list is new. */
export class AbsentField extends InputError {}

/** The conditions of a list that the node evaluates itself, on the records that it reads. */
export class NodeFilter {
	/** Key in reads → name of each compared field that no record has had so far. Contains no fields of subtables. */
	private readonly absent: Map<string, string>;
	private isAnyRead = false;

	private constructor(
		private readonly conditions: readonly LocalCondition[],
		private readonly fields: ReadonlyMap<string, Field | undefined>,
		private readonly sheetFields: SheetFields,
	) {
		const ofRecords = conditions.filter(({ place, fieldId }) => {
			return (place ?? fields.get(fieldId))?.subtableId === undefined;
		});
		this.absent = new Map(
			ofRecords.map(({ place, fieldId, name = fieldId }) => [place?.key ?? fieldId, name]),
		);
	}

	/**
	 * Returns the filter for those of the conditions that the service cannot evaluate. Throws InputError if a field is not part
	 * of the records, or if the read options change its format, and ServiceError.
	 */
	static async of(
		conditions: readonly WhereCondition[],
		naming: ReadOptions['naming'],
		sheetFields: SheetFields,
		output: FilteredOutput = {},
	): Promise<NodeFilter> {
		const fields = new Map<string, Field | undefined>();
		const local: LocalCondition[] = [];
		for (const condition of conditions.filter(isNodeCondition)) {
			const { fieldId } = condition;
			const field = (await sheetFields.load()).byId(fieldId);
			const named = { ...condition, type: field?.type, name: field?.name };
			requireComparable(named, field, output);
			fields.set(fieldId, field);
			const kind = await sheetFields.kindOfEquality(condition, field);
			const place = naming === 'EID' ? undefined : await placeInReads(fieldId, field, sheetFields);
			local.push({ ...named, kind, place });
		}
		return new NodeFilter(local, fields, sheetFields);
	}

	get isEmpty(): boolean {
		return this.conditions.length === 0;
	}

	/** IDs of the fields that are compared. */
	get fieldIds(): string[] {
		return [...this.fields.keys()];
	}

	/** Returns whether a record matches. */
	matches(content: JsonObject): boolean {
		this.isAnyRead = true;
		for (const key of this.absent.keys()) if (content.has(key)) this.absent.delete(key);
		return matchesConditions(content, this.conditions);
	}

	/**
	 * Throws AbsentField if records were read and a compared field is in none of them, because the field would count as empty.
	 * Fields of subtables are not checked: records without rows do not have them.
	 */
	requireFields(): void {
		const [name] = this.absent.values();
		if (name === undefined || !this.isAnyRead) return;
		this.sheetFields.forgetListsAndRefusals();
		throw new AbsentField(
			`The records do not contain the field '${name}', so ${operatorLabels} cannot be applied to it`,
			"If it was renamed a moment ago, try again. Otherwise check the field in 'Filters', and that the user of the credential may see it.",
		);
	}

	/** Returns read options for the smallest answer that has the record IDs and the fields that are compared. */
	smallestReadOptions(...parameters: readonly QueryParameter[]): ReadOptions {
		if (this.isEmpty) return plainReadOptions('EID', ['listing', true], ...parameters);
		const areOfRecords = [...this.fields.values()].every(
			(field) => field && field.subtableId === undefined,
		);
		// Only whole records have rows. An unlisted field may be a field of a row.
		if (!areOfRecords) return readOptionsBy('EID', ...parameters);
		return { ...plainReadOptions('EID', ...parameters), fields: this.fieldIds };
	}
}

/**
 * Returns the place of a field in reads by names. If its key is unknown, throws InputError for a field of the record, and takes
 * the name as the key for a field of a subtable.
 */
async function placeInReads(
	fieldId: string,
	field: Field | undefined,
	sheetFields: SheetFields,
): Promise<LocalCondition['place']> {
	if (field?.subtableId === undefined) {
		// The records of an empty sheet show no keys. None is needed until there are records.
		const isUnlisted = (await sheetFields.load()).isEmpty;
		return { key: isUnlisted ? fieldId : await keyInReads(fieldId, 'FNAME', sheetFields) };
	}
	const named = (await sheetFields.load({ readNames: true })).byId(fieldId);
	return { key: readKeyOf(named ?? field), subtableId: field.subtableId };
}

/** Throws InputError for a condition on a field that the records do not contain, or not in the format of filters. */
function requireComparable(
	condition: LocalCondition,
	field: Field | undefined,
	output: FilteredOutput,
): void {
	const { fieldId, name = fieldId } = condition;
	const system = systemFields.find((known) => known.fieldId === fieldId);
	if (system) {
		throw new InputError(
			`${operatorLabels} cannot be applied to '${system.name}', because records do not contain it as filters compare it`,
			systemFieldAdvice(system),
		);
	}
	const conflict = conflictingOption(condition, field, output);
	if (conflict === undefined) return;
	throw new InputError(
		`${operatorLabels} cannot be applied to '${name}' together with the option '${conflict}'`,
		`The node compares the records as it reads them. Remove the option, or filter the items with n8n's Filter node.`,
	);
}

/** Returns advice for a condition on a system field that the node cannot evaluate. */
function systemFieldAdvice({ fieldId }: Field): string {
	if (switchFieldIds.includes(fieldId)) {
		return "Use 'Is Equal To' with the opposite value: true or false.";
	}
	return unreturnedFieldIds.includes(fieldId)
		? 'No read returns this field. Use another operator, or another field.'
		: "Read the records with 'Include Record Information', and filter the items with n8n's Filter node.";
}

/** Returns the label of the option with which a condition cannot be evaluated, if there is one. */
function conflictingOption(
	{ value, type }: LocalCondition,
	field: Field | undefined,
	{ listing, subtables, offsetHours }: FilteredOutput,
): string | undefined {
	if (listing) return 'Listing Fields Only';
	if (subtables === false && field?.subtableId !== undefined) return 'Subtables';
	const isShifted = kindOf({ type }).hasTime || isDateTimeValue(value);
	return offsetHours !== undefined && value !== '' && isShifted ? 'UTC Offset' : undefined;
}

/** Yields the IDs of the records of a list that match, page by page. Throws InputError if the filter cannot be applied, and ServiceError. */
export async function* matchingIds(
	client: Client,
	request: ListRequest,
	filter: NodeFilter,
): AsyncGenerator<string[]> {
	const decode = recordsAs((id, members) => {
		return { id, isMatch: filter.isEmpty || filter.matches(membersByKey(members)) };
	});
	for await (const page of listPages(client, request, decode)) {
		filter.requireFields();
		yield page.flatMap(({ id, isMatch }) => (isMatch ? id : []));
	}
}

/** Returns the number of records that match. Stops after `maxCount`, so a greater number means that there are more. Throws as `matchingIds`. */
export async function countMatching(
	client: Client,
	request: Omit<ListRequest, 'reading'>,
	filter: NodeFilter,
	{ flags = [], version = apiVersion, maxCount = Infinity, onPage = () => {} }: CountOptions = {},
): Promise<number> {
	const reading = { ...filter.smallestReadOptions(...flags), version };
	let count = 0;
	for await (const ids of matchingIds(client, { ...request, reading }, filter)) {
		count += ids.length;
		onPage(ids.length);
		if (count > maxCount) break;
	}
	return count;
}

interface CountOptions {
	/** Query parameters that decide which records the list has. */
	flags?: readonly QueryParameter[];
	/** API version of the list. */
	version?: string;
	maxCount?: number;
	/** Called with the number of matching records of each page. */
	onPage?: (records: number) => void;
}
