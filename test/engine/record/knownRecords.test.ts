import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type Fault, type IdentityName, type SeenRequest } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, withFiles } from './recordValues';
import { onLines, rowAsJson } from '../subtableRow/rowTestbed';

/** Records that this process has written, while the service's filters do not find them yet. */
const testbed = useRecordTestbed({ demoRecords: 40 });
const { reference, remark, customerNumber } = orders.fields;
const { lines } = orders.subtables;

const item = { [reference]: 'KEY', [customerNumber]: 'C-0001' };
const upsert = { ...onOrders('upsert'), ...autoMapped([reference]) };

async function outcomesOf(
	items: IDataObject[],
	{ as = 'member', ...parameters }: INodeParameters & { as?: IdentityName } = {},
) {
	const result = await testbed.runAllById({ ...upsert, ...parameters }, items, testbed.as(as));
	const errors = result.errorItems.map(({ json }) => String(json.error));
	return [...result.outcomes, ...errors];
}

/** Returns the IDs of the records with the key. */
const idsOfKey = () =>
	[...testbed.orders.records.values()]
		.filter((record) => record.text(reference) === 'KEY')
		.map(({ id }) => id);

beforeEach(async () => {
	testbed.service.switches.filterLagMilliseconds = 60_000;
	expect(await outcomesOf([item])).toEqual(['41 created #0']);
});

/** Answers the matching requests with an error. Nothing is done. */
function refuse(when: Fault['when'], fault: Partial<Fault>): void {
	testbed.inject({ kind: 'status', status: 200, when, ...fault });
}

const code = (number: number) => ({
	body: JSON.stringify({ status: 'ERROR', code: number, msg: 'No.' }),
});
const refusals: Record<string, Partial<Fault>> = {
	'code 404': code(404),
	'HTTP 404 without content': { status: 404, body: '' },
	'HTTP 404 with a web page': { status: 404, body: '<html><body>Not found</body></html>' },
	'code 202': code(202),
	'a broken connection': { kind: 'reset' },
};
const isWrite = ({ method, path }: SeenRequest) => method !== 'GET' && path.endsWith('/41');

const byId = (operation: string, parameters: INodeParameters): INodeParameters => ({
	...onOrder(operation, 41),
	...parameters,
});
const row = { subtableId: lines.id, rowId: '999' };
const changes: Record<string, INodeParameters> = {
	'an upsert': upsert,
	'an update': byId('update', asJson({ [remark]: 'new' })),
	'a deletion': byId('delete', {}),
	'a deletion by match': {
		...{ ...onOrders('delete'), deleteBy: 'match', matchFields: [reference] },
	},
	'a change of a row': {
		...{ ...onLines('update', row), ...onOrder('update', 41) },
		...{ resource: 'subtableRow', ...rowAsJson({ [lines.fields.quantity]: '2' }) },
	},
	'a new row': {
		...{ ...onLines('add', row), ...onOrder('add', 41) },
		...{ resource: 'subtableRow', ...rowAsJson({ [lines.fields.quantity]: '2' }) },
	},
	'a deletion of a row': {
		...{ ...onLines('delete', row), ...onOrder('delete', 41), resource: 'subtableRow' },
	},
	'a comment': { ...byId('add', { comment: 'Hello' }), resource: 'comment' },
	'a lock': { ...byId('lock', {}), resource: 'lock' },
	'an action button': { ...byId('run', { buttonId: '1' }), resource: 'actionButton' },
};

describe.each(Object.entries(changes))('after %s that fails', (_, change) => {
	it.each(Object.entries(refusals))(
		'the record is still known, so that the next upsert does not create it again: %s',
		async (__, fault) => {
			refuse(isWrite, { ...fault, times: Infinity });
			const failed = await testbed.runAllById(change, [item]);
			expect(failed.items).toEqual([]);
			testbed.service.faults.clear();
			expect(await outcomesOf([item])).toEqual(['41 updated #0']);
			expect(idsOfKey()).toEqual([41]);
		},
	);
});

it('a file that is refused does not make its record unknown', async () => {
	refuse(isWrite, code(404));
	const file = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain' };
	const upload = { ...byId('update', asJson({})), ...withFiles([orders.fields.contract, 'data']) };
	const failed = await testbed.runAllById(upload, [{ json: {}, binary: { data: file } }]);
	testbed.expectErrors(failed, 'There is no record 41');
	expect(await outcomesOf([item])).toEqual(['41 updated #0']);
});

