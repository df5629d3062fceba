import type { IDataObject } from 'n8n-workflow';
import { CachePart } from '../../../api/http/runCache';
import { ServiceError, fallbackTo } from '../../../api/http/serviceError';
import { getOrInsert } from '../../../api/json/objects';
import type { RecordLoader } from '../../../api/read/recordLoader';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath, type SheetAddress } from '../../../api/values/sheetAddress';
import { MatchLookUp, type MatchKey } from '../../../api/write/match';
import type { Item } from '../../run/itemContext';
import type { ItemMatch } from '../../parameters/matchFields';

/** Look-ups of a run. Items with the same sheet, match fields and read options of the loader share one. */
const matchGroups = new CachePart<MatchLookUp>();

/** Adds an item's key to the look-up for its match fields, and returns the look-up. The look-up primes `loader` with the records that it finds. */
export function matchesOf(
	{ client }: Item,
	sheet: SheetAddress,
	{ matchFieldIds, key }: ItemMatch,
	loader?: RecordLoader,
): MatchLookUp {
	loader?.needFields(matchFieldIds);
	const name = JSON.stringify([loader?.options, formatSheetPath(sheet), ...matchFieldIds]);
	const create = () => new MatchLookUp(client, sheet, matchFieldIds, loader);
	const matches = getOrInsert(client.cache.part(matchGroups), name, create);
	matches.add(key);
	return matches;
}

/**
 * Returns a function that loads the records of a key together with those of other keys into the loader of the look-up. If that
 * fails, each record is loaded by its ID.
 */
export function loadTogether(matches: MatchLookUp, key: MatchKey): () => Promise<unknown> {
	return async () => await matches.primeLoader(key).catch(fallbackTo(undefined));
}

/** Returns the matching records that the option selects. Throws InputError for several matches unless the option allows them. */
export async function chosenMatches(
	existing: string[],
	matches: MatchLookUp,
	key: MatchKey,
	onMultipleMatches: 'all' | 'error' | 'first' | 'updateAll' | 'updateFirst' = 'error',
): Promise<string[]> {
	if (existing.length < 2) return existing;
	if (onMultipleMatches === 'updateFirst' || onMultipleMatches === 'first') {
		return existing.slice(0, 1);
	}
	if (onMultipleMatches !== 'error') return existing;
	const listed = `${existing.slice(0, 5).join(', ')}${existing.length > 5 ? ', …' : ''}`;
	throw new InputError(
		`${existing.length} records match ${await matches.describe(key)}: ${listed}`,
		"Match on more fields, or set the option 'On Multiple Matches'.",
	);
}

/** Records that match a key. */
interface ChosenRecords {
	recordIds: readonly string[];
	matches: MatchLookUp;
	key: MatchKey;
}

/**
 * Runs `work` for each record, one after the other, and returns the outputs by record ID. Records that earlier attempts of the item
 * have written are not written again, and their outputs are returned as well. Further records that do not match the key any more
 * when their turn comes are left out. If `work` fails after a write, the InputError or
 * ServiceError also names the records that are already written.
 */
export async function workOnEach(
	item: Item,
	{ recordIds, matches, key }: ChosenRecords,
	what: 'deleted' | 'updated',
	work: (recordId: string) => Promise<IDataObject>,
): Promise<IDataObject[]> {
	const { outputs: written } = item.run.journalOf(item.index);
	const json = new Map(written);
	for (const recordId of recordIds) {
		if (written.has(recordId)) continue;
		const workIfMatching = async () => {
			if (json.size > 0 && !(await matches.stillMatches(key, recordId))) return undefined;
			return await work(recordId);
		};
		const output = await workIfMatching().catch((error: unknown) => {
			if (written.size === 0) throw error;
			const done = [...written.keys()].join(', ');
			const progress = `It failed at record ${recordId}; ${what} before it: ${done}.`;
			const withProgress = (description = '') => `${progress} ${description}`.trim();
			if (error instanceof ServiceError) {
				throw error.with({ description: withProgress(error.details.description) });
			}
			if (!(error instanceof InputError)) throw error;
			throw new InputError(error.message, withProgress(error.description), error.remedy);
		});
		if (!output) continue;
		if (output.deleted === true || output._action === 'updated') written.set(recordId, output);
		json.set(recordId, output);
	}
	const byId = [...json].sort(([left], [right]) => Number(left) - Number(right));
	return byId.map(([, output]) => output);
}

/** Returns whether an earlier attempt of the item has written one of its records. */
export function hasWritten(item: Item): boolean {
	return item.run.journalOf(item.index).outputs.size > 0;
}
