import { customers, orders, recipes, tasks } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId(7) };

describe('the request', () => {
	it('reads one record and always says naming and version', async () => {
		const result = await testbed.run(getOrder);
		expect(result.items).toHaveLength(1);
		expect(
			testbed.service.requests.all().map(({ method, rawUrl }) => `${method} ${rawUrl}`),
		).toEqual(['GET /acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01']);
	});

	it('names the version that the user chose', async () => {
		await testbed.run({ ...getOrder, options: { version: '2026-07-01' } });
		expect(testbed.reads[0]?.query).toContainEqual(['version', '2026-07-01']);
		expect(testbed.reads[0]?.query.filter(([name]) => name === 'version')).toHaveLength(1);
	});

	it('encodes folders whose names need it, and finds record 0', async () => {
		const result = await testbed.run({
			operation: 'get',
			sheet: sheet(recipes),
			recordId: recordId(0),
		});
		expect(result.items[0]?.json).toMatchObject({ _recordId: 0, Titel: 'Gazpacho' });
		expect(testbed.reads.map(({ path }) => path)).toEqual([
			'/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/0',
		]);
	});
});

describe('the simplified record', () => {
	it('has id, title and star, then the fields by name, then rows as arrays', async () => {
		const order = testbed.service.data.record(orders, 20);
		const { items } = await testbed.run({ ...getOrder, recordId: recordId(20) });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		const json = items[0]?.json ?? {};
		expect(json).toMatchObject({
			_recordId: 20,
			_title: 'SO-00020',
			_starred: true,
			'Order Number': 'SO-00020',
			'Customer Name': order.text(fields.customerName),
			Reference: 'REF-20',
			Tags: order.value(fields.tags),
			_subtable_2000001: [],
		});
		expect(Object.keys(json).filter((key) => key.startsWith('_'))).toEqual([
			'_recordId',
			'_title',
			'_starred',
			'_subtable_2000001',
		]);
	});

	it('gives unnamed and repeated fields the names that the service gives them', async () => {
		const order = testbed.service.data.record(orders, 9);
		order.set(fields.unnamed, 'without a name');
		const { items } = await testbed.run({ ...getOrder, recordId: recordId(9) });
		expect(items[0]?.json).toMatchObject({
			Note: order.text(fields.note),
			Note2: 'Shelf 4',
			'1': 'without a name',
		});
	});

	it('keeps the order in which the service sends subtable rows', async () => {
		const rows = testbed.service.data.record(orders, 7).rows(subtables.lines.id);
		const sent = [...rows.keys()];
		expect(sent).not.toEqual([...sent].sort((left, right) => left - right));

		const { items } = await testbed.run(getOrder);
		expect(items[0]?.json._subtable_2000001).toEqual(
			[...rows].map(([rowId, row]) => ({
				_rowId: rowId,
				Article: row.get(subtables.lines.fields.article),
				Quantity: row.get(subtables.lines.fields.quantity),
				'Unit Price': row.get(subtables.lines.fields.unitPrice),
				Amount: row.get(subtables.lines.fields.amount),
			})),
		);
	});

	it('is keyed by field id on request, rows included', async () => {
		const { items } = await testbed.run({ ...getOrder, options: { fieldKeys: 'id' } });
		expect(items[0]?.json).toMatchObject({
			_recordId: 7,
			[fields.orderNumber]: 'SO-00007',
			[fields.reference]: 'REF-7',
		});
		const [row] = [items[0]?.json._subtable_2000001].flat();
		expect(row).toMatchObject({ _rowId: 12, [subtables.lines.fields.article]: 'Tea, green' });
		expect(testbed.reads[0]?.query).toContainEqual(['naming', 'EID']);
	});

	it('keeps every digit of a number that JavaScript would round', async () => {
		testbed.service.switches.numbersAsText = false;
		const long = '12345678901234567010';
		expect(testbed.service.data.record(customers, 10).text(customers.fields.creditLimit)).toBe(
			long,
		);
		const limitOf = async (id: number) => {
			const parameters = { operation: 'get', sheet: sheet(customers), recordId: recordId(id) };
			return (await testbed.run(parameters)).items[0]?.json['Credit Limit'];
		};
		expect(await limitOf(10)).toBe(long);
		expect(await limitOf(11)).toBe(2750.5);
	});

	it('leaves out what the service keeps for itself', async () => {
		testbed.service.switches.extraReservedKeys = true;
		const { items } = await testbed.run(getOrder);
		const keys = Object.keys(items[0]?.json ?? {});
		expect(keys).toContain('Order Number');
		expect(keys.filter((key) => /^_(index|svcId|star$|dataTimestamp)/.test(key))).toEqual([]);
	});

	it('reads the spellings of the deployed service', async () => {
		testbed.service.switches.dialect = 'ragic';
		const { items } = await testbed.run(getOrder);
		expect(items[0]?.json).toMatchObject({ _recordId: 7, _title: 'SO-00007' });
		expect(items[0]?.json).not.toHaveProperty('_ragicId');
	});
});

