import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { JsonObject } from '../api/json/orderedJson';
import { membersOf } from '../api/read/record';
import { isDateTimeValue } from '../api/schema/inference';
import { parseParameters } from '../shared/parameters/parameter';
import { outputReadOptions, outputShape } from '../shared/output/recordOutput';
import { changeItem, connectTrigger, shownChanges, watchedFields } from '../shared/trigger';
import type { Change } from './cursor';
import { conditionsBesideDate, eventsToTell, outputParameters } from './pollingParameters';
import { SheetReader } from './sheetReader';

/** With what older versions of n8n do not have. */
export type PollContext = IPollFunctions & {
	getPollBudgetMs?: () => number;
	__commitCursor?: () => Promise<void>;
};

/** A poll: how the node is set up, and what reads the sheet. */
export type PollCall = Awaited<ReturnType<typeof startCall>>;

/** Reads how the node is set up. Throws InputError for what is wrong. */
export async function startCall(context: PollContext, time: AbortSignal) {
	const call = await connectTrigger(context, time);
	const { client, sheet } = call;
	const events = eventsToTell.parse(call);
	const { simplify, options } = await parseParameters(outputParameters, call);
	const { form = 'event', sharedViewId, ...others } = options;
	const settings = { simplify, form, ...others };
	const reading = await outputReadOptions(client, sheet, settings, watchedFields.parse(call));
	const where = await conditionsBesideDate(call);
	const reader = new SheetReader(client, { sheet, where, search: { sharedViewId }, reading });
	return { ...call, context, events, settings, reader };
}

/** Returns the items of changes. Throws as `outputShape`. */
export async function itemsOf(call: PollCall, changes: readonly Change[]): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const { client, sheet, settings } = call;
	const { simplify, timeZone, form } = settings;
	const shape = await outputShape(client, sheet, settings);
	const jsons = changes.map(({ record: { id, content, shown = content } }) => {
		const json = shape.json(id, membersOf(shown));
		// Where a record stands in the answer is asked for with its times, and says nothing.
		if (simplify) delete json._seq;
		return json;
	});
	const records = await shape.named(jsons);
	const fieldShape = await outputShape(client, sheet, { ...settings, onlyFields: [] });
	const fieldsOf = async (content: JsonObject) => {
		// What was read at the start has times of the account.
		const others = [...content].filter(([, value]) => !isDateTimeValue(value));
		const known = timeZone === undefined ? content : new Map(others);
		const [json = {}] = await fieldShape.named([fieldShape.json('', membersOf(known))]);
		return json;
	};
	const items: IDataObject[] = [];
	for (const [index, { record, event, fields }] of changes.entries()) {
		const shown = fields && (await shownChanges(fields, fieldsOf));
		const change = { event, recordId: record.id, verified: true, record: records[index] };
		items.push(changeItem({ ...change, fields: shown }, client.connection.account, sheet, form));
	}
	return items;
}
