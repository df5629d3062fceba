import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import { Matches } from '../../../service/matches';
import { createRecord, updateRecord } from '../../../service/records';
import type { MatchKey } from '../../../wire/matchKey';
import { requireWholeCharacters } from '../../../wire/query';
import type { QueryParameter } from '../../../wire/query';
import { isBlank } from '../../../wire/recordInput';
import type { RecordChanges } from '../../../wire/recordChanges';
import { InputError } from '../../../wire/inputError';
import { ServiceError } from '../../../wire/serviceError';
import { formatSheetPath } from '../../../wire/sheetAddress';
import type { SheetAddress } from '../../../wire/sheetAddress';
import type { ItemParameters } from '../../itemParameters';
import type { Operation, OperationRun } from '../../operation';
import { recordValueParameters } from '../../parameters/recordValueParameters';
import { readMatchKeys } from '../../parameters/matchKeys';
import { readRecordValues } from '../../parameters/recordValues';
import type { RecordValues } from '../../parameters/recordValues';
import { sheetParameter } from '../../../shared/sheet';
import {
	readOnMultipleMatches,
	upsertOptions,
	writeParameters,
} from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../sheetFields';

const matchFieldsParameter: INodeProperties = {
	displayName: 'Match Field Names or IDs',
	name: 'matchFields',
	type: 'multiOptions',
	required: true,
	typeOptions: {
		loadOptionsMethod: 'getFields',
		loadOptionsDependsOn: ['sheet.value', 'authentication'],
	},
	displayOptions: { show: { inputMode: ['json'] } },
	default: [],
	description:
		'The fields by which existing records are found. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The input mode first, then what to match on, then the values. */
const valueParameters = recordValueParameters('upsert');

export const upsert: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a record',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	parameters: [
		sheetParameter,
		...valueParameters.slice(0, 1),
		matchFieldsParameter,
		...valueParameters.slice(1),
		upsertOptions,
	],
	begin(items) {
		return upsertTogether(items);
	},
};

/** What one item wants: where, which values, and the key by which its record is found. */
interface Plan {
	sheet: SheetAddress;
	values: RecordValues;
	fieldIds: string[];
	key: MatchKey;
	parameters: QueryParameter[];
	onMultipleMatches: ReturnType<typeof readOnMultipleMatches>;
	/** Plans of one group are looked up together. */
	group: string;
}

/** Reads all items' plans when the first of them runs, so that records are looked up in batches. */
function upsertTogether(items: readonly ItemParameters[]): OperationRun {
	const plans = new Map<ItemParameters, Promise<Plan>>();
	const matchesOfGroups = new Map<string, Matches>();
	const keysOfGroups = new Map<string, MatchKey[]>();
	const identitiesRead = new Set<string>();

	async function planOf(item: ItemParameters, client: Client): Promise<Plan> {
		const plan = plans.get(item) ?? readPlan(item, client);
		plans.set(item, plan);
		return await plan;
	}

	/** Reads the keys of one identity's items. An item that cannot be planned says so in its own turn. */
	async function readKeys(identity: string, client: Client): Promise<void> {
		identitiesRead.add(identity);
		for (const item of items) {
			if (item.text('authentication') !== identity) continue;
			const plan = await planOf(item, client).catch(() => undefined);
			if (!plan) continue;
			const keys = keysOfGroups.get(plan.group) ?? [];
			keysOfGroups.set(plan.group, keys);
			keys.push(plan.key);
		}
	}

	return async ({ item, client }) => {
		const plan = await planOf(item, client);
		const { sheet, fieldIds, key, group } = plan;
		const identity = item.text('authentication');
		if (!identitiesRead.has(identity)) await readKeys(identity, client);
		const keys = keysOfGroups.get(group) ?? [key];
		const matches = matchesOfGroups.get(group) ?? new Matches(client, sheet, fieldIds, keys);
		matchesOfGroups.set(group, matches);
		return await matches.whileHeld(key, async () => {
			const recordIds = await matches.recordIds(key);
			if (recordIds.length > 0) return await update(plan, client, recordIds);
			return await create(plan, client, matches).catch(async (error: unknown) => {
				// Another process may have created it meanwhile, in a sheet where the field is unique.
				const existing = isRejected(error) ? await matches.recordIdsNow(key) : [];
				if (existing.length === 0) throw error;
				return await update(plan, client, existing);
			});
		});
	};
}

