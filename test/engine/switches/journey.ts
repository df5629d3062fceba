import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, products, siteVisits, type ReferenceService } from '../../service';
import type { Switches } from '../../service/switches';
import { assign, byConditions, byIds, mass } from '../massOperation/massParameters';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { asJson, filesOption } from '../record/recordValues';
import { onOrders, recordId, RecordTestbed, sheet } from '../recordTestbed';
import { activatePolling, loadOptionsOf, readBinary, type InputItem } from '../runner';
import { changesSince, stateOf } from '../hostile/state';
import { TriggerTestbed } from '../trigger/triggerTestbed';
import { credentialsFor, type Identified, type Positions } from './positions';

const { fields, buttons, subtables } = orders;
const { lines } = subtables;
const { photos } = siteVisits.subtables;
const minuteMilliseconds = 60_000;

/** Results of all steps of a journey, and the data of the service after it. */
export type Outcome = Record<string, unknown>;

interface Step {
	parameters: INodeParameters;
	items?: InputItem[];
	/** Properties of the items that do not depend on how the service answers. Default: all properties. */
	tells?: readonly string[];
}

const byId = { options: { fieldKeys: 'id' } };
const saved = ['_recordId', '_rowId', '_action'];
const ended = ['finished', 'succeeded'];

function onOrder(id: number, overrides: INodeParameters = {}): INodeParameters {
	return { sheet: sheet(orders), recordId: recordId(id), ...overrides };
}

/**
 * One step per kind of request to the service. Filters select records that no earlier step has changed, because the index of the
 * service may lag.
 */
