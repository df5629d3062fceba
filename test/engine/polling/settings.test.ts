import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, type SeenRequest } from '../../service';
import { sheet } from '../recordTestbed';
import { CredentialStore } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

/** Changes the remark of the records one minute later. */
function changeRemark(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

function rename(fieldId: string, name: string): void {
	for (const field of polling.service.data.sheet(orders).fields) {
		if (field.id === fieldId) field.name = name;
	}
}

describe('filters', () => {
	it('filters exclude records that do not match, together with the date', async () => {
		// The result of an expression may differ in each poll.
		const value = '={{ "changed " + (7 + 0 * Date.now()) }}';
		const filters = { conditions: [{ field: fields.remark, operator: 'like', value }] };
		const poller = await polling.begun({ filters });
		changeRemark(5, 7);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
		const [request] = polling.requests;
		const where = request?.query.filter(([name]) => name === 'where').map(([, value]) => value);
		expect(where).toEqual(['109,gte,2023/02/02 00:00:00', `${fields.remark},like,changed 7`]);
		expect(poller.printed.join('\n')).not.toContain('The node starts again');
	});

	it.each([
		{
			what: 'on the Last Update Date',
			field: '109',
			operator: 'gte',
			value: '2026/01/01',
			says: 'condition on the Last Update Date',
		},
		{
			what: 'with an unknown field',
			field: 'Remarkk',
			operator: 'eq',
			value: 'x',
			says: /Remarkk.*Remark/,
		},
	])(
		'invalid filters are reported on activation: $what',
		async ({ field, operator, value, says }) => {
			const filters = { conditions: [{ field, operator, value }] };
			const poller = await polling.activate({ filters });
			await expect(poller.poll()).rejects.toThrow(says);
			expect(poller.staticData).toEqual({});
		},
	);
});

describe('watchFields', () => {
	it.each(['name', 'id'])(
		'watched fields suppress updates of other fields, with keys by %s',
		async (fieldKeys) => {
			const poller = await polling.begun({ watchFields: [fields.status], options: { fieldKeys } });
			polling.passMinutes(2);
			expect(await poller.poll()).toEqual([]);
			expect(polling.requests).toHaveLength(1);
			changeRemark(5, 6);
			expect(await poller.poll()).toEqual([]);
			polling.people.edit(orders, 6, { [fields.status]: 'Shipped at last' });
			polling.passMinutes(1);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
			changeRemark(6);
			expect(await poller.poll()).toEqual([]);
		},
	);

	it.each([{ timeZone: 8 }, { timeZone: 0 }])(
		'a test run with watched fields returns an update, and items have the previous values: UTC Offset $timeZone',
		async ({ timeZone }) => {
			const poller = await polling.begun({
				watchFields: [fields.remark, 'Delivery Time'],
				options: { onlyFields: 'Status', timeZone },
			});
			const [test] = await poller.test();
			const changedFields = ['Remark', 'Delivery Time'];
			expect(test).toMatchObject({ event: 'UPDATE', changedFields });
			expect(test?.previous).toEqual({});
			changeRemark(5);
			expect(await poller.poll()).toMatchObject([
				{ changedFields: ['Remark'], previous: { Remark: expect.stringContaining('Thank') } },
			]);
			const { deliveryTime } = fields;
			polling.people.edit(orders, 5, { [deliveryTime]: '2026/02/01 10:00:00' });
			polling.people.edit(orders, 5, { [fields.remark]: 'x' });
			polling.passMinutes(1);
			const [item] = await poller.poll();
			expect(item?.changedFields).toEqual(changedFields);
			// A previous time would be shifted by the account's time zone.
			expect(item?.previous).toEqual({ Remark: 'changed 5' });
		},
	);

	it.each([true, false])(
		'other changes of a record are no updates after the unmasking of a watched field was set to %j, and changes of the field are',
		async (ignoreMask) => {
			const { internalMargin } = fields;
			const read = (isUnmasked: boolean) => ({ options: { ignoreMask: isUnmasked } });
			const watching = { events: ['UPDATE'], watchFields: [internalMargin] };
			const credentials = polling.testbed.credentials('admin');
			const parameters = { ...watching, ...read(!ignoreMask) };
			const poller = await polling.begun(parameters, { credentials });
			poller.edit(read(ignoreMask));
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [internalMargin]: '' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		},
	);

	it.each([
		{ watchFields: [fields.internalMargin], expected: [] },
		{ watchFields: [], expected: ['UPDATE 5'] },
	])(
		'values that another user of the credential may not see are no updates: watched $watchFields',
		async ({ watchFields, expected }) => {
			const credentialStore = new CredentialStore();
			const credentials = polling.testbed.credentials('admin');
			const parameters = { events: ['UPDATE'], watchFields, options: { ignoreMask: true } };
			const poller = await polling.begun(parameters, { credentials, credentialStore });
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.internalMargin]: '55%' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
			const { id = '' } = credentialStore.firstOf('sheetRecordsApi') ?? {};
			const { apiKey } = polling.testbed.credentials('member').sheetRecordsApi;
			credentialStore.edit(id, 'sheetRecordsApi', { apiKey });
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
			expect(emittedChanges(await poller.poll())).toEqual(expected);
		},
	);

	it('a watched field may be a subtable, with or without rows', async () => {
		polling.service.data.record(orders, 5).subtables.clear();
		const poller = await polling.begun({ watchFields: [`_subtable_${lines.id}`] });
		changeRemark(5, 6);
		expect(await poller.poll()).toEqual([]);
		polling.service.data.record(orders, 6).subtables.clear();
		changeRemark(5, 6);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('a watched subtable is unchanged if it is shown without rows, or with a count beside its rows', async () => {
		polling.service.switches.emptySubtables = 'leftOut';
		polling.service.data.record(orders, 5).subtables.clear();
		const poller = await polling.begun({ watchFields: [`_subtable_${lines.id}`] });
		Object.assign(polling.service.switches, { emptySubtables: 'shown', rowCount: 'shown' });
		changeRemark(5, 6);
		expect(await poller.poll()).toEqual([]);
	});

	it.each([
		['a field', fields.city, '{}'],
		['a field by name', 'City', '{"status":"ERROR","code":106,"msg":"No access right."}'],
		[
			'a subtable',
			`_subtable_${lines.id}`,
			'{"status":"ERROR","code":202,"msg":"Error executing"}',
		],
		['a subtable, by a web page', `_subtable_${lines.id}`, '<html><body>Maintenance</body></html>'],
	])(
		'%s: while no source lists fields, a poll fails, so that no unchanged record is an update and no change is lost',
		async (_, field, body) => {
			const poller = await polling.begun({ watchFields: [field] });
			changeRemark(3, 5);
			expect(await poller.poll()).toEqual([]);
			poller.startProcess();
			changeRemark(3);
			polling.people.edit(orders, 5, { [fields.city]: 'Lima' });
			polling.service.data.record(orders, 5).subtables.clear();
			const when = ({ query }: SeenRequest) =>
				query.some(([name, value]) => name === 'def' || (name === 'limit' && value === '20'));
			polling.service.faults.inject({ kind: 'body', body, when, times: Infinity });
			await expect(poller.poll()).rejects.toThrow('does not list the fields of the sheet now');
			polling.service.faults.clear();
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		},
	);

	it('a watched subtable is rejected if subtables are not read', async () => {
		const watchFields = [`_subtable_${lines.id}`];
		const poller = await polling.activate({ watchFields, options: { subtables: false } });
		await expect(poller.poll()).rejects.toThrow("not read with 'Subtables' off");
	});

	it.each([
		['Statu', 'name', /'Statu' in 'Watch Field Names or IDs' is not a field.*'Status'/],
		['1999999', 'name', '1999999'],
		[lines.fields.article, 'id', 'is not a field of the record itself'],
		[lines.id, 'name', 'is not a field of the record itself'],
		['_subtable_2999999', 'name', 'has no subtable 2999999'],
	])(
		'unknown watched fields are reported on activation: %s, with keys by %s',
		async (field, fieldKeys, says) => {
			const poller = await polling.activate({ watchFields: [field], options: { fieldKeys } });
			await expect(poller.poll()).rejects.toThrow(says);
			expect(poller.staticData).toEqual({});
		},
	);

	it.each(['admin', 'member'] as const)(
		'watched fields stay the same after they are renamed, for the key of %s',
		async (user) => {
			const credentials = polling.testbed.credentials(user);
			const poller = await polling.begun({ watchFields: ['Status', 'Remark'] }, { credentials });
			rename(fields.status, 'State');
			changeRemark(5);
			expect(await poller.poll()).toMatchObject([
				{ recordId: 5, changedFields: ['Remark'], previous: { Remark: expect.any(String) } },
			]);
			polling.people.edit(orders, 5, { [fields.status]: 'Shipped at last' });
			polling.people.edit(orders, 6, { [fields.city]: 'Oslo' });
			polling.passMinutes(1);
			const items = await poller.poll();
			expect(items).toMatchObject([{ recordId: 5, changedFields: ['State'] }]);
			expect(items[0]?.previous).toEqual({ State: expect.any(String) });
		},
	);

	it.each([{}, { onlyFields: 'Remark' }])(
		'a renamed watched field still suppresses updates of other fields: %j',
		async (options) => {
			const poller = await polling.begun({ watchFields: ['Status'], options });
			polling.people.edit(orders, 4, { [fields.status]: 'Found' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4']);
			rename(fields.status, 'State');
			for (let polls = 0; polls < 3; polls++) {
				changeRemark(5);
				expect(await poller.poll()).toEqual([]);
			}
			polling.people.edit(orders, 5, { [fields.status]: 'Lost' });
			polling.passMinutes(1);
			expect(await poller.poll()).toMatchObject([{ recordId: 5, changedFields: ['State'] }]);
		},
	);

	it.each(['admin', 'member'] as const)(
		'a watched field stays the same if a new field gets its name, for the key of %s',
		async (user) => {
			const credentials = polling.testbed.credentials(user);
			const poller = await polling.begun({ watchFields: ['Reference'] }, { credentials });
			rename(fields.reference, 'Old Reference');
			const added = { id: '1000201', name: 'Reference', type: 'text' } as const;
			polling.service.data.sheet(orders).fields.push(added);
			changeRemark(5);
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.reference]: 'Lost' });
			expect(await poller.poll()).toMatchObject([
				{ recordId: 5, changedFields: ['Old Reference'] },
			]);
		},
	);

	it('watched names are those of the moment of the activation, although the process knows others', async () => {
		await polling.begun({ watchFields: ['Remark'] });
		rename(fields.remark, 'Reference');
		rename(fields.reference, 'Remark');
		const poller = await polling.begun({ watchFields: ['Remark'] });
		changeRemark(5);
		polling.people.edit(orders, 6, { [fields.reference]: 'changed' });
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
		poller.forgetProcess();
	});

	describe.each(['admin', 'member'] as const)('after two fields swapped names, as %s', (user) => {
		const ids = [5, 6, 7, 8];

		beforeEach(() => {
			for (const id of ids) {
				const values = { [fields.remark]: 'in Remark', [fields.reference]: 'in Reference' };
				polling.people.edit(orders, id, values);
			}
		});

		/** Returns a node whose last poll emitted a change with the names of before. */
		async function begunBefore(parameters: INodeParameters) {
			const credentials = polling.testbed.credentials(user);
			const poller = await polling.begun(parameters, { credentials });
			changeRemark(9);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 9']);
			rename(fields.remark, 'Reference');
			rename(fields.reference, 'Remark');
			return poller;
		}

		it('watched fields stay the same', async () => {
			const poller = await begunBefore({ watchFields: ['Remark'] });
			changeRemark(5);
			polling.people.edit(orders, 6, { [fields.city]: 'Oslo' });
			const [item, ...others] = await poller.poll();
			expect([item, others]).toMatchObject([
				{ recordId: 5, changedFields: ['Reference'], previous: { Reference: 'in Remark' } },
				[],
			]);
			changeRemark(7);
			polling.people.edit(orders, 8, { [fields.city]: 'Oslo' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
			poller.forgetProcess();
		});

		it('conditions that the node evaluates compare the same field', async () => {
			const condition = { field: fields.remark, operator: 'ne', value: 'in Reference' };
			const poller = await begunBefore({ filters: { conditions: [condition] } });
			changeRemark(5);
			polling.people.edit(orders, 6, { [fields.remark]: 'in Reference' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
			poller.forgetProcess();
		});
	});

	it('a service that returns the fields in another order each time is polled', async () => {
		const poller = await polling.begun({ watchFields: ['Remark'] });
		const { fields: all } = polling.service.data.sheet(orders);
		polling.service.beforeRequest(() => all.push(...all.splice(0, 1)));
		for (const id of [5, 6, 7]) {
			changeRemark(id);
			expect(emittedChanges(await poller.poll())).toEqual([`UPDATE ${id}`]);
		}
		poller.forgetProcess();
	});

	it('watched fields that are deleted from the sheet are named in a warning, and the remaining ones still count', async () => {
		const poller = await polling.begun({ watchFields: ['Status', 'Remark'] });
		const sheet = polling.service.data.sheet(orders);
		sheet.fields.splice(
			sheet.fields.findIndex(({ id }) => id === fields.status),
			1,
		);
		polling.people.edit(orders, 6, { [fields.city]: 'Oslo' });
		changeRemark(5);
		const items = await poller.poll();
		expect(items).toMatchObject([{ recordId: 5, changedFields: ['Remark'] }]);
		expect(items[0]?._warning).toContain(fields.status);
	});
});

describe('the settings of the polling trigger', () => {
	it('determine the content of the items', async () => {
		const options = { fieldKeys: 'id', onlyFields: `${fields.remark}`, isoDates: true };
		const poller = await polling.begun({ options });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toEqual({
			_recordId: 5,
			_title: expect.any(String),
			_starred: expect.any(Boolean),
			[fields.remark]: 'changed 5',
			_create_date: expect.stringContaining('T'),
			_create_user: expect.any(String),
			_update_date: '2026-01-31T09:31:00',
			_update_user: expect.any(String),
		});
		expect(polling.requests[0]?.rawUrl).toContain('subtables=0');
	});

	it.each([
		{ filters: { conditions: [{ field: fields.remark, operator: 'ne', value: 'x' }] } },
		{ options: { onlyFields: `${fields.remark}` } },
	])(
		'find their fields soon after the user has got the permission back: %j',
		async (parameters) => {
			const poller = await polling.begun(parameters);
			poller.startProcess();
			const ordersSheet = polling.service.data.sheet(orders);
			const { rights } = ordersSheet;
			ordersSheet.rights = {};
			changeRemark(5);
			await expect(poller.poll()).rejects.toThrow('no permission');
			ordersSheet.rights = rights;
			await poller.poll().catch(() => undefined);
			changeRemark(6);
			expect(emittedChanges(await poller.poll())).toContain('UPDATE 6');
		},
	);

	it('do not fail a poll after a field of Only Fields, given by its ID, was renamed', async () => {
		const poller = await polling.begun({ options: { onlyFields: `${fields.remark}` } });
		rename(fields.remark, 'Comment');
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toMatchObject({ _recordId: 5, Comment: 'changed 5' });
	});

	it.each([
		{ timeZone: 8, time: '2026/01/31 17:31:00' },
		{ timeZone: 0, time: '2026/01/31 09:31:00' },
	])('UTC Offset $timeZone shifts only the times of the output', async ({ timeZone, time }) => {
		const poller = await polling.begun({ options: { timeZone } });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toMatchObject({ _update_date: time, _timeZone: timeZone });
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		polling.service.requests.forget();
		expect(await poller.poll()).toEqual([]);
		expect(polling.requests[0]?.rawUrl).toContain('where=109,gte,2026%2F01%2F31%2009%3A27%3A00');
	});

	it('return records as the service sends them if Simplify is off', async () => {
		const poller = await polling.begun({ simplify: false });
		changeRemark(5);
		const [item] = await poller.poll();
		expect(item?.record).toMatchObject({ _index_title_: 'SO-00005', Remark: 'changed 5' });
	});

	it.each([
		{ what: 'events', changed: { events: ['UPDATE', 'DELETE'] } },
		{ what: 'names of fields', changed: { options: { fieldKeys: 'id' } } },
		{ what: 'subtables', changed: { options: { subtables: false } } },
		{ what: 'output', changed: { options: { output: 'record' }, simplify: false } },
	])('keep the cursor when $what change', async ({ changed }) => {
		const poller = await polling.begun();
		changeRemark(5);
		await poller.poll();
		changeRemark(6);
		poller.edit(changed);
		expect(await poller.poll()).toHaveLength(1);
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).not.toContain('The node starts again');
	});

	it.each([
		{ before: [fields.remark], after: [fields.remark, fields.city] },
		{ before: [], after: [fields.city] },
		{ before: [fields.city, fields.remark], after: [fields.remark] },
		{ before: [fields.remark, fields.city], after: [fields.city, fields.remark] },
	])(
		'watched fields that change from $before to $after start with the present values',
		async ({ before, after }) => {
			polling.people.edit(orders, 5, { [fields.remark]: 'long '.repeat(30) });
			const poller = await polling.begun({ watchFields: before });
			poller.edit({ watchFields: [] });
			await poller.poll();
			poller.edit({ watchFields: before });
			await poller.poll();
			poller.edit({ watchFields: after });
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			for (const id of [5, 6])
				polling.people.edit(orders, id, { [fields.deliveryTime]: `2026/02/0${id} 10:00:00` });
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(1);
			polling.people.edit(orders, 6, { [after[0] ?? '']: 'Lost' });
			const [item] = await poller.poll();
			expect(item?.changedFields).toHaveLength(1);
			expect(Object.keys(Object(item?.previous))).toEqual(item?.changedFields);
		},
	);

	it('store nothing for deletions that are not selected', async () => {
		const poller = await polling.begun();
		changeRemark(5, 6, 7);
		await poller.poll();
		expect(JSON.stringify(poller.staticData)).toContain('\\"known\\":\\"\\"');
	});

	it('another order of the events does not start the polling again', async () => {
		const poller = await polling.begun({ events: ['CREATE', 'UPDATE'] });
		changeRemark(5);
		poller.edit({ events: ['UPDATE', 'CREATE'] });
		expect(await poller.poll()).toMatchObject([{ recordId: 5 }]);
		expect(poller.printed.join('\n')).not.toContain('The node starts again');
	});

	it('start the polling again after a change of the sheet, and a warning says so', async () => {
		const poller = await polling.begun();
		changeRemark(5);
		poller.edit({ sheet: sheet(customers) });
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('The node starts again');
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		polling.people.edit(customers, 5, { [customers.fields.city]: 'Oslo' });
		polling.people.edit(orders, 6, { [fields.remark]: '' });
		const [item] = await poller.poll();
		expect(item?._warning).toContain('The node starts again');
	});
});