/** Updates those of the records that match which the item wants to be updated. */
async function update(plan: Plan, client: Client, matching: string[]): Promise<IDataObject[]> {
	const { sheet, values, parameters } = plan;
	const recordIds = chosenRecords(plan, matching);
	const json: IDataObject[] = [];
	for (const recordId of recordIds) {
		const saved = await updateRecord(client, { sheet, recordId }, values, parameters).catch(
			(error: unknown) => {
				throw afterOthers(error, recordId, recordIds.slice(0, json.length));
			},
		);
		json.push({ ...savedRecordJson(saved), _action: 'updated' });
	}
	return json;
}

async function create(plan: Plan, client: Client, matches: Matches): Promise<IDataObject> {
	const { sheet, key, values } = plan;
	// A new record cannot be locked, and the service takes parameters that it does not know for fields.
	const parameters = plan.parameters.filter(([name]) => name !== 'checkLock');
	const saved = await matches.created(
		key,
		async () => await createRecord(client, sheet, values, parameters),
	);
	return { ...savedRecordJson(saved), _action: 'created' };
}

function isRejected(error: unknown): boolean {
	return error instanceof ServiceError && error.kind === 'rejected';
}

async function readPlan(item: ItemParameters, client: Client): Promise<Plan> {
	const sheet = item.sheet(client.connection);
	const parameters = writeParameters(item);
	const onMultipleMatches = readOnMultipleMatches(item);
	const sheetFields = new SheetFields(client, sheet);
	const values = await readRecordValues(item, sheetFields);
	const fieldIds: string[] = [];
	for (const name of readMatchKeys(item)) fieldIds.push((await sheetFields.find(name)).fieldId);
	// Refused here, a key that cannot be sent does not take those along that are looked up with it.
	const key = fieldIds.map((fieldId) =>
		requireWholeCharacters(matchValue(values.changes, fieldId)),
	);
	const group = JSON.stringify([item.text('authentication'), formatSheetPath(sheet), ...fieldIds]);
	return { sheet, values, fieldIds, key, parameters, onMultipleMatches, group };
}

/** The value to look for; an empty one is refused by the look-up. */
function matchValue({ fields }: RecordChanges, fieldId: string): string {
	const value = fields.get(fieldId);
	if (value === undefined || isBlank(value)) return '';
	if (!Array.isArray(value)) return String(value);
	const [only] = value;
	if (only !== undefined && value.length === 1) return only;
	throw new InputError(
		`The field ${fieldId} to match on has several values in this item`,
		'Give it one value, or match on another field.',
	);
}

/** Updating all matches may fail in the middle: the records before are changed already. */
function afterOthers(error: unknown, recordId: string, updated: readonly string[]): unknown {
	if (!(error instanceof ServiceError) || updated.length === 0) return error;
	const { description = '' } = error.details;
	return error.with({
		description:
			`The record ${recordId} was not updated; updated before it: ${updated.join(', ')}. ${description}`.trim(),
	});
}

function chosenRecords({ key, onMultipleMatches }: Plan, recordIds: string[]): string[] {
	if (recordIds.length < 2 || onMultipleMatches === 'updateAll') return recordIds;
	if (onMultipleMatches === 'updateFirst') return recordIds.slice(0, 1);
	const shown = recordIds.slice(0, 5).join(', ');
	throw new InputError(
		`${recordIds.length} records match ${key.map((value) => `'${value}'`).join(' and ')}: ${shown}${recordIds.length > 5 ? ', …' : ''}`,
		"Match on more fields, or set the option 'On Multiple Matches'.",
	);
}
