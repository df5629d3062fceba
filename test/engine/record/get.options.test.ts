import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, onOrders, recordId, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { orderNumber } = orders.fields;

interface Wanted {
	id: number;
	flag?: string;
	value?: boolean | number;
}

/** Reads the orders of the items, with single reads or in a list. */
async function readOrders(
	operation: 'get' | 'getAll',
	items: Wanted[],
	options: INodeParameters,
	identity: 'admin' | 'member' = 'member',
) {
	const value = '={{ $json.id }}';
	const conditions = [{ field: orderNumber, operator: 'eqeq', value }];
	const which: INodeParameters =
		operation === 'get' ? { recordId: recordId(value) } : { limit: 1, filters: { conditions } };
	const result = await testbed.run(
		{ ...onOrders(operation), ...which, options },
		items.map((item) => ({ json: { ...item } })),
		testbed.as(identity),
	);
	expect(result.links).toEqual(items.map((_, item) => ({ item })));
	return result.json;
}

const oneItem = [{ id: 1 }];

const flagsSent = () =>
	testbed.reads.map(({ query }) =>
		query.filter(([, value]) => value === 'true').map(([name]) => name),
	);

describe.each(['get', 'getAll'] as const)('options of record %s', (operation) => {
	it.each([
		['2026-12-31', '2026-12-31'],
		[' 2024-01-01 ', '2024-01-01'],
		['', '2025-01-01'],
	])('the version %j is sent as %s', async (version, sent) => {
		await readOrders(operation, oneItem, { version });
		const versions = testbed.reads.map(({ query }) => query.filter(([name]) => name === 'version'));
		expect(versions).toEqual([[['version', sent]]]);
	});

	it('each option adds its own parameter only', async () => {
		const items = [
			...['info', 'comment', 'history'].map((flag) => ({ id: 1, flag })),
			...['approval', 'conversation'].map((flag) => ({ id: 2, flag })),
			...['bbcode', 'none'].map((flag) => ({ id: 40, flag })),
			...['ignoreMask', 'none'].map((flag) => ({ id: 1, flag })),
		];
		const flags = items.map(({ flag }) => flag).filter((flag) => flag !== 'none');
		const flagParameters = flags.map((flag) => [flag, `={{ $json.flag === '${flag}' }}`]);
		const options = Object.fromEntries(flagParameters);
		const read = await readOrders(operation, items, options, 'admin');
		expect(flagsSent()).toEqual(items.map(({ flag }) => (flag === 'none' ? [] : [flag])));
		const [info, comment, history, approval, conversation, markup, html, unmasked, masked] = read;
		expect(info).toMatchObject({
			_create_date: '2023/01/02 11:00:00',
			_create_user: 'ada.admin@acme.example',
			_update_date: '2023/02/02 00:00:00',
			_update_user: 'max.member@acme.example',
			_seq: 1,
		});
		expect(comment?._subtable_61).toMatchObject([
			{ _rowId: 1, '66': 'Is this urgent?', '73': '1675242000000' },
			{ _rowId: 2, '66': 'Yes, "very" 🙂', '73': '1675243800000' },
		]);
		expect(history?._history).toMatchObject([
			{ Type: 'Create' },
			{ Time: '2023/02/02 00:00:00', Type: 'Update', Detail: 'Status: Open → Confirmed' },
		]);
		expect(approval?._approval).toEqual({ status: 'Waiting', approver: 'ada.admin@acme.example' });
		expect(conversation?._conversation).toMatchObject([{ subject: 'Where is my order?' }]);
		expect([markup?.Description, html?.Description]).toEqual([
			'[b]Handle with care[/b]\nSee <label>',
			'<b>Handle with care</b><br>See &lt;label&gt;',
		]);
		expect([unmasked, masked].map((json) => json?.['Internal Margin'])).toEqual(['11%', '****']);
	});

	it('subtable rows are omitted on request', async () => {
		const [whole] = await readOrders(operation, oneItem, { subtables: true });
		const [without] = await readOrders(operation, oneItem, { subtables: false });
		expect(whole).toHaveProperty('_subtable_2000001');
		expect(without).not.toHaveProperty('_subtable_2000001');
		const sent = testbed.reads.map(({ query }) => Object.fromEntries(query).subtables);
		expect(sent).toEqual(['1', '0']);
	});

	it.each([0, 8, -3.5])(
		'times are returned with the UTC offset %s on request',
		async (timeZone) => {
			const options = { timeZone, isoDates: true, info: true };
			const [json] = await readOrders(operation, oneItem, options);
			expect(testbed.reads.map(({ query }) => Object.fromEntries(query).tz)).toEqual([
				String(timeZone),
			]);
			expect(json?._timeZone).toBe(timeZone);
			const offset = { '0': '+00:00', '8': '+08:00', '-3.5': '-03:30' }[String(timeZone)];
			expect(String(json?._update_date).slice(-6)).toBe(offset);
		},
	);

	it.each([0, 1, false, true])(
		'an expression for an additional parameter may return %j',
		async (value) => {
			const parameter = [{ name: 'flag', value: '={{ $json.value }}' }];
			const items = [{ id: 1, value }];
			await readOrders(operation, items, { additionalParameters: { parameter } });
			expect(testbed.readUrls[0]).toContain(`&flag=${value}`);
		},
	);

	it('additional parameters are sent with and without a value, encoded, and skipped without a name', async () => {
		const parameter = [
			{ name: 'fetchDomainIds', value: '1000001' },
			{ name: 'fetchDomainIds', value: '1000004' },
			{ name: 'flag', value: '' },
			{ name: 'a&b', value: 'c=d é' },
			{ name: '', value: 'lost' },
		];
		const [json] = await readOrders(operation, oneItem, { additionalParameters: { parameter } });
		const standardKeys = { _recordId: 1, _title: 'SO-00001', _starred: false };
		expect(json).toEqual({ ...standardKeys, 'Order Number': 'SO-00001', City: 'Lyon' });
		const sent = '&fetchDomainIds=1000001&fetchDomainIds=1000004&flag&a%26b=c%3Dd%20%C3%A9';
		expect(testbed.readUrls[0]).toContain(sent);
		expect(testbed.readUrls[0]).not.toContain('lost');
	});
});

it('Only Fields reports a field that was renamed a moment ago, and then finds it by its ID', async () => {
	const read = { ...onOrder('get', 5), options: { onlyFields: orders.fields.city } };
	await testbed.run(read);
	for (const field of testbed.orders.fields)
		if (field.id === orders.fields.city) field.name = 'Town';
	const { error } = await testbed.run(read);
	expect(error?.message).toContain("'City' was renamed a moment ago");
	// n8n tries a trigger again.
	expect(error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
	expect((await testbed.run(read)).items[0]?.json).toHaveProperty('Town');
});
