import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { asJson, autoMapped } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { activatePolling } from '../runner';
import { useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** Fields whose names are reserved keys of the nodes or the service. */
const trigger = useFreshTriggerTestbed();
const { testbed } = trigger;
const on = { sheet: sheet(orders) };
const reservedFieldId = '1000096';

function addField(name: string, value = 'mine'): void {
	trigger.service.data.sheet(orders).fields.push({ id: reservedFieldId, name, type: 'text' });
	trigger.service.data.record(orders, 5).set(reservedFieldId, value);
}

async function update(parameters: INodeParameters, json: IDataObject = {}) {
	const operation = { operation: 'update', recordId: recordId(5) };
	return await testbed.run({ ...on, ...operation, ...parameters }, [json]);
}

const values = { [orders.fields.remark]: 'changed' };
const edit = () => trigger.service.people.edit(orders, 5, values);

it('a field named _recordId is not taken for the record ID while names cannot be loaded', async () => {
	addField('_recordId', '42');
	const when = ({ rawUrl }: { rawUrl: string }) => /metadata|&def|limit=20$/.test(rawUrl);
	trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
	const listParameters = {
		operation: 'getAll',
		limit: 1,
		options: { where: `${reservedFieldId},eq,42` },
	};
	for (const read of [{ operation: 'get', recordId: recordId(5) }, listParameters]) {
		const { items } = await testbed.run({ ...on, ...read });
		expect(items[0]?.json).toMatchObject({ _recordId: 5, '_recordId (field)': '42' });
		expect(items[0]?.json._warning).toContain("'_recordId'");
	}
});

describe('a field with the name of a trigger key is part of the items', () => {
	it.each(['_event', '_verified'])('of the polling trigger: %s', async (name) => {
		addField(name);
		const parameters = { ...on, options: { output: 'record' } };
		const poller = await activatePolling({ parameters, credentials: testbed.credentials() });
		await poller.poll();
		edit();
		expect(await poller.poll()).toMatchObject([
			{ _event: 'UPDATE', _verified: true, [`${name} (${reservedFieldId})`]: 'mine' },
		]);
		poller.close();
	});
});

describe('a field whose name begins with _ is written', () => {
	const names = ['_internal', '_source', '_approval', '_update_note', '_index_number', '_event'];

	it.each(names)('when the item is mapped automatically: %s', async (name) => {
		addField(name);
		for (const key of [name, `${name} (${reservedFieldId})`]) {
			const { error, items, hints } = await update(autoMapped(), { Remark: 'r', [key]: 'new' });
			expect([error, items[0]?.json._warning, hints]).toEqual([undefined, undefined, []]);
		}
		expect(testbed.bodies).toMatchObject(Array(2).fill({ [reservedFieldId]: 'new' }));
	});

	it.each(['_source', '_update_note'])('when the JSON may contain other keys: %s', async (name) => {
		addField(name);
		const json = asJson({ Remark: 'r', [name]: 'new' });
		await update({ ...json, options: { unknownFields: 'ignore' } });
		expect(testbed.writes[0]?.body).toMatchObject({ [reservedFieldId]: 'new' });
	});

	it('but not a key that a read has added', async () => {
		addField('_event');
		const read = {
			_recordId: 5,
			Remark: 'r',
			_event: 'UPDATE',
			[`_event (${reservedFieldId})`]: 'new',
		};
		await update(autoMapped(), read);
		expect(testbed.writes[0]?.body).toMatchObject({ [reservedFieldId]: 'new' });
	});
});

describe('a field whose name begins with _ is found by that name', () => {
	beforeEach(() => addField('_internal'));

	it.each([
		['name', '_internal'],
		['id', reservedFieldId],
	])('in Only Fields, with items by %s', async (fieldKeys, key) => {
		const options = { onlyFields: ['_internal'], fieldKeys };
		const read = { operation: 'get', recordId: recordId(5), options };
		const { items } = await testbed.run({ ...on, ...read });
		expect(items[0]?.json).toMatchObject({ _recordId: 5, [key]: 'mine' });
	});

	it('and left out by Only Fields without it, also in rows', async () => {
		const [lines] = trigger.service.data.sheet(orders).subtables;
		lines?.fields.push({ id: '3000097', name: '_internal', type: 'text' });
		const [row] = trigger.service.data.record(orders, 5).rows('2000001').values();
		row?.set('3000097', 'mine');
		const read = { operation: 'get', recordId: recordId(5), options: { onlyFields: ['Article'] } };
		const { items } = await testbed.run({ ...on, ...read });
		const _subtable_2000001 = [{ _rowId: expect.any(Number), Article: 'Office chair' }];
		const added = { _recordId: 5, _title: 'SO-00005', _starred: false };
		expect(items.map(({ json }) => json)).toEqual([{ ...added, _subtable_2000001 }]);
	});

	it.each(['name', 'id'])(
		'in the watched fields of the polling trigger, with items by %s',
		async (fieldKeys) => {
			const parameters = { ...on, watchFields: ['_internal'], options: { fieldKeys } };
			const poller = await activatePolling({ parameters, credentials: testbed.credentials() });
			await poller.poll();
			trigger.service.people.edit(orders, 5, { [reservedFieldId]: 'theirs' });
			const key = fieldKeys === 'id' ? reservedFieldId : '_internal';
			expect(await poller.poll()).toMatchObject([{ event: 'UPDATE', changedFields: [key] }]);
			poller.close();
		},
	);

	it('in the watched fields of the webhook trigger', async () => {
		const listener = await trigger.listen({ watchFields: ['_internal'] });
		for (const text of ['mine', 'theirs']) {
			await listener.post(
				trigger.service.webhooks.signedBody([{ _svcId: 5, [reservedFieldId]: text }], {
					...{ apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' },
				}),
			);
		}
		const [, changed] = await listener.items();
		expect(changed).toMatchObject({
			changedFields: [reservedFieldId],
			previous: { [reservedFieldId]: 'mine' },
		});
	});
});

it('a misspelled name of a field that begins with _ is an error in Fields to Ignore', async () => {
	addField('_internal');
	const options = { ignoreFields: ['_internall'] };
	const { status } = await update({ ...autoMapped(), options }, { Remark: 'r', _internal: 'new' });
	expect([status, testbed.writes]).toEqual(['error', []]);
});

it('rows of an unknown subtable are an error, even if unknown fields are ignored', async () => {
	const json = asJson({ Remark: 'x', _subtable_999: [{ Article: 'Chair' }] });
	const { status } = await update({ ...json, options: { unknownFields: 'ignore' } });
	expect([status, testbed.writes]).toEqual(['error', []]);
});
