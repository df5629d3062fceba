import { CachePart } from '../../../api/http/runCache';
import { getOrInsert } from '../../../api/json/objects';
import { isNodeCondition } from '../../../api/read/query';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import { countMatching, matchingFlags, NodeFilter } from '../../../shared/nodeFilter';
import {
	conditionsParameter,
	rawConditions,
	requireUsableConditions,
} from '../../../shared/parameters/filters';
import { listFlags, readOptionsOf } from '../../../shared/parameters/options';
import { optionsCollection } from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { fullText, sheetFilters } from '../../parameters/list';
import { operation } from '../../run/operation';

/** The counts of the run, by sheet, conditions and options: items with the same ones share a count. */
const countsOfRun = new CachePart<Promise<number>>();

export const count = operation({
	value: 'count',
	name: 'Count',
	action: 'Count records',
	description:
		'Count the records that match filters: for how many there are, and whether there is any. To get the records, use Get Many.',
	parameters: {
		sheet: sheetParameter,
		conditions: conditionsParameter,
		options: optionsCollection({
			where: rawConditions,
			fullText,
			...sheetFilters,
			ignoreFixedFilter: listFlags.ignoreFixedFilter,
		}),
	},
	async run({ client, run }, { sheet, conditions, options }) {
		const sheetFields = new SheetFields(client, sheet);
		const raw = options.where ?? [];
		await requireUsableConditions(sheetFields, conditions, raw);
		const filter = await NodeFilter.of(conditions, 'EID', sheetFields);
		const sent = conditions.filter((condition) => !isNodeCondition(condition));
		const where = [...sent, ...raw];
		const flags = matchingFlags(readOptionsOf(options));
		const onPage = (records: number) => run.progress({ records });
		const request = { sheet, where, search: options };
		const counts = client.cache.part(countsOfRun);
		const key = JSON.stringify([formatSheetPath(sheet), conditions, options]);
		const counting = getOrInsert(
			counts,
			key,
			async () => await countMatching(client, request, filter, { flags, onPage }),
		);
		// The next item with the same conditions tries again.
		counting.catch(() => counts.delete(key));
		return { count: await counting };
	},
});
