import type { IDataObject } from 'n8n-workflow';
import { CachePart } from '../../../api/http/runCache';
import { ServiceError } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import type { RecordsByIds } from '../../../api/read/recordLoader';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { Matches, type MatchKey } from '../../../api/write/match';
import type { Item } from '../../run/itemContext';
import { postponed, type Postponed } from '../../run/operationResult';
import type { ItemMatch } from '../../parameters/recordValues';

/** The look-ups of a run, each for all items that have the same match fields of the same sheet. */
const matchGroups = new CachePart<{ keys: MatchKey[]; matches: Matches }>();

/** Returns what looks an item's key up together with others; `compared` receives the records that are found. */
export function matchesOf(
	{ client }: Item,
	sheet: SheetAddress,
	{ matchFieldIds, key }: ItemMatch,
	compared?: RecordsByIds,
): Matches {
	const name = JSON.stringify([compared?.reading, formatSheetPath(sheet), ...matchFieldIds]);
	const { keys, matches } = getOrInsert(client.cache.part(matchGroups), name, () => {
		const keys: MatchKey[] = [];
		return { keys, matches: new Matches(client, sheet, matchFieldIds, keys, compared) };
	});
	keys.push(key);
	return matches;
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
			if (done.length === 0) throw error;
			const others = `It failed at record ${recordId}; ${what} before it: ${done.join(', ')}.`;
			const withOthers = (description = '') => `${others} ${description}`.trim();
			if (error instanceof ServiceError) {
				throw error.with({ description: withOthers(error.details.description) });
			}
			if (!(error instanceof InputError)) throw error;
			throw new InputError(error.message, withOthers(error.description), error.remedy);
		});
		if (output === postponed) return output;
		if (output.deleted === true || output._action === 'updated') done.push(recordId);
		json.push(output);
	}
	return json;
}
