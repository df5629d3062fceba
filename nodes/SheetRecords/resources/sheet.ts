import type { IDataObject } from 'n8n-workflow';
import { startUrlImport } from '../../api/actions';
import type { FieldIndex } from '../../api/sheet/fieldIndex';
import type { Field } from '../../api/sheet/fields';
import { SheetFields } from '../../api/sheet/sheetFields';
import { InputError } from '../../api/values/inputError';
import { notice } from '../../shared/parameters/parameter';
import { sheetParameter } from '../../shared/parameters/sheet';
import { operation, type Resource } from '../run/operation';

/** Loads the list of fields again. Types that no source lists are inferred. Throws InputError if no source lists the fields for this user. */
const getFields = operation({
	value: 'getFields',
	name: 'Get Fields',
	action: 'Get the fields of a sheet',
	description:
		'Get the names and IDs of the fields of a sheet and its subtables. For the values in them, use Record: Get Many.',
	parameters: { sheet: sheetParameter },
	async run({ client }, { sheet }) {
		const sheetFields = new SheetFields(client, sheet);
		sheetFields.forgetLists();
		const index = await sheetFields.load({ readNames: true });
		if (!index.isEmpty) {
			const kinds = (await sheetFields.loadKindsIfKnown())?.kinds;
			const typed = index.with({ kinds });
			return typed.fields.map((field) => fieldJson(field, typed));
		}
		throw new InputError(
			'The service does not return the fields of this sheet to this user',
			'Look up the field IDs in the field settings of the sheet.',
		);
	},
});

/** Returns the output of a field. All fields have the same keys: an unknown property is null. */
function fieldJson(field: Field, index: FieldIndex): IDataObject {
	const { fieldId, required = null, readOnly = null, hidden = null } = field;
	const { choices = null, subtableId = null } = field;
	const subtable = index.subtables.find((listed) => listed.subtableId === subtableId);
	const subtableName = subtable?.name || null;
	const { type = null, typeSource = null } = index.typeOf(field) ?? {};
	const rights = { required, readOnly, hidden };
	const name = index.outputKey(field);
	return { fieldId, name, type, typeSource, ...rights, choices, subtableId, subtableName };
}

const importFromUrl = operation({
	value: 'importFromUrl',
	name: 'Import From URL',
	action: 'Import data into a sheet from its URL',
	description:
		'Start the import from the URL that is set up for the sheet. To write items of the workflow, use Record: Create or Update.',
	parameters: {
		sheet: sheetParameter,
		notice: notice(
			'importNotice',
			'Requires a user with SYSAdmin privilege, and periodic import from URL turned on for the sheet. The import continues after this node has finished.',
		),
	},
	async run({ client }, { sheet }) {
		const { message, warning } = await startUrlImport(client, sheet);
		return { started: true, message, ...(warning !== undefined && { _warning: warning }) };
	},
});

export const sheet: Resource = {
	value: 'sheet',
	name: 'Sheet',
	description: 'Sheet with its fields',
	defaultOperation: getFields,
	operations: [getFields, importFromUrl],
};
