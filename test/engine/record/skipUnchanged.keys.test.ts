import type { IDataObject } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { numbers, onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { isLookUp } from './upserts';

const testbed = useRecordTestbed({ demoRecords: 40 });
const { remark, reference, description, internalMargin } = orders.fields;
const { lines } = orders.subtables;
const record = (id: number) => testbed.order(id);
const options = { skipUnchanged: true };
const upsert = { ...onOrders('upsert'), ...autoMapped([reference]), options };
const update = { ...onOrder('update'), ...asJson('={{ $json.record }}'), options };
const users: IdentityName[] = ['member', 'admin'];

beforeEach(() => {
	for (const id of numbers(4)) {
		record(id).set(reference, `KEY-${id}`).set(remark, 'same').set(internalMargin, '0.25');
		record(id).set(description, '[b]bold[/b]');
		record(id)
			.rows(lines.id)
			.set(100 + id, new Map([[lines.fields.article, 'Chair']]));
	}
});

/** Items for the four orders. The second and the fourth one differ. */
const itemsOf = (field: string, same: string) =>
	numbers(4).map((id) => ({ [reference]: `KEY-${id}`, [field]: id % 2 ? same : 'new' }));
const keysOf = (items: IDataObject[]) => items.map((json) => Object.keys(json).sort());

/** Expects the keys of each unchanged item to be those of the updated items, and its values to be those of a read. */
async function expectSameKeys(json: IDataObject[], user: IdentityName) {
	expect(json.map(({ _action }) => _action)).toEqual([
		'unchanged',
		'updated',
		'unchanged',
		'updated',
	]);
	const [first, ...rest] = keysOf(json);
	for (const keys of rest) expect(keys).toEqual(first);
	const read = await testbed.run(onOrder('get', 3), [{}], testbed.as(user));
	const byId = { ...onOrder('get', 3), options: { fieldKeys: 'id' } };
	const { json: records } = await testbed.run(byId, [{}], testbed.as(user));
	expect(read.error).toBeUndefined();
	expect(json[2]).toEqual({ ...records[0], _action: 'unchanged', _changed: [] });
}

describe.each(users)('with Skip Unchanged, as %s', (user) => {
	it('an unchanged item of an upsert has the keys of an updated one, with one look-up', async () => {
		const { json } = await testbed.runById(upsert, itemsOf(remark, 'same'), testbed.as(user));
		const lookUps = testbed.reads.filter(isLookUp).length;
		await expectSameKeys(json, user);
		// After the writes, the unchanged items are looked up once more.
		expect(lookUps).toBe(2);
	});

	it('an unchanged item of an update has the keys of an updated one', async () => {
		const items = itemsOf(remark, 'same').map((values, index) => ({
			id: index + 1,
			record: values,
		}));
		const { json } = await testbed.runById(update, items, testbed.as(user));
		await expectSameKeys(json, user);
	});

	it.each([upsert, update])(
		'rich text is compared as markup and returned as HTML',
		async (parameters) => {
			const items = itemsOf(description, '[b]bold[/b]').map((values, index) => ({
				...(parameters === update ? { id: index + 1, record: values } : values),
			}));
			const { json } = await testbed.runById(parameters, items, testbed.as(user));
			await expectSameKeys(json, user);
			expect(json[0]?.[description]).toBe('<b>bold</b>');
		},
	);
});

it('rich text costs one more look-up for all unchanged items together', async () => {
	const items = numbers(30).map((id) => {
		record(id).set(reference, `KEY-${id}`).set(description, '[b]bold[/b]');
		return { [reference]: `KEY-${id}`, [description]: '[b]bold[/b]' };
	});
	const { actions } = await testbed.runById(upsert, items, testbed.as('admin'));
	expect(new Set(actions)).toEqual(new Set(['unchanged']));
	expect(testbed.reads.filter(isLookUp)).toHaveLength(2);
});

it('rich text of updates by ID costs one more look-up for all unchanged items together', async () => {
	const ids = numbers(40);
	testbed.service.people.massChange(orders, ids, () => ({ [description]: '[b]bold[/b]' }));
	const items = ids.map((id) => {
		const isSame = id <= 14 || id > 26;
		return { id, record: { [description]: isSame ? '[b]bold[/b]' : 'new' } };
	});
	const { actions } = await testbed.runById(update, items, testbed.as('admin'));
	expect(actions.filter((action) => action === 'unchanged')).toHaveLength(28);
	const lists = testbed.readUrls.filter((url) => url.includes('/1?') && url.includes('limit='));
	const isReturned = (url: string) => !url.includes('ignoreMask') && url.includes('order=');
	expect(lists.filter(isReturned)).toHaveLength(1);
});

it('if the record cannot be read once more, an unchanged item has the fields of the input', async () => {
	testbed.inject({
		kind: 'status',
		status: 403,
		when: ({ rawUrl }) => !rawUrl.includes('bbcode') && /\/1\/1\?/.test(rawUrl),
	});
	const items = [{ id: 1, record: { [description]: '[b]bold[/b]' } }];
	const { json } = await testbed.runById(update, items, testbed.as('admin'));
	expect(json[0]).toMatchObject({ _action: 'unchanged', [description]: '[b]bold[/b]' });
	expect(json[0]).not.toHaveProperty(remark);
});
