import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Field } from '../../wire/fields';
import { dateForm, holdsFiles, isFilledIn } from '../../wire/fieldTypes';
import { labelOf } from '../../shared/loadOptions';
import { chosenFields, forEditor } from '../../shared/pickListContext';

/** The writable fields of the chosen sheet for the mapper: no read-only, computed or subtable fields. */
async function getRecordFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isNew = this.getCurrentNodeParameter('operation') === 'create';
	return await mapperFields(this, undefined, isNew);
}

/** The writable fields of the chosen subtable. */
async function getRowFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isNew = this.getCurrentNodeParameter('operation') === 'add';
	return await mapperFields(this, String(this.getCurrentNodeParameter('subtableId') ?? ''), isNew);
}

async function mapperFields(
	context: ILoadOptionsFunctions,
	subtableId: string | undefined,
	isNew: boolean,
): Promise<ResourceMapperFields> {
	return await forEditor(context, async () => {
		const list = await chosenFields(context);
		const known = (list?.fields ?? []).filter((field) => field.subtableId === subtableId);
		const fields = known
			.filter(({ readOnly }) => !readOnly)
			.map((field) => mapperField(field, known, isNew));
		// The editor may show the notice beside fields, too.
		if (fields.length > 0) return { fields };
		return { fields, emptyFieldsNotice: list ? noSuchFields(subtableId) : noFields };
	});
}

/** Shown when the list holds no field that can be written. */
function noSuchFields(subtableId: string | undefined): string {
	if (subtableId === undefined) return 'This sheet has no field that can be written.';
	return subtableId === ''
		? 'Choose the subtable first; its fields appear here.'
		: `No field of subtable ${subtableId} is known. Choose JSON as the input and use field IDs.`;
}

const noFields =
	"The service does not tell this sheet's fields to this user. Choose JSON as the input and use field IDs.";

/** A change leaves out what it does not change: only a new record needs its required fields. */
function mapperField(field: Field, fields: readonly Field[], isNew: boolean): ResourceMapperField {
	const type = mapperType(field);
	return {
		id: field.fieldId,
		displayName: labelOf(field, fields),
		required: isNew && field.required === true,
		defaultMatch: false,
		canBeUsedToMatch: type !== 'array' && !isFilledIn(field) && !holdsFiles(field),
		display: true,
		type,
		...(type === 'options'
			? { options: (field.choices ?? []).map((choice) => ({ name: choice, value: choice })) }
			: {}),
	};
}

/** Texts where the type is not known: the mapper must not turn what it does not understand into something else. */
function mapperType({ type, choices }: Field): FieldType {
	if (dateForm(type)) return 'dateTime';
	const word = type?.toLowerCase() ?? '';
	if (word.includes('multi')) return 'array';
	if (word === 'number') return 'number';
	return choices && word.includes('select') ? 'options' : 'string';
}

export const resourceMapping = { getRecordFields, getRowFields };
