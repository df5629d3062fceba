import type { IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/canonicalJson';
import { isObject } from '../api/json/objects';
import { isNodeCondition } from '../api/read/query';
import type { Naming, ReadOptions } from '../api/read/readOptions';
import { SheetFields } from '../api/sheet/sheetFields';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import { isSubtableKey } from '../api/values/subtableKeys';
import { InputError } from '../api/values/inputError';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { fileKeys } from '../shared/output/fileKeys';
import type { OutputSettings } from '../shared/output/recordOutput';
import { outputReadOptions } from '../shared/output/returnedFields';
import { parseParameters } from '../shared/parameters/parameter';
import { NodeFilter } from '../shared/nodeFilter';
import {
	connectTrigger,
	watchedFields,
	watchedKeys,
	type ConnectedTrigger,
} from '../shared/trigger';
import { ChangeItems } from './changeItems';
import { EnteredFields } from './enteredFields';
import { conditionsBesideDate, selectedEvents, outputParameters } from './pollingParameters';
import type { PollState } from './pollState';
import { SheetReader } from './sheetReader';

/** Maximum time for loading the fields whose values people enter, in ms. */
const maxFieldsMilliseconds = 30_000;

/** The functions of a poll, including functions that older versions of n8n lack. */
export type PollContext = IPollFunctions & {
	getPollBudgetMs?: () => number;
	__commitCursor?: () => Promise<void>;
};

/** A poll: the settings of its node, and the reader of its sheet. */
export interface PollCall extends ConnectedTrigger {
	readonly context: PollContext;
	readonly events: readonly WebhookEvent[];
	readonly settings: OutputSettings & {
		readonly form: 'event' | 'record';
		readonly deletionCheckEvery: number;
	};
	readonly sheetFields: SheetFields;
	readonly reader: SheetReader;
	/** Options of all reads. */
	readonly reading: ReadOptions;
	readonly changeItems: ChangeItems;
	/** Whether the poll was started again with new names of the fields. Stored values have the names of before. */
	readonly areNamesNew: boolean;
}

/** Parses the parameters of the node, once per poll. Throws InputError if a parameter is wrong, and ServiceError. */
export async function startCall(
	context: PollContext,
	time: AbortSignal,
	areNamesNew: boolean,
): Promise<PollCall> {
	const call = await connectTrigger(context, time);
	const { client, sheet } = call;
	const events = selectedEvents.parse(call);
	const { simplify, options } = await parseParameters(outputParameters, call);
	const { form = 'event', sharedViewId, ...outputOptions } = options;
	const settings = { simplify, form, ...outputOptions };
	const conditions = await conditionsBesideDate(call);
	const sheetFields = new SheetFields(client, sheet);
	// Filters compare times in the account's time zone, in which the reader reads each record.
	const { naming = 'FNAME', subtables } = settings;
	const ofRecords = await NodeFilter.of(conditions, naming, sheetFields, { subtables });
	const byIds = await NodeFilter.of(conditions, 'EID', sheetFields);
	const compared = [...watchedFields.parse(call), ...ofRecords.fieldIds];
	const reading = await outputReadOptions(client, sheet, settings, compared);
	const where = conditions.filter((condition) => !isNodeCondition(condition));
	const matching = { sheet, where, search: { sharedViewId }, reading };
	const reader = new SheetReader(client, matching, { ofRecords, byIds }, async () => {
		return await enteredFields(call, naming);
	});
	const changeItems = new ChangeItems({ client, sheet, settings });
	const reads = { sheetFields, reader, reading };
	return { ...call, context, events, settings, ...reads, changeItems, areNamesNew };
}

/**
 * Checks settings that only matter when there are items, so that they fail at activation. Returns the IDs of the watched
 * fields; undefined if any change counts. Throws InputError if a setting is wrong.
 */
export async function checkedSettings(call: PollCall): Promise<string[] | undefined> {
	const { settings, sheetFields, events } = call;
	// The names of watched fields are stored as IDs now, so they must not be those of ten minutes ago.
	if (watchedFields.parse(call).length > 0) sheetFields.forgetLists();
	await call.changeItems.loadShapes();
	await fileKeys(sheetFields, settings);
	const keys = await watchedKeys(call, events, settings.naming);
	if (!keys) return undefined;
	if (settings.subtables === false && keys.some(isSubtableKey)) {
		throw new InputError(
			"'Watch Field Names or IDs' has a subtable, which is not read with 'Subtables' off",
			"Remove the option 'Subtables', or watch other fields.",
		);
	}
	// If the service lists no fields, names cannot be resolved to IDs.
	const index = await sheetFields.load();
	return index.isEmpty ? keys : await watchedKeys(call, events, 'EID');
}

/** Returns the fields whose values people enter; undefined if the service does not tell. Never throws, because polls can do without. */
async function enteredFields(
	{ client, sheet }: { client: Client; sheet: SheetAddress },
	naming: Naming,
): Promise<EnteredFields | undefined> {
	const inTime = client.endingWith(AbortSignal.timeout(maxFieldsMilliseconds));
	const loading = new SheetFields(inTime, sheet).load({ readNames: true });
	// Also after the time limit, which is no error of the service.
	const index = await loading.catch(() => undefined);
	return index && EnteredFields.of(index.fields, naming);
}

/** Digests of the parameters. */
export interface CurrentSettings extends Required<
	Pick<PollState, 'source' | 'selection' | 'settings' | 'reading'>
> {
	/** `source` as version 10 of the stored state has it. */
	version10Source: string;
}

/**
 * Returns digests of the parameters with unevaluated expressions, because results of expressions may differ in each poll. The
 * requested fields are part of the reading alone: a later poll may detect that the service can send selected fields, or that one
 * was renamed. The user is part of both, because another one may see other values, such as masks.
 */
export function settingsOf(
	context: IPollFunctions,
	{ client: { connection }, sheet, reading }: PollCall,
): CurrentSettings {
	const { parameters, credentials = {} } = context.getNode();
	const { baseUrl, account, credentialType, userDigest } = connection;
	const { filters, events, startFrom, startDate } = parameters;
	const { sharedViewId: view, ignoreFixedFilter }: Record<string, unknown> = isObject(
		parameters.options,
	)
		? parameters.options
		: {};
	const location = [baseUrl, sheetPath(account, sheet), credentials[credentialType]?.id];
	const sortedEvents = Array.isArray(events) ? [...events].sort() : events;
	const settings = { ...parameters, pollTimes: undefined };
	// The names of fields and the output's time zone do not matter for the digests of values.
	const query = reading.parameters?.filter(([name]) => name !== 'tz') ?? [];
	return {
		source: shortDigest([location, startFrom, startDate]),
		selection: shortDigest([filters, view, ignoreFixedFilter]),
		version10Source: shortDigest([location, filters, sortedEvents, view, startFrom, startDate]),
		settings: shortDigest([settings, userDigest]),
		reading: shortDigest([reading.version, query, reading.fields, userDigest]),
	};
}

function shortDigest(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
