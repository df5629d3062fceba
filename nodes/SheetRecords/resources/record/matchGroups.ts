import { ServiceError } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import type { RecordsByIds } from '../../../api/read/recordsByIds';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { Matches, type MatchKey } from '../../../api/write/match';
import type { Item } from '../../itemContext';
import type { ItemMatch } from '../../parameters/recordValues';

/** Items that share look-ups: those with the same match fields of the same sheet. */
export class MatchGroup {
	private readonly keys: MatchKey[] = [];
	private matches?: Matches;

	/** @param compared receives what look-ups return, to be compared with what is written */
	constructor(
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		readonly compared?: RecordsByIds,
	) {}

	add(key: MatchKey): void {
		this.keys.push(key);
	}

	/** Returns what looks the keys up. To be called when all of them are added. */
	matchesFor({ client }: Item): Matches {
		this.matches ??= new Matches(client, this.sheet, this.fieldIds, this.keys, this.compared);
		return this.matches;
	}
}

/** The items of a run by their look-ups. */
export class MatchGroups {
	private readonly groups = new Map<string, MatchGroup>();

	/** Adds an item to its group, which it returns. */
	add(
		{ authentication }: Item,
		sheet: SheetAddress,
		{ matchFieldIds, key }: ItemMatch,
		compared?: RecordsByIds,
	): MatchGroup {
		const where = [authentication, formatSheetPath(sheet), ...matchFieldIds];
		const name = JSON.stringify([compared?.form, ...where]);
		const make = () => new MatchGroup(sheet, matchFieldIds, compared);
		const group = getOrInsert(this.groups, name, make);
		group.add(key);
		return group;
	}
}

/** Returns the records to work on of those that match a key. Throws InputError for several unless the user chose. */
export async function chosenMatches(
	existing: string[],
	matches: Matches,
	key: MatchKey,
	onMultipleMatches: 'all' | 'error' | 'updateAll' | 'updateFirst' = 'error',
): Promise<string[]> {
	if (existing.length < 2) return existing;
	if (onMultipleMatches === 'updateFirst') return existing.slice(0, 1);
	if (onMultipleMatches !== 'error') return existing;
	const shown = `${existing.slice(0, 5).join(', ')}${existing.length > 5 ? ', …' : ''}`;
	throw new InputError(
		`${existing.length} records match ${await matches.describe(key)}: ${shown}`,
		"Match on more fields, or set the option 'On Multiple Matches'.",
	);
}

/** Returns the error of one of several matching records: those before it are changed already. */
export function afterOthers(
	error: unknown,
	recordId: string,
	done: readonly string[],
	what: 'deleted' | 'updated',
): unknown {
	if (!(error instanceof ServiceError) || done.length === 0) return error;
	const { description = '' } = error.details;
	const others = `It failed at record ${recordId}; ${what} before it: ${done.join(', ')}.`;
	return error.with({ description: `${others} ${description}`.trim() });
}
