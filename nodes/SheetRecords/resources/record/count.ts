import { isNodeCondition } from '../../../api/read/query';
import { Schema } from '../../../api/schema/schema';
import { matchingIds, NodeFilter } from '../../../shared/nodeFilter';
import { conditionsParameter, rawConditions } from '../../../shared/parameters/filters';
import { listFlags } from '../../../shared/parameters/options';
import { optionsCollection } from '../../../shared/parameters/parameter';
import { sheetParameter } from '../../../shared/parameters/sheet';
import { fullText, sheetFilters } from '../../parameters/list';
import { operation } from '../../run/operation';

export const count = operation({
	value: 'count',
	name: 'Count',
	action: 'Count records',
	description:
		'Count the records that match filters, without returning them: for "how many" and for whether there is any',
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
		const filter = await NodeFilter.of(conditions, 'EID', new Schema(client, sheet));
		const sent = conditions.filter((condition) => !isNodeCondition(condition));
		const where = [...sent, ...(options.where ?? [])];
		const flags = options.ignoreFixedFilter ? [['ignoreFixedFilter', true] as const] : [];
		const reading = filter.smallestReadOptions(...flags);
		const request = { sheet, where, search: options, reading };
		let total = 0;
		for await (const ids of matchingIds(client, request, filter)) {
			total += ids.length;
			run.progress({ records: ids.length });
		}
		return { count: total };
	},
});