it('an upsert that names a missing row fails, and neither it nor the next one creates a record', async () => {
	const body = JSON.stringify({ status: 'ERROR', code: 404, msg: 'No row 999.' });
	refuse(isWrite, { body });
	const withRow = { ...item, [`_subtable_${lines.id}`]: { 999: { [lines.fields.quantity]: '2' } } };
	const [failed] = await outcomesOf([withRow]);
	expect(failed).toMatch(/No row 999/);
	expect(await outcomesOf([item])).toEqual(['41 updated #0']);
	expect(idsOfKey()).toEqual([41]);
});

it('an upsert whose update was answered with 404 fails if the record cannot be read', async () => {
	refuse(isWrite, code(404));
	refuse(({ path, method }) => method === 'GET' && path.endsWith('/41'), code(106));
	const [failed] = await outcomesOf([item]);
	expect(failed).not.toMatch(/created|updated/);
	expect(idsOfKey()).toEqual([41]);
});

it('an upsert that matches rows fails if this user may not read the record, and creates none', async () => {
	refuse(({ path, method }) => method === 'GET' && path.endsWith('/41'), {
		...code(106),
		times: Infinity,
	});
	const withRows = { ...item, [`_subtable_${lines.id}`]: [{ [lines.fields.quantity]: '2' }] };
	const options = { rowsMode: 'replace' };
	const [failed] = await outcomesOf([withRows], { options });
	expect(failed).not.toMatch(/created|updated/);
	expect(idsOfKey()).toEqual([41]);
});

it('an upsert creates a record that a person deleted after the look-up', async () => {
	testbed.service.beforeRequest((request) => {
		if (isWrite(request) && testbed.orders.records.has(41)) {
			testbed.service.people.delete(orders, 41);
		}
	});
	expect(await outcomesOf([item, item])).toEqual(['42 created #0', '42 updated #1']);
});

describe('a record that another user may not see', () => {
	beforeEach(() => {
		const isOfOther = ({ identity, path }: SeenRequest) =>
			identity === 'admin' && path.endsWith('/41');
		const isRead = ({ method }: SeenRequest) => method === 'GET';
		refuse((request) => isOfOther(request) && isRead(request), { body: '{}', times: Infinity });
		refuse((request) => isOfOther(request), { ...code(404), times: Infinity });
	});

	it('is known to its own user after a failed update by the other', async () => {
		const failed = await testbed.runAllById(
			byId('update', asJson({ [remark]: 'x' })),
			[{}],
			testbed.as('admin'),
		);
		testbed.expectErrors(failed, 'There is no record 41');
		expect(await outcomesOf([item])).toEqual(['41 updated #0']);
	});

	it('is known to its own user after an upsert of the other, and the record of the other is not taken for it', async () => {
		expect(await outcomesOf([item], { as: 'admin' })).toEqual(['42 created #0']);
		const [outcome] = await outcomesOf([item]);
		expect(outcome).toMatch(/^2 records match/);
		expect(await outcomesOf([item], { as: 'admin' })).toEqual(['42 updated #0']);
	});

	it('is known to its own user although the service confirms a deletion by the other', async () => {
		testbed.service.faults.clear();
		const isOfOther = ({ identity, path }: SeenRequest) =>
			identity === 'admin' && path.endsWith('/41');
		refuse(isOfOther, { body: '{"status":"SUCCESS"}' });
		const { json } = await testbed.run(onOrder('delete', 41), [{}], testbed.as('admin'));
		expect(json).toEqual([{ deleted: true, _recordId: 41 }]);
		expect(await outcomesOf([item])).toEqual(['41 updated #0']);
	});
});

it('a match field that is masked for one user stays known to the other', async () => {
	const data = { [reference]: '****', [remark]: 'x' };
	refuse(isWrite, { body: JSON.stringify({ status: 'SUCCESS', svcId: 41, data }) });
	await testbed.runById(byId('update', asJson({ [remark]: 'x' })), [{}], testbed.as('admin'));
	expect(await outcomesOf([item])).toEqual(['41 updated #0']);
});
