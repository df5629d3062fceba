import { customers, orders, type SheetAddress } from '../../service';
import { recordId, sheet, type RecordTestbed } from '../recordTestbed';
import { kinds, outcomes } from './outcomes';

/** A kind of field, and a field of it in the demo data. */
export interface FieldOfKind {
	kind: (typeof kinds)[number];
	address: SheetAddress;
	fieldId: string;
	name: string;
}

const { fields } = orders;

export const fieldsOfKinds: FieldOfKind[] = [
	{ kind: 'text', address: orders, fieldId: fields.remark, name: 'Remark' },
	{
		kind: 'number',
		address: customers,
		fieldId: customers.fields.creditLimit,
		name: 'Credit Limit',
	},
	{ kind: 'date', address: orders, fieldId: fields.orderDate, name: 'Order Date' },
	{ kind: 'date and time', address: orders, fieldId: fields.deliveryTime, name: 'Delivery Time' },
	{ kind: 'checkbox', address: orders, fieldId: fields.express, name: 'Express' },
	{ kind: 'selection', address: orders, fieldId: fields.status, name: 'Status' },
	{ kind: 'multiple selection', address: orders, fieldId: fields.tags, name: 'Tags' },
];

const forms = outcomes.map(([form]) => form);

/**
 * Writes each form into a field of a record of its own. Returns the stored value as JSON, `empty` if there is nothing to write,
 * `refused` for an error that names the field, and `refused by the service` for another error. Adds ` !` if a warning names the
 * field.
 */
export async function outcomesOf(
	testbed: RecordTestbed,
	{ address, fieldId, name }: FieldOfKind,
): Promise<string[]> {
	const data = testbed.service.data.sheet(address);
	const ids = [...data.records.keys()].slice(0, forms.length);
	for (const id of ids) data.record(id).set(fieldId, 'before');
	const recordJson = `={{ ({ "${fieldId}": [${forms.join(', ')}][$itemIndex] }) }}`;
	const parameters = { operation: 'update', sheet: sheet(address), inputMode: 'json', recordJson };
	const result = await testbed.runAllById(
		{ ...parameters, recordId: recordId('={{ $json.id }}') },
		ids.map((id) => ({ id })),
		{ ...testbed.as('admin'), timezone: 'UTC' },
	);
	const itemOf = (index: number, items: typeof result.items) =>
		items.find(({ pairedItem }) => Object(pairedItem).item === index)?.json;
	return ids.map((id, index) => {
		const error = itemOf(index, result.errorItems)?.error;
		if (error !== undefined) {
			if (/^There is nothing to write/.test(String(error))) return 'empty';
			return String(error).includes(`'${name}'`) ? 'refused' : 'refused by the service';
		}
		const warning = String(itemOf(index, result.items)?._warning ?? '');
		const value = data.record(id).value(fieldId) ?? '';
		const mark = warning.includes(`'${name}'`) ? ' !' : '';
		return `${JSON.stringify(value)}${mark}`;
	});
}
