import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import type { InputItem } from '../runner';
import {
	assign,
	byConditions,
	byIds,
	byItems,
	itemsOf,
	mass,
	replace,
	taskItem,
} from './massParameters';

const testbed = useRecordTestbed();
const { fields, buttons } = orders;
const order = (id: number) => testbed.order(id);

interface OperationCase {
	name: string;
	type: string;
	parameters: INodeParameters;
	body: unknown;
	/** Returns whether the record shows the effect of the operation. */
	isDone: (record: ReturnType<typeof order>) => boolean;
}

const button = (value: string) => ({ buttonId: { __rl: true, mode: 'id', value } });

const late = ' Too "late" 🕰️\n';
const text = 'a, "b" 50%25';
const action = (field: string, overrides: object) => ({ field: Number(field), ...overrides });

const operations: OperationCase[] = [
	{
		...{ name: 'lock', type: 'massLock', parameters: mass('lock'), body: { action: 'lock' } },
		isDone: ({ locked }) => locked,
	},
	{
		...{ name: 'unlock', type: 'massLock', body: { action: 'unlock' } },
		parameters: mass('lock', { lockAction: 'unlock' }),
		isDone: ({ locked }) => !locked,
	},
	{
		...{ name: 'approve', type: 'massApproval', body: { action: 'approve' } },
		parameters: mass('approve'),
		isDone: ({ approval }) => approval?.status === 'Approved',
	},
	{
		...{ name: 'reject with a comment', type: 'massApproval' },
		parameters: mass('approve', { approvalAction: 'reject', comment: late }),
		body: { action: 'reject', comment: late },
		isDone: ({ approval }) => approval?.comment === late,
	},
	{
		...{ name: 'run an action button', type: 'massActionButton' },
		parameters: mass('runActionButton', button(buttons.cancel)),
		body: { buttonId: Number(buttons.cancel) },
		isDone: (record) => record.text(fields.status) === 'Cancelled',
	},
	{
		...{ name: 'update', type: 'massUpdate' },
		parameters: mass('update', assign([fields.remark, text], [fields.city, ''])),
		body: { action: [action(fields.remark, { value: text }), action(fields.city, { value: '' })] },
		isDone: (record) => record.text(fields.remark) === text && record.text(fields.city) === '',
	},
	{
		...{ name: 'search and replace', type: 'massSearchReplace' },
		parameters: mass('searchReplace', replace(fields.reference, 'find', 'found')),
		body: { action: [action(fields.reference, { valueReplaced: 'find', valueNew: 'found' })] },
		isDone: (record) => record.text(fields.reference) === 'found me',
	},
];

const selections: Array<[string, INodeParameters, string, InputItem[]]> = [
	[
		'conditions',
		byConditions([fields.note, 'eq', 'a, b']),
		`where=${fields.note},eq,a%2C%20b`,
		[{}],
	],
	['record IDs', byIds('10, 12'), 'recordId=10&recordId=12', [{}]],
	['input items', byItems(), 'recordId=10&recordId=12', itemsOf([10, 12])],
];

describe.each(operations)('$name', (operation) => {
	const { type, parameters, body, isDone } = operation;
	const place = operations.indexOf(operation);

	beforeEach(() => {
		for (const id of [10, 11, 12]) {
			const record = order(id).set(fields.reference, 'find me').set(fields.status, 'Open');
			record.locked = parameters.lockAction === 'unlock';
			record.set(fields.note, id === 11 ? 'c' : 'a, b');
		}
	});

	/** All operations share the code for selections, so only the first one tests all of them. */
	it.each(selections.filter((_, other) => place === 0 || other === place % 3))(
		'by %s',
		async (_, selection, query, items) => {
			const result = await testbed.run({ ...parameters, ...selection }, items);
			expect(result.error).toBeUndefined();
			expect(testbed.writeUrls).toEqual([
				`/acme/sales/orders/1/massOperation/${type}?api&${query}`,
			]);
			expect(testbed.writes[0]?.body).toEqual(body);
			expect(testbed.writes[0]?.headers['content-type']).toContain('application/json');
			expect([10, 11, 12].map((id) => isDone(order(id)))).toEqual([true, false, true]);
			const [task] = testbed.service.tasks.all;
			expect(result.items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
				[
					taskItem({
						...{ taskId: task?.id, status: 'COMPLETED', finished: true, succeeded: true },
						...{ total: 2, progress: 2 },
					}),
					items.length === 1 ? { item: 0 } : [{ item: 0 }, { item: 1 }],
				],
			]);
		},
	);
});

it('two values for one field are rejected before anything is changed', async () => {
	const assignments = assign(['Remark', 'a'], [fields.city, 'Oslo'], [fields.remark, 'b']);
	const result = await testbed.run(mass('update', { ...byIds('10'), ...assignments }));
	expect(result.error?.message).toBe(`'${fields.remark}' is set twice in 'Assignments'`);
	expect(testbed.writes).toEqual([]);
});

it.each([
	['no assignment', mass('update', byIds('10')), "'Assignments' is empty"],
	[
		'nothing to search for',
		mass('searchReplace', { ...byIds('10'), ...replace('512', '', 'x') }),
		'has no value',
	],
	[
		'a value that an expression does not find',
		mass('update', { ...byIds('10'), ...assign([fields.remark, '={{ $json.missing }}']) }),
		'has no value',
	],
	[
		'a replacement that an expression does not find',
		mass('searchReplace', { ...byIds('10'), ...replace('512', 'REF', '={{ $json.missing }}') }),
		'has no value',
	],
])('a mass operation is rejected before anything is sent: %s', async (_, parameters, message) => {
	const result = await testbed.run(parameters);
	expect(result.status).toBe('error');
	expect(testbed.service.requests.count).toBe(0);
	expect(JSON.stringify(result.error)).toContain(message);
});
