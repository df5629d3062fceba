import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import type { RecordsByIds } from '../../../api/read/recordsByIds';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { Matches, type MatchKey } from '../../../api/write/match';
import type { Item } from '../../itemContext';
import { postponed, type Postponed } from '../../operationResult';
import type { ItemMatch } from '../../parameters/match';

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

/** Works on each of several matching records. Where it fails, the error says which of them are written already. */
export async function workOnEach(
	recordIds: readonly string[],
	what: 'deleted' | 'updated',
	work: (recordId: string) => Promise<IDataObject | Postponed>,
): Promise<IDataObject[] | Postponed> {
	const json: IDataObject[] = [];
	const done: string[] = [];
	for (const recordId of recordIds) {
		const output = await work(recordId).catch((error: unknown) => {
			if (!(error instanceof ServiceError) || done.length === 0) throw error;
			const { description = '' } = error.details;
			const others = `It failed at record ${recordId}; ${what} before it: ${done.join(', ')}.`;
			throw error.with({ description: `${others} ${description}`.trim() });
		});
		if (output === postponed) return output;
		if (output.deleted === true || output._action === 'updated') done.push(recordId);
		json.push(output);
	}
	return json;
}