const steps: Record<string, (service: ReferenceService) => Step | Promise<Step>> = {
	list: () => {
		const filters = { conditions: [{ field: 'City', operator: 'eq', value: 'Oslo' }] };
		const where = { sheet: sheet(orders), returnAll: true, filters };
		return { parameters: { operation: 'getAll', ...where, ...byId } };
	},
	'list all': () => ({ parameters: { ...onOrders('getAll'), returnAll: true, ...byId } }),
	get: () => ({ parameters: { operation: 'get', ...onOrder(5, byId) } }),
	'get by name': () => ({
		parameters: { operation: 'get', ...onOrder(7, { options: { fieldKeys: 'name' } }) },
	}),
	'get typed': () => {
		const options = { ...byId.options, typedValues: true };
		return { parameters: { operation: 'get', ...onOrder(5, { options }) } };
	},
	'get what is not there': () => ({ parameters: { operation: 'get', ...onOrder(999, byId) } }),
	create: () => {
		const record = {
			...{ 'Customer Number': 'C-0007', Remark: 'Deliver, 50%2C off "now"', Status: 'Open' },
			...{ Tags: ['Gift', 'Export'], 'Order Date': '2024-02-29', Express: true },
			[`_subtable_${lines.id}`]: [
				{ [lines.fields.article]: 'Pen', [lines.fields.quantity]: 3 },
				{ [lines.fields.article]: 'Ink', [lines.fields.quantity]: 1 },
			],
		};
		const parameters = { ...onOrders('create'), ...asJson(record), ...byId };
		return { parameters, tells: saved };
	},
	update: () => {
		const record = asJson({ Remark: 'changed', Tags: 'Gift' });
		const parameters = { operation: 'update', ...onOrder(6, { ...record, ...byId }) };
		return { parameters, tells: saved };
	},
	upsert: () => ({
		parameters: {
			...{ ...onOrders('upsert'), matchFields: ['Reference'] },
			...asJson('={{ $json }}'),
			...byId,
		},
		items: [
			{ Reference: 'REF-30', Remark: 'found' },
			{ Reference: 'REF-new', 'Customer Number': 'C-0002' },
		],
		tells: saved,
	}),
	'add rows': () => {
		const rowJson = `={{ ({ "${lines.fields.article}": $json.article }) }}`;
		const row = { subtableId: lines.id, inputMode: 'json', rowJson, ...byId };
		const parameters = { resource: 'subtableRow', operation: 'add', ...onOrder(11, row) };
		return { parameters, items: [{ article: 'Desk' }, { article: 'Lamp' }], tells: saved };
	},
	'list rows': () => {
		const overrides = { subtableId: lines.id, returnAll: true, ...byId };
		return {
			parameters: { resource: 'subtableRow', operation: 'getAll', ...onOrder(11, overrides) },
		};
	},
	'add a row with a file': async () => {
		const rowJson = JSON.stringify({ [photos.fields.caption]: 'Roof' });
		const row = { subtableId: photos.id, inputMode: 'json', rowJson };
		const options = { ...byId.options, ...filesOption([photos.fields.photo, 'data']) };
		return {
			parameters: {
				...{ resource: 'subtableRow', operation: 'add', sheet: sheet(siteVisits) },
				...{ recordId: recordId(3), ...row, options },
			},
			items: [await itemWithFiles({}, { data: textFile('roof.txt') })],
			tells: saved,
		};
	},
	"download a row's file": ({ data }) => {
		const row = [...data.record(siteVisits, 3).rows(photos.id).values()].at(-1);
		const fileValue = [row?.get(photos.fields.photo) ?? ''].flat().at(-1) ?? '';
		return { parameters: { resource: 'file', operation: 'download', fileValue } };
	},
	upload: async () => ({
		parameters: {
			...{ resource: 'file', operation: 'upload' },
			...onOrder(8, { fieldId: fields.contract, ...byId }),
		},
		items: [await itemWithFiles({}, { data: textFile('süß.txt') })],
		tells: saved,
	}),
	download: ({ data }) => {
		const fileValue = data.record(orders, 8).text(fields.contract);
		return { parameters: { resource: 'file', operation: 'download', fileValue } };
	},
	comment: () => ({
		parameters: { resource: 'comment', operation: 'add', ...onOrder(4, { comment: 'A word' }) },
	}),
	lock: () => ({ parameters: { resource: 'lock', operation: 'lock', ...onOrder(9) } }),
	'update what is locked': () => {
		const overrides = { ...asJson({ Remark: 'late' }), options: { checkLock: true } };
		return { parameters: { operation: 'update', ...onOrder(9, overrides) } };
	},
	'list buttons': () => {
		const where = { sheet: sheet(orders), returnAll: true };
		return { parameters: { resource: 'actionButton', operation: 'getAll', ...where } };
	},
	'press a button': () => {
		const buttonId = { __rl: true, mode: 'id', value: buttons.ship };
		return {
			parameters: { resource: 'actionButton', operation: 'run', ...onOrder(4, { buttonId }) },
		};
	},
	'mass update': () => {
		const parameters = mass('update', { ...byIds('20,21'), ...assign(['Remark', 'many']) });
		return { parameters, tells: ended };
	},
	'mass lock by conditions': () => {
		const parameters = mass('lock', byConditions(['Reference', 'eq', 'REF-40']));
		return { parameters, tells: ended };
	},
	'a field that is unique': () => {
		const record = { ...asJson({ 'Product Number': 'P-001' }), options: { doValidation: true } };
		return { parameters: { operation: 'create', sheet: sheet(products), ...record } };
	},
	document: () => ({
		parameters: { resource: 'document', operation: 'export', ...onOrder(5, { format: 'pdf' }) },
		tells: ['_recordId', 'mimeType'],
	}),
	delete: () => ({ parameters: { operation: 'delete', ...onOrder(12) } }),
};

/** Runs all steps with a service in these positions. */
export async function travel(positions: Positions): Promise<Outcome> {
	const testbed = new RecordTestbed();
	await testbed.start({ demoRecords: 60 });
	try {
		const { service } = testbed;
		Object.assign(service.switches, positions.switches);
		service.clock.set(Date.UTC(2030, 0, 1));
		const before = stateOf(service);
		const identified = credentialsFor(testbed, positions);
		const outcome: Outcome = {};
		for (const [name, step] of Object.entries(steps)) {
			outcome[name] = await outcomeOf(await step(service), testbed, identified);
		}
		outcome['changed by all that'] = Object.fromEntries(changesSince(before, stateOf(service)));
		outcome['list sheets'] = await listSheets(identified);
		outcome.delivery = await deliver(testbed, identified);
		outcome.poll = await poll(testbed, identified);
		return outcome;
	} finally {
		await testbed.stop();
	}
}

