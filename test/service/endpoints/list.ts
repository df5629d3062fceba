import { demandReading, isAdministrator, type Call } from '../call';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { checkReadParameters, listParameters } from '../http/query';
import { ServiceError } from '../http/serviceError';
import { fullTextTest, readCondition, recordTest, type Condition } from '../reading/filter';
import { ordered, page } from '../reading/ordering';
import { RecordView } from '../reading/recordView';
import { readViewOptions } from '../reading/viewOptions';

/** Lists records (specification, endpoint 1). */
export function listRecords(call: Call, sheet: Sheet): Answer {
	demandReading(sheet, call.identity);
	checkReadParameters(call, listParameters);
	const options = readViewOptions(call);
	const found = ordered(matchingRecords(call, sheet), sheet, call);
	const listed = page(found, call.query);
	const view = new RecordView(sheet, options, call.state.switches);
	return jsonAnswer(view.list(listed), call.query);
}

/** Returns the records that match the conditions and filters of the query. */
export function matchingRecords(call: Call, sheet: Sheet): SheetRecord[] {
	const { query, state } = call;
	const conditions = query.named('where').map(readCondition);
	const conditionSets = [conditions, ...savedFilters(call, sheet)];
	const tests = conditionSets
		.filter((set) => set.length > 0)
		.map((set) => recordTest(set, sheet, state));
	const text = query.first('fts');
	if (text) tests.push(fullTextTest(text, sheet));

	const isFiltered = conditions.length > 0 || Boolean(text);
	const { filterLagMilliseconds: lag } = state.switches;
	const newestFound = lag > 0 ? state.clock.now() - lag : Infinity;
	const indexed = isFiltered ? sheet.indexedAt(newestFound) : [...sheet.records.values()];
	return indexed.filter((record) => tests.every((test) => test(record)));
}

/** Returns the filters saved with the sheet. A record must match all of them. */
function savedFilters({ query, identity, byApiKey }: Call, sheet: Sheet): Condition[][] {
	const filters: Condition[][] = [];
	const viewId = query.first('filterId');
	if (viewId !== undefined) {
		const isThere = Object.hasOwn(sheet.sharedViews, viewId);
		const view = isThere ? sheet.sharedViews[viewId] : undefined;
		if (!view) throw new ServiceError('parameters', `Unknown shared view: ${viewId}`);
		filters.push(view);
	}
	if (query.flag('defaultFilter')) filters.push(sheet.defaultFilter);
	const mayIgnore = byApiKey && isAdministrator(identity);
	if (!(mayIgnore && query.flag('ignoreFixedFilter'))) filters.push(sheet.fixedFilter);
	return filters;
}
