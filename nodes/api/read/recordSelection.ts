import { batchesByLength } from '../values/query';
import { whereParameter, type WhereCondition } from './where';

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

/**
 * Splits a selection by ids so that each address stays short enough. Conditions cannot be split.
 *
 * @param room characters that the parameters may take
 */
export function selectionParts(selection: RecordSelection, room: number): SelectionPart[] {
	if (selection.kind === 'filters') return [{ query: selection.where.map(whereParameter) }];
	const parameterOf = (recordId: string) => `recordId=${recordId}`;
	// One more for the `&` in front.
	const lengthOf = (recordId: string) => parameterOf(recordId).length + 1;
	const batches = batchesByLength(new Set(selection.recordIds), lengthOf, room);
	return batches.map((recordIds) => ({ query: recordIds.map(parameterOf), recordIds }));
}