/** Returns the items with the first characters of their file, or the error of the step. */
async function outcomeOf(
	{ parameters, items = [{}], tells }: Step,
	testbed: RecordTestbed,
	{ credentials, parameters: authentication }: Identified,
): Promise<unknown> {
	const result = await testbed.runById({ ...parameters, ...authentication }, items, {
		credentials,
	});
	if (result.error) return result.error.message;
	return await Promise.all(
		result.items.map(async ({ json, binary, pairedItem }) => ({
			json: tells ? only(json, tells) : json,
			pairedItem,
			file: binary?.data && (await readBinary(binary.data)).toString('utf8', 0, 5),
		})),
	);
}

/** Returns the addresses in the editor's list of sheets, or an error if the service lists none. */
async function listSheets({
	credentials,
	parameters: authentication,
}: Identified): Promise<unknown> {
	const list = await loadOptionsOf({
		...{ node: 'sheetRecords', parameters: { resource: 'record', ...authentication }, credentials },
		method: { kind: 'listSearch', name: 'searchSheets' },
	}).catch((error: unknown) => String(error));
	return typeof list === 'string' ? list : JSON.stringify(list).match(/"value":"[^"]*"/g);
}

/** Returns the items for an edited record, with automatic registration of the webhook. */
async function deliver(
	testbed: RecordTestbed,
	{ credentials, parameters: authentication }: Identified,
): Promise<unknown> {
	const trigger = new TriggerTestbed(testbed);
	const listener = await trigger.listen(
		{ registration: 'automatic', ...authentication },
		{ credentials },
	);
	testbed.service.people.edit(orders, 5, { [fields.remark]: 'edited </i> “süß”' });
	await testbed.service.webhooks.settled();
	await listener.settled();
	const emittedItems = listener.executions.map(({ items }) => items.map(({ json }) => json));
	await trigger.end();
	return emittedItems;
}

/** Returns the items for a record that was edited in the minute in which polling started. */
async function poll(
	{ service }: RecordTestbed,
	{ credentials, parameters: authentication }: Identified,
): Promise<unknown> {
	// The index contains the changes of the previous steps by now.
	service.clock.advance(10 * minuteMilliseconds);
	const parameters = { sheet: sheet(orders), ...authentication, ...byId };
	const poller = await activatePolling({ parameters, credentials });
	const firstItems = await poller.poll();
	service.clock.advance(minuteMilliseconds / 2);
	service.people.edit(orders, 6, { [fields.remark]: 'edited later' });
	service.clock.advance(2 * minuteMilliseconds);
	const polls = [firstItems, await poller.poll(), await poller.poll()];
	poller.close();
	return polls;
}

function only(json: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, json[name]]));
}

/**
 * Returns whether a property may differ: the position of a record in an answer, a subtable without rows, which may be omitted, or
 * the warning that a switch adds to writes.
 */
function mayDiffer(key: string, member: unknown): boolean {
	const isEmptyRows = Array.isArray(member) && member.length === 0 && /^_subtable_/.test(key);
	const isAddedWarning = key === '_warning' && member === 'The unit price is low.';
	return key === '_seq' || isEmptyRows || isAddedWarning;
}

/** Returns the output without differences that the switches only cause in its spelling. */
export function normalized(output: unknown, switches: Partial<Switches>): unknown {
	if (Array.isArray(output)) {
		const [first] = output;
		const isChoice = output.length === 1 && typeof first === 'string';
		return switches.singleChoiceAsText && isChoice
			? first
			: output.map((element) => normalized(element, switches));
	}
	if (typeof output === 'object' && output !== null) {
		const members = Object.entries(output).filter(([key, member]) => !mayDiffer(key, member));
		return Object.fromEntries(members.map(([key, member]) => [key, normalized(member, switches)]));
	}
	if (typeof output !== 'string') return output;
	// A text with a leading zero is not a number.
	const isNumber = /^(0|[1-9]\d*)(\.\d+)?$/.test(output);
	if (switches.numbersAsText === false && isNumber) return Number(output);
	const date = switches.dateZeros === 'leftOut' ? withoutDateZeros(output) : output;
	return switches.storedTimes === 'minutes' ? date.replace(/( \d\d:\d\d):\d\d$/, '$1') : date;
}

/** Returns a text with the dates in it without leading zeros: `2026/6/5`. */
function withoutDateZeros(text: string): string {
	return text.replace(/\b(\d{4})\/0?(\d{1,2})\/0?(\d{1,2})\b/g, '$1/$2/$3');
}
