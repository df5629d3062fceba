import { InputError } from '../values/inputError';
import { batchesByLength, encodeText } from '../values/query';

/** The operators of the filter rules (specification, endpoint 1). */
export const whereOperators = ['eq', 'regex', 'gte', 'lte', 'gt', 'lt', 'like', 'eqeq'] as const;

/**
 * Operators that the service does not have: the node evaluates them itself on the records that it reads. `parseConditions`
 * replaces `notEmpty` by `ne` with an empty value.
 */
export const nodeOperators = ['ne', 'notEmpty'] as const;

/** Returns whether the node has to evaluate a condition itself: its operator is `ne`. */
export function isNodeCondition({ operator }: WhereCondition): boolean {
	return operator === 'ne';
}

/** One filter condition. An empty value matches empty fields (filter rule 3). */
export interface WhereCondition {
	fieldId: string;
	operator: string;
	value: string;
	/** Set for a value of a list ('Is One Of'). Such values of a field may be divided among several requests. */
	isOneOf?: true;
}

/** Maximum length of the conditions of one request with a list of values, in characters. */
const maxConditionsLength = 7_000;

const alternativeOperators = ['eq', 'like', 'regex', 'eqeq'];

/**
 * Returns the conditions of each request that a list needs: all conditions, unless they have a list of values and are longer than
 * `room` characters. The values of the longest list are then divided. The requests together find the same records, and a record
 * with several of the values more than once. Throws InputError if a value cannot be encoded, and if the other conditions leave no
 * room for a value.
 */
export function whereParts(
	where: readonly WhereCondition[],
	room = maxConditionsLength,
): Array<readonly WhereCondition[]> {
	const lengthOf = (condition: WhereCondition) => whereParameter(condition).length + 1;
	const total = (conditions: readonly WhereCondition[]) =>
		conditions.reduce((sum, condition) => sum + lengthOf(condition), 0);
	const listed = where.filter(({ isOneOf }) => isOneOf);
	if (listed.length === 0 || total(where) <= room) return [where];
	const lists = [...new Set(listed.map(({ fieldId }) => fieldId))].map((fieldId) =>
		listed.filter((condition) => condition.fieldId === fieldId),
	);
	const [longest = []] = lists.sort((left, right) => total(right) - total(left));
	const others = where.filter((condition) => !longest.includes(condition));
	const left = room - total(others);
	if (longest.some((condition) => lengthOf(condition) > left)) {
		throw new InputError(
			"The conditions are too long for one request, even with a single value of 'Is One Of'",
			'Shorten the values, or use shorter lists for the other conditions.',
		);
	}
	return batchesByLength(longest, lengthOf, left).map((batch) => [...others, ...batch]);
}

/** Returns the ID of a field with a list of values and another condition by OR; undefined if there is no such field. */
export function conflictingListOf(where: readonly WhereCondition[]): string | undefined {
	const listed = new Set(where.filter(({ isOneOf }) => isOneOf).map(({ fieldId }) => fieldId));
	const conflict = where.find(
		({ fieldId, operator, isOneOf }) =>
			listed.has(fieldId) && !isOneOf && alternativeOperators.includes(operator),
	);
	return conflict?.fieldId;
}

const looksEncoded = /%[0-9a-fA-F]{2}/;

/**
 * Returns the query parameter `where=<field id>,<operator>,<value>`. Commas in the value are encoded as `%2C` (filter rule 4).
 * If the value contains `%` followed by two hexadecimal digits, the whole value is encoded twice, because the service decodes it
 * once more (filter rule 5). Field ID and operator are encoded, but not checked: remove conditions of the node
 * (`isNodeCondition`) first. Throws InputError if a part cannot be encoded.
 */
export function whereParameter({ fieldId, operator, value }: WhereCondition): string {
	const once = encodeText(value);
	const encoded = looksEncoded.test(value) ? encodeText(once) : once;
	return `where=${encodeText(fieldId)},${encodeText(operator)},${encoded}`;
}

/**
 * Parses `<field id>,<operator>,<value>`. The value may contain commas. Removes white space around the field ID and the operator,
 * but checks neither of them: all three parts may be empty. Returns undefined if the line has fewer than two commas or begins
 * with a comma.
 */
export function parseWhereLine(line: string): WhereCondition | undefined {
	const parts = /^([^,]+),([^,]*),([^]*)$/.exec(line);
	if (!parts) return undefined;
	const [, fieldId = '', operator = '', value = ''] = parts;
	return { fieldId: fieldId.trim(), operator: operator.trim(), value };
}

/** Records of a mass operation, selected by conditions or by record IDs (specification, endpoint 13). */
export type RecordSelection =
	| { kind: 'filters'; where: readonly WhereCondition[] }
	| { kind: 'records'; recordIds: readonly string[] };

/** A part of a selection that fits into one URL. */
export interface SelectionPart {
	/** Encoded query parameters. */
	query: string[];
	/** Record IDs of this part, set if the records are selected by ID. */
	recordIds?: string[];
}

/**
 * Splits a selection by record IDs into parts, without duplicate IDs. The query parameters of a part, `recordId=<id>` for each
 * record, have at most `room` characters, including an `&` before each. Conditions are not split: they give one part of any
 * length. The caller must reject an empty selection, which gives no part or a part without query parameters. Throws InputError if
 * a condition cannot be encoded.
 */
export function selectionParts(selection: RecordSelection, room: number): SelectionPart[] {
	if (selection.kind === 'filters') return [{ query: selection.where.map(whereParameter) }];
	const parameterOf = (recordId: string) => `recordId=${recordId}`;
	// One more character for the `&`.
	const lengthOf = (recordId: string) => parameterOf(recordId).length + 1;
	const batches = batchesByLength(new Set(selection.recordIds), lengthOf, room);
	return batches.map((recordIds) => ({ query: recordIds.map(parameterOf), recordIds }));
}
