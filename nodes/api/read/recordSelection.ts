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
	const parts: Array<Required<SelectionPart>> = [];
	let left = 0;
	for (const recordId of new Set(selection.recordIds)) {
		const parameter = `recordId=${recordId}`;
		// One more for the `&` in front.
		const length = parameter.length + 1;
		if (length > left) {
			parts.push({ query: [], recordIds: [] });
			left = room;
		}
		const part = parts[parts.length - 1];
		part?.query.push(parameter);
		part?.recordIds.push(recordId);
		left -= length;
	}
	return parts;
}