describe('the record as it was sent', () => {
	it('is neither flattened nor renamed', async () => {
		const { items } = await testbed.run({ ...getOrder, simplify: false });
		const json = items[0]?.json ?? {};
		expect(json).toMatchObject({
			_svcId: 7,
			_star: false,
			_index_title_: 'SO-00007',
			'Order Number': 'SO-00007',
			_subtable_2000001: { '12': { _svcId: 12, Article: 'Tea, green' } },
		});
		expect(Object.keys(json).filter((key) => /^_(recordId|title|starred)$/.test(key))).toEqual([]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
	});

	it('keeps the reserved keys and the spelling of the service', async () => {
		testbed.service.switches.extraReservedKeys = true;
		testbed.service.switches.dialect = 'ragic';
		const { items } = await testbed.run({ ...getOrder, simplify: false });
		const { at } = testbed.service.data.record(orders, 7).updated;
		expect(items[0]?.json).toMatchObject({ _ragicId: 7, _index_: '', _dataTimestamp: at });
	});
});

describe('many items', () => {
	it('reads a record for each item, each on its own sheet, and links them', async () => {
		const result = await testbed.run(
			{
				operation: 'get',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				recordId: recordId('={{ $json.id }}'),
			},
			[
				{ sheet: 'archive/2024/tasks/7', id: 3 },
				{ sheet: '/sales/customers/2/', id: '5' },
				{ sheet: 'sales/orders/1', id: 4 },
			],
		);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json._title, pairedItem]),
		).toEqual([
			[3, testbed.service.data.record(tasks, 3).text(tasks.fields.title), { item: 0 }],
			[5, testbed.service.data.record(customers, 5).text(customers.fields.name), { item: 1 }],
			// The fourth and the eighth order have changed ids.
			[4, 'SO-00008', { item: 2 }],
		]);
		expect(testbed.reads.map(({ path }) => path)).toEqual([
			'/acme/archive/2024/tasks/7/3',
			'/acme/sales/customers/2/5',
			'/acme/sales/orders/1/4',
		]);
		expect(testbed.reads.every(({ inFlightAtStart }) => inFlightAtStart === 0)).toBe(true);
	});

	it('evaluates field keys, simplify and options for each item', async () => {
		const result = await testbed.run(
			{
				...getOrder,
				simplify: '={{ $json.simplify }}',
				options: { fieldKeys: '={{ $json.keys }}', info: '={{ $json.info }}' },
			},
			[
				{ keys: 'id', simplify: true, info: true },
				{ keys: 'name', simplify: false, info: false },
			],
		);
		expect(result.items[0]?.json).toMatchObject({ _recordId: 7, _seq: 7, 512: 'REF-7' });
		expect(result.items[1]?.json).toMatchObject({ _svcId: 7, Reference: 'REF-7' });
		expect(result.items[1]?.json).not.toHaveProperty('_seq');
	});
});

describe('addresses from the browser', () => {
	const byAddress = (value: string) => ({ __rl: true, mode: 'url', value });

	it('finds sheet and record by their addresses, whatever stands behind them', async () => {
		const address = `${testbed.service.baseUrl}/acme/sales/orders/1`;
		const result = await testbed.run({
			operation: 'get',
			sheet: byAddress(`${address}?PAGEID=abc&v=1#!/4`),
			recordId: byAddress(`${address}/7?PAGEID=abc`),
		});
		expect(result.items[0]?.json._recordId).toBe(7);
		expect(testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01',
		]);
	});

	it('takes the sheet from the address of one of its records', async () => {
		const address = `${testbed.service.baseUrl}/acme/sales/orders/1/12`;
		const result = await testbed.run({ ...getOrder, sheet: byAddress(address) });
		expect(result.items[0]?.json._recordId).toBe(7);
	});

	it('never leaves HTTPS for an address with http', async () => {
		const address = `${testbed.service.baseUrl}/acme/sales/orders/1`.replace('https:', 'http:');
		const result = await testbed.run({ ...getOrder, sheet: byAddress(address) });
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json._recordId).toBe(7);
		expect(testbed.reads.map(({ status }) => status)).toEqual([200]);
	});
});
