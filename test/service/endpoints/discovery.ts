import { demandReading, isAdministrator, rightOn, type Call } from '../call';
import type { Field } from '../data/field';
import type { Sheet } from '../data/sheet';
import { htmlAnswer, jsonAnswer, type Answer } from '../http/answer';
import { refusal, ServiceError } from '../http/serviceError';
import type { JsonValue, OrderedObject } from '../json';
import type { DiscoverySwitch, Switches } from '../switches';

type DiscoveryWay = {
	[Name in keyof Switches]: Switches[Name] extends DiscoverySwitch ? Name : never;
}[keyof Switches];

/** Returns the whole structure of a sheet, for administrators only. Not in the specification. */
export function describeSchema(call: Call, sheet: Sheet): Answer {
	return discover(call, 'schema', () => {
		if (!isAdministrator(call.identity)) throw new ServiceError('noAccessRight');
		const tellsChoices = sheet.definition.tellsChoices ?? call.state.switches.schemaChoices;
		const schemaOf = (field: Field) => fieldSchema(field, tellsChoices);
		return {
			sheet: {
				sheetPath: `/${sheet.path}`,
				sheetIndex: sheet.index,
				sheetName: sheet.name,
				keyFieldId: Number(sheet.definition.keyFieldId),
			},
			fields: sheet.fields.map(schemaOf),
			subtables: sheet.subtables.map(({ id, name, fields }) => ({
				subtableId: Number(id),
				name,
				fields: fields.map(schemaOf),
			})),
		};
	});
}

function fieldSchema(field: Field, tellsChoices: boolean): JsonValue {
	return {
		fieldId: Number(field.id),
		fieldName: field.name,
		type: field.type,
		required: field.required ?? false,
		readOnly: field.readOnly ?? false,
		computed: field.computed ?? false,
		hidden: field.hidden ?? false,
		...(tellsChoices && field.choices ? { options: field.choices } : {}),
	};
}

/** Returns the names of a sheet's fields without their types. Not in the specification. */
export function describeDefinition(call: Call, sheet: Sheet): Answer {
	return discover(call, 'definition', () => {
		demandReading(sheet, call.identity);
		const fields: OrderedObject = new Map(
			sheet.fields.map((field) => [
				`fid${field.id}`,
				{
					name: field.name,
					attr_must: field.required ?? false,
					attr_ro: field.readOnly ?? false,
					...definedChoices(field, call),
				},
			]),
		);
		for (const subtable of sheet.subtables) {
			const members = subtable.fields.map(
				(field) =>
					[`fid${field.id}`, { name: field.name, ...definedChoices(field, call) }] as const,
			);
			fields.set(`stid${subtable.id}`, new Map(members));
		}
		return { fields };
	});
}

/** Returns the choices of a field, or the keys of its linked records, as the definition lists them, if a switch says so. */
function definedChoices({ choices, link }: Field, { state }: Call): { options?: JsonValue } {
	if (!state.switches.definitionChoices) return {};
	const linked = link && [...state.data.sheet(link.sheet).records.values()];
	const values = choices ?? linked?.map((record) => record.text(link?.keyFieldId ?? ''));
	return values ? { options: values.map((value) => ({ v: value })) } : {};
}

/**
 * Returns the folders and sheets that the caller may read, of the whole account or of one tab. Not in the specification.
 *
 * @param tab path of the tab, without slashes at both ends
 */
export function describeMenu(call: Call, tab?: string): Answer {
	return discover(call, 'menu', () => {
		const { menuContents, hostAccount } = call.state.switches;
		const folders = new Map<string, { name: string; sheets: OrderedObject }>();
		for (const sheet of call.state.data.sheets) {
			if (rightOn(sheet, call.identity) === 'none') continue;
			if (tab !== undefined && sheet.path !== tab) continue;
			const name = sheet.definition.folderName;
			const folder = folders.get(sheet.path) ?? { name, sheets: new Map<string, JsonValue>() };
			folders.set(sheet.path, folder);
			folder.sheets.set(String(sheet.index), { name: sheet.name, type: 'sheet' });
		}
		const children = [...folders].map(([path, { name, sheets }]): [string, JsonValue] => [
			`/${path}`,
			{ name, children: sheets },
		]);
		const others = menuContents === 'all' && tab === undefined ? otherNodes() : [];
		const root = hostAccount === 'default' ? 'default' : call.state.account;
		return { [root]: { children: new Map([...children, ...others]) } };
	});
}

/** Nodes of a menu that are no sheets for users: reports, dashboards and the setup of the account. */
function otherNodes(): Array<[string, JsonValue]> {
	return [
		['Report', { name: 'Reports', children: { 1: { name: 'Sales by month', type: 'report' } } }],
		[
			'/overview',
			{
				name: 'Overview',
				children: {
					2: { name: 'Sales dashboard', type: 'dashboard' },
					3: { name: 'Open orders', type: 'report' },
				},
			},
		],
		['/ragic-setup', { name: 'Setup', children: { 1: { name: 'Users', type: 'sheet' } } }],
	];
}

/**
 * Returns the sheets in the form for the vendor's own clients: an object with meaningless keys, or an array as in older
 * versions.
 */
export function listForPicker(call: Call): Answer {
	return discover(call, 'picker', () => {
		const { account, data, switches } = call.state;
		const sheets: JsonValue[] = data.sheets
			.filter((sheet) => rightOn(sheet, call.identity) !== 'none')
			.map(({ definition, name, path, index }) => ({
				displayName: `${definition.folderName} / ${name}`,
				path: `${account}/${path}/${index}`,
			}));
		if (switches.pickerList === 'array') return sheets;
		return new Map(sheets.map((sheet, position) => [String(position + 1), sheet]));
	});
}

/** Answers unless the switch turns the endpoint off, as it may be on the deployed service. */
export function discover(
	{ query, state }: Call,
	way: DiscoveryWay,
	describe: () => JsonValue,
): Answer {
	const position = state.switches[way];
	if (position === 'on') return jsonAnswer(describe(), query);
	if (position === 'html') return htmlAnswer('Please use the interface.');
	throw refusal(position);
}
