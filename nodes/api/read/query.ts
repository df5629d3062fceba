import { batchesByLength, encodeText } from '../values/query';

/** The operators of the filter rules (specification, endpoint 1). */
export const whereOperators = ['eq', 'regex', 'gte', 'lte', 'gt', 'lt', 'like', 'eqeq'] as const;

/** One condition; an empty value asks for empty fields (filter rule 3). */
export interface WhereCondition {
	fieldId: string;
	operator: string;
	value: string;
}

const looksEncoded = /%[0-9a-fA-F]{2}/;

/**
 * Returns `where=<field id>,<operator>,<value>` for a query, a comma in the value as `%2C` (filter rule 4). The service
 * decodes what then looks encoded once more, so that is encoded twice (filter rule 5). Throws InputError as `encodeText`.
 */
export function whereParameter({ fieldId, operator, value }: WhereCondition): string {
	const once = encodeText(value);
	const encoded = looksEncoded.test(value) ? encodeText(once) : once;
	return `where=${encodeText(fieldId)},${encodeText(operator)},${encoded}`;
}

/** Reads `<field id>,<operator>,<value>`, of which the value may hold commas; undefined for fewer parts. */
export function parseWhereLine(line: string): WhereCondition | undefined {
	const parts = /^([^,]+),([^,]*),([^]*)$/.exec(line);
	if (!parts) return undefined;
	const [, fieldId = '', operator = '', value = ''] = parts;
	return { fieldId: fieldId.trim(), operator: operator.trim(), value };
}

/** The records that a mass operation works on: by conditions, or by ids (specification, endpoint 13). */
export type RecordSelection =
	| { kind: 'filters'; where: readonly WhereCondition[] }
	| { kind: 'records'; recordIds: readonly string[] };

/** A part of a selection that fits into one address. */
export interface SelectionPart {
	/** The encoded query parameters. */
	query: string[];
	/** The ids in it, when the selection is by ids. */
	recordIds?: string[];
}

/** Splits a selection by ids into parts whose parameters take no more characters than `room`. Conditions cannot be split. */
export function selectionParts(selection: RecordSelection, room: number): SelectionPart[] {
	if (selection.kind === 'filters') return [{ query: selection.where.map(whereParameter) }];
	const parameterOf = (recordId: string) => `recordId=${recordId}`;
	// One more for the `&` in front.
	const lengthOf = (recordId: string) => parameterOf(recordId).length + 1;
	const batches = batchesByLength(new Set(selection.recordIds), lengthOf, room);
	return batches.map((recordIds) => ({ query: recordIds.map(parameterOf), recordIds }));
}
