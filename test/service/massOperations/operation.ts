import { ServiceError } from '../http/serviceError';
import { isObject } from '../json';
import type { Switches } from '../switches';
import type { Call } from '../call';
import type { Sheet } from '../data/sheet';
import { matchingRecords } from '../endpoints/list';

/** A parsed mass operation. Field IDs and values are unchanged. */
export type MassOperation =
	| { type: 'massLock'; lock: boolean }
	| { type: 'massApproval'; approve: boolean; comment: string }
	| { type: 'massActionButton'; buttonId: string }
	| { type: 'massUpdate'; assignments: Array<{ field: string; value: unknown }> }
	| { type: 'massSearchReplace'; replacements: Replacement[] };

export interface Replacement {
	field: string;
	search: string;
	replace: string;
}

type Members = Record<string, unknown>;

type Reader = (members: Members) => MassOperation | undefined;

/** First body shape of the specification's table. */
const firstShapes: Record<string, Reader> = {
	massLock: ({ action }) => {
		if (action !== 'lock' && action !== 'unlock') return undefined;
		return { type: 'massLock', lock: action === 'lock' };
	},
	massApproval: ({ action, comment = '' }) => {
		if ((action !== 'approve' && action !== 'reject') || typeof comment !== 'string')
			return undefined;
		return { type: 'massApproval', approve: action === 'approve', comment };
	},
	massActionButton: ({ buttonId }) =>
		typeof buttonId === 'string' ? { type: 'massActionButton', buttonId } : undefined,
	massUpdate: ({ action }) => {
		if (!Array.isArray(action) || action.length === 0) return undefined;
		const assignments = action.map(readAssignment).filter((entry) => entry !== undefined);
		return assignments.length === action.length ? { type: 'massUpdate', assignments } : undefined;
	},
	massSearchReplace: ({ action }) => {
		if (!Array.isArray(action) || action.length === 0) return undefined;
		const replacements = action
			.filter(isObject)
			.map(({ field, valueReplaced, valueNew }) => readReplacement(field, valueReplaced, valueNew))
			.filter((entry) => entry !== undefined);
		return replacements.length === action.length
			? { type: 'massSearchReplace', replacements }
			: undefined;
	},
};

/** Body shapes of the other description. Mass approval has one shape only. */
const alternativeShapes: Record<string, Reader> = {
	massLock: ({ lock }) => (typeof lock === 'boolean' ? { type: 'massLock', lock } : undefined),
	massApproval: (members) => firstShapes.massApproval?.(members),
	massActionButton: ({ bId }) =>
		typeof bId === 'string' ? { type: 'massActionButton', buttonId: bId } : undefined,
	massUpdate: (members) => {
		const entries = Object.entries(members);
		if (entries.length === 0 || entries.some(([field]) => !/^\d+$/.test(field))) return undefined;
		return {
			type: 'massUpdate',
			assignments: entries.map(([field, value]) => ({ field, value })),
		};
	},
	massSearchReplace: ({ fieldId, search, replace }) => {
		const replacement = readReplacement(fieldId, search, replace);
		return replacement && { type: 'massSearchReplace', replacements: [replacement] };
	},
};

/** Parses a body in the shapes that the switch accepts. Numbers in the body are texts already. */
export function readOperation(
	type: string,
	members: Members,
	{ massBodies }: Switches,
): MassOperation {
	const readers = [
		...(massBodies === 'alternative' ? [] : [firstShapes[type]]),
		...(massBodies === 'first' ? [] : [alternativeShapes[type]]),
	];
	for (const read of readers) {
		const operation = read?.(members);
		if (operation) return operation;
	}
	throw new ServiceError('parameters', `Invalid body or mass operation: ${type}`);
}

function readAssignment(entry: unknown): { field: string; value: unknown } | undefined {
	if (!isObject(entry) || typeof entry.field !== 'string' || !('value' in entry)) return undefined;
	return { field: entry.field, value: entry.value };
}

function readReplacement(
	field: unknown,
	search: unknown,
	replace: unknown,
): Replacement | undefined {
	const isComplete =
		typeof field === 'string' && typeof search === 'string' && typeof replace === 'string';
	return isComplete ? { field, search, replace } : undefined;
}

/** Returns the IDs of the selected records (endpoint 13): by conditions, by IDs, or else all records. */
export function selectedRecordIds(call: Call, sheet: Sheet): number[] {
	const { query } = call;
	if (query.has('where') && query.has('recordId')) {
		throw new ServiceError('parameters', 'Give either where or recordId.');
	}
	if (query.has('recordId')) return [...new Set(query.all('recordId').map(readRecordId))];
	return matchingRecords(call, sheet).map(({ id }) => id);
}

function readRecordId(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new ServiceError('parameters', `Invalid record id: ${text}`);
}
