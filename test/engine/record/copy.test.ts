import type { INodeParameters } from 'n8n-workflow';

import { orders, type IdentityName } from '../../service';
import { recordId, sheet, unname, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;
const record = (id: number) => testbed.service.data.record(orders, id);

/** Order 15 with a value in every field, and three rows. */
beforeEach(() => {
	unname(testbed.service);
	record(15)
		.set(fields.note, 'first')
		.set(fields.secondNote, 'second')
		.set(fields.unnamed, 'no name')
		.set(fields.tags, ['Gift', 'Repeat, large'])
		.set(fields.description, '[b]Handle with care[/b]\nSee <label>')
		.set(fields.workflowStamp, 'Checked')
		.set(fields.contract, testbed.service.data.storeFile('a b.pdf', 'application/pdf', pdf));
});

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
/** Filled in by the service, and the file, which stays with its record. */
const ownFields = [
	...[fields.orderNumber, fields.total, fields.workflowStamp, fields.shippingLabel],
	fields.contract,
];
const ownNames = ['Order Number', 'Total', 'Workflow Stamp', 'Shipping Label', 'Contract'];

async function copy(
	identity: IdentityName,
	readOptions: INodeParameters,
	writeOptions: INodeParameters = {},
) {
	const credentials = testbed.credentials(identity);
	const read = await testbed.run(
		{ operation: 'get', sheet: sheet(orders), recordId: recordId(15), options: readOptions },
		[{}],
		{ credentials },
	);
	testbed.service.requests.clear();
	const created = await testbed.run(
		// The service's script would write into another field.
		{
			...{ operation: 'create', sheet: sheet(orders), ...autoMapped() },
			options: { doWorkflow: false, ...writeOptions },
		},
		read.items.map(({ json }) => json),
		{ credentials },
	);
	expect(created.error).toBeUndefined();
	const id = Number(created.items[0]?.json._recordId);
	expect(id).toBeGreaterThan(60);
	return { id, hints: created.hints };
}

/** What a copy has in common with its source: all but what is each record's own; rows without their ids. */
function commonValues(id: number, left: readonly string[]) {
	const { article, quantity, unitPrice } = lines.fields;
	const rows = [...record(id).rows(lines.id).values()].map((row) => [
		...[row.get(article), row.get(quantity), Number(row.get(unitPrice))],
	]);
	const others = Object.entries(storedValues(record(id))).filter(
		([key]) => key !== rowsKey && !left.includes(key),
	);
	return { ...Object.fromEntries(others), rows };
}

const whole = { bbcode: true, ignoreMask: true };

describe('a record that was read and is created', () => {
	it.each<[string, INodeParameters]>([
		['by names', {}],
		['by ids, typed, with ISO dates', { fieldKeys: 'id', typedValues: true, isoDates: true }],
	])('%s is a copy with rows of its own', async (_, options) => {
		const before = storedValues(record(15));
		const { id, hints } = await copy('admin', { ...whole, ...options });
		expect(commonValues(id, ownFields)).toEqual(commonValues(15, ownFields));
		expect(storedValues(record(15))).toEqual(before);
		const { [rowsKey]: rows, ...values } = Object(testbed.writes[0]?.body);
		expect(Object.keys(rows)).toEqual(['-1', '-2', '-3']);
		for (const fieldId of ownFields) expect(values).not.toHaveProperty(fieldId);
		expect(record(id).text(fields.orderNumber)).toBe('SO-00061');
		expect(record(id).text(fields.contract)).toBe('');
		expect(hints).toHaveLength(1);
		for (const name of [...ownNames, 'Amount']) expect(hints[0]?.message).toContain(`'${name}'`);
	});

	it('by a user who is told no types is one, too, without the fields to ignore', async () => {
		const left = [...ownFields, fields.internalMargin];
		const ignoreFields = ['Order Number', 'Total', 'Shipping Label'];
		const { id } = await copy('member', { bbcode: true }, { ignoreFields });
		expect(commonValues(id, left)).toEqual(commonValues(15, left));
		expect(record(id).text(fields.orderNumber)).toBe('SO-00061');
	});
});
