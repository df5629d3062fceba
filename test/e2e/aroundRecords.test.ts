import { orders } from '../service';
import { chain, recordLocator, sheetRecords } from './chain';
import type { SavedCredential } from './editor';
import { example } from './example';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields, subtables, buttons } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

const order = (id: number) => testbed.service.data.record(orders, id);

it('the example runs: rows, a comment with a file, a lock that refuses, a button', async () => {
	const execution = await testbed.run(example('around'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	expect(execution.json('Add Lines')).toHaveLength(2);
	expect(execution.json('Change Although Locked', 1)).toEqual([
		expect.objectContaining({ error: expect.stringMatching(/locked/i) }),
	]);
	expect(execution.json('Mark as Shipped')).toEqual([
		expect.objectContaining({ message: expect.stringContaining('is on its way') }),
	]);
	const { locked, comments } = order(100);
	expect([locked, order(100).text(fields.status), comments.at(-1)?.text]).toEqual([
		false,
		'Shipped',
		expect.stringContaining('Contract checked ✔'),
	]);
});

it('rows of a subtable are changed, read and removed', async () => {
	const lines = (operation: string, more: object) => ({
		resource: 'subtableRow',
		operation,
		recordId: recordLocator(7),
		subtableId: subtables.lines.id,
		...more,
	});
	const [rowId] = [...order(7).rows(subtables.lines.id).keys()];
	const execution = await testbed.run(
		chain(
			'Rows',
			sheetRecords(
				'Change',
				credential,
				lines('update', { rowId: String(rowId), inputMode: 'json', rowJson: '{ "Quantity": 77 }' }),
			),
			sheetRecords('Read', credential, lines('getAll', {}), { executeOnce: true }),
			sheetRecords('Remove', credential, lines('delete', { rowId: String(rowId) }), {
				executeOnce: true,
			}),
		),
		credential,
	);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	expect(execution.json('Read')).toContainEqual(
		expect.objectContaining({ _rowId: rowId, Quantity: '77' }),
	);
	expect([...order(7).rows(subtables.lines.id).keys()]).not.toContain(rowId);
});

it('comments are read, and buttons listed and pressed', async () => {
	const execution = await testbed.run(
		chain(
			'Talk',
			sheetRecords('Comments', credential, {
				resource: 'comment',
				operation: 'getAll',
				recordId: recordLocator(1),
			}),
			sheetRecords(
				'Buttons',
				credential,
				{ resource: 'actionButton', operation: 'getAll' },
				{ executeOnce: true },
			),
			sheetRecords(
				'Cancel',
				credential,
				{
					resource: 'actionButton',
					operation: 'run',
					recordId: recordLocator(1),
					buttonId: { __rl: true, mode: 'id', value: buttons.cancel },
				},
				{ executeOnce: true },
			),
		),
		credential,
	);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	expect(execution.json('Comments')).toHaveLength(order(1).comments.length);
	expect(execution.json('Buttons').map(({ buttonId }) => String(buttonId))).toEqual(
		expect.arrayContaining(Object.values(buttons)),
	);
	expect(order(1).text(fields.status)).toBe('Cancelled');
});

it('the fields of a sheet come as items', async () => {
	const execution = await testbed.run(
		chain(
			'Fields',
			sheetRecords('Fields', credential, { resource: 'sheet', operation: 'getFields' }),
		),
		credential,
	);
	expect(execution.json('Fields')).toContainEqual(
		expect.objectContaining({ fieldId: fields.reference, name: 'Reference' }),
	);
});
