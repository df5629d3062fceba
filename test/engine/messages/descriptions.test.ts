import type { INodeParameters } from 'n8n-workflow';
import { internalUsers, orders, type Fault } from '../../service';
import { assign, byIds, mass, quickly } from '../massOperation/massParameters';
import { asJson } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { onLines } from '../subtableRow/rowTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields, subtables } = orders;
const rows = `_subtable_${subtables.lines.id}`;
interface Case {
	error: string;
	/** Text of the error message. */
	message: string;
	parameters: INodeParameters;
	fault?: Fault;
}

/** Errors that had no description. */
const cases: Case[] = [
	{
		error: 'a name of two fields',
		message: "'Note' is the name of 2 fields",
		parameters: { ...onOrder('update', 5), ...asJson({ Note: 'x' }) },
	},
	{
		error: 'a row that is given twice',
		message: `'${rows}' holds the row 7 twice`,
		parameters: { ...onOrder('update', 5), ...asJson({ [rows]: [{ _rowId: 7 }, { _rowId: 7 }] }) },
	},
	{
		error: 'half of an emoji in a condition',
		message: 'half of a surrogate pair',
		parameters: {
			...onOrders('count'),
			filters: {
				conditions: [{ field: fields.remark, operator: 'eq', value: '={{ "\\ud83d" }}' }],
			},
		},
	},
	{
		error: 'a group that is no text',
		message: 'true is not the name of a group',
		parameters: mass(
			'update',
			{
				...byIds('1'),
				...assign([internalUsers.fields.groups, '={{ [true] }}']),
				options: { ...quickly, userSheet: 'internal' },
			},
			internalUsers,
		),
	},
	{
		error: 'a row that is still there after its deletion',
		message: 'Row 7 of',
		parameters: onLines('delete', { rowId: '7' }),
		fault: { kind: 'body', body: '{"status":"SUCCESS"}', when: ({ method }) => method === 'POST' },
	},
	{
		error: 'a list of action buttons that is none',
		message: 'something else than action buttons',
		parameters: { resource: 'actionButton', ...onOrders('getAll') },
		fault: { kind: 'body', body: '5' },
	},
	{
		error: 'redirects in a circle',
		message: 'sends this request on again and again',
		parameters: onOrder('get', 5),
		fault: { kind: 'redirect', location: '/', times: 99 },
	},
];

it.each(cases)('an error says what to do: $error', async ({ message, parameters, fault }) => {
	if (fault) testbed.inject(fault);
	const { error } = await testbed.run(parameters, [{ order: 5 }], testbed.as('admin'));
	expect(error?.message).toContain(message);
	expect(error?.description).toMatch(/^.{20,}\.$/s);
});
