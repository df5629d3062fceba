import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, recipes } from '../../service';
import { onOrder, recordId, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

const getOrder = onOrder('get', 7);
const readSeven = async (overrides = {}) =>
	(await testbed.run({ ...getOrder, ...overrides })).items[0]?.json;

describe('the request of a read', () => {
	it('a read fetches one record, and always sends naming and version', async () => {
		expect((await testbed.run(getOrder)).records).toEqual(['7 #0']);
		expect(testbed.readUrls).toEqual([
			'/acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01',
		]);
		expect(testbed.service.requests.count).toBe(1);
	});

	it('a read encodes folder names, and finds record 0', async () => {
		const json = await readSeven({ sheet: sheet(recipes), recordId: recordId(0) });
		expect(json).toMatchObject({ _recordId: 0, Titel: 'Gazpacho' });
		expect(testbed.reads[0]?.path).toBe('/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/0');
	});

	it('a pasted sheet and record may have invisible characters around them, which web pages add', async () => {
		const address = `\u200b${testbed.service.baseUrl}/acme/sales/orders/1\u200e`;
		const sheets = [
			{ mode: 'url', value: address },
			{ mode: 'path', value: '\u200bsales/orders/1' },
		];
		for (const place of sheets) {
			const pasted = { ...sheet(orders), ...place };
			expect(await readSeven({ sheet: pasted, recordId: recordId('7\u200b') })).toMatchObject({
				_recordId: 7,
			});
		}
	});
});

describe('the simplified record', () => {
	it('a simplified record has ID, title and star, then the fields by name, then rows as arrays', async () => {
		const order = testbed.order(20);
		const json = (await readSeven({ recordId: recordId(20) })) ?? {};
		expect(json).toMatchObject({
			...{ _recordId: 20, _title: 'SO-00020', _starred: true },
			'Order Number': 'SO-00020',
			'Customer Name': order.text(fields.customerName),
			Reference: 'REF-20',
			Tags: order.value(fields.tags),
		});
		const added = ['_recordId', '_title', '_starred'];
		expect(Object.keys(json).filter((key) => /^_(?!subtable)/.test(key))).toEqual(added);
	});

	it.each([true, false])('a simplified record has _starred: %s', async (isStarred) => {
		testbed.order(7).starred = isStarred;
		expect((await readSeven())?._starred).toBe(isStarred);
	});

	it('a simplified record keeps the order of subtable rows', async () => {
		const rows = testbed.order(7).rows(subtables.lines.id);
		const sent = [...rows.keys()];
		expect(sent).not.toEqual([...sent].sort((left, right) => left - right));
		const { article, quantity, unitPrice, amount } = subtables.lines.fields;
		const expected = [...rows].map(([_rowId, row]) => ({
			...{ _rowId, Article: row.get(article), Quantity: row.get(quantity) },
			...{ 'Unit Price': row.get(unitPrice), Amount: row.get(amount) },
		}));
		expect((await readSeven())?._subtable_2000001).toEqual(expected);
	});

	it('a simplified record is keyed by field IDs on request, with its rows', async () => {
		const json = await readSeven({ options: { fieldKeys: 'id' } });
		expect(json).toMatchObject({
			...{ _recordId: 7, [fields.orderNumber]: 'SO-00007', [fields.reference]: 'REF-7' },
		});
		const [row] = [json?._subtable_2000001].flat();
		expect(row).toMatchObject({ _rowId: 12, [subtables.lines.fields.article]: 'Tea, green' });
		expect(testbed.reads[0]?.query).toContainEqual(['naming', 'EID']);
	});

	it('a simplified record keeps every digit of a number that JavaScript would round', async () => {
		testbed.service.switches.numbersAsText = false;
		const parameters = { ...onOrder('get'), sheet: sheet(customers) };
		const { json } = await testbed.run(parameters, [{ id: 10 }, { id: 11 }]);
		const limits = json.map((record) => record['Credit Limit']);
		expect(limits).toEqual(['12345678901234567010', 2750.5]);
	});

	it('a simplified record omits internal keys of the service, in both spellings', async () => {
		Object.assign(testbed.service.switches, { extraReservedKeys: true, dialect: 'ragic' });
		const json = await readSeven();
		expect(json).toMatchObject({ _recordId: 7, _title: 'SO-00007', 'Order Number': 'SO-00007' });
		const kept = /^_(index|svcId|ragicId|star$|dataTimestamp)/;
		expect(Object.keys(json ?? {}).filter((key) => kept.test(key))).toEqual([]);
	});
});

describe('a raw record', () => {
	it('a raw record is neither flattened nor renamed', async () => {
		const json = (await readSeven({ simplify: false })) ?? {};
		expect(json).toMatchObject({
			...{ _star: false, _index_title_: 'SO-00007', 'Order Number': 'SO-00007' },
			_subtable_2000001: { '12': { Article: 'Tea, green' } },
		});
		expect(Object.keys(json).filter((key) => /^_(recordId|title|starred)$/.test(key))).toEqual([]);
	});

	it('a raw record keeps the reserved keys and the spelling of the service', async () => {
		Object.assign(testbed.service.switches, { extraReservedKeys: true, dialect: 'ragic' });
		const { at } = testbed.order(7).updated;
		expect(await readSeven({ simplify: false })).toMatchObject({
			...{ _ragicId: 7, _index_: '', _dataTimestamp: at },
		});
	});
});

it('sheet and record are found by their addresses, regardless of the text after them', async () => {
	const address = `${testbed.service.baseUrl}/acme/sales/orders/1`;
	const byAddress = (value: string) => ({ __rl: true, mode: 'url', value });
	const items = [
		{ sheet: `${address}?PAGEID=abc&v=1#!/4`, record: `${address}/7?PAGEID=abc` },
		// The address of a record also identifies its sheet. HTTP is changed to HTTPS.
		{ sheet: `${address}/12`, record: '7' },
		{ sheet: address.replace('https:', 'http:'), record: '7' },
	];
	const place = { sheet: byAddress('={{ $json.sheet }}') };
	const which = { recordId: byAddress('={{ $json.record }}') };
	const result = await testbed.run({ operation: 'get', ...place, ...which }, items);
	expect(result.ids).toEqual([7, 7, 7]);
	expect(testbed.reads.map(({ rawUrl, status }) => [rawUrl, status])).toEqual([
		['/acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01', 200],
	]);
});

const zonesSent = () => testbed.reads.map(({ query }) => Object.fromEntries(query).tz);

it('sheet and record are found in a generated workflow, whose locators lack the mark of n8n', async () => {
	const sheet = { mode: 'path', value: 'sales/orders/1' };
	const recordId = { mode: 'id', value: '={{ $json.id }}' };
	const result = await testbed.run({ operation: 'get', sheet, recordId }, [{ id: 18 }]);
	expect(result.ids).toEqual([18]);
});

describe('dates', () => {
	async function readOrder(options: INodeParameters) {
		const result = await testbed.run({ ...getOrder, recordId: recordId(1), options });
		expect(result.error).toBeUndefined();
		return result.json[0] ?? {};
	}

	it('dates are returned as the service writes them, or in the selected time zone', async () => {
		const day = { 'Order Date': '2023/01/01' };
		const [stored, visible] = [await readOrder({}), await readOrder({ timeZone: 8 })];
		expect(stored).toMatchObject({ ...day, 'Delivery Time': '2023/01/03 22:05:00' });
		expect(visible).toMatchObject({ ...day, 'Delivery Time': '2023/01/04 06:05:00' });
		expect(zonesSent()).toEqual([undefined, '8']);
	});

	it('dates are returned in ISO 8601 with the offset, in the raw record, too', async () => {
		const zones = [8, 0, -3.5, 5.75];
		const options = { isoDates: true, timeZone: '={{ $json.timeZone }}' };
		const { items } = await testbed.run(
			{ ...getOrder, recordId: recordId(1), simplify: '={{ $json.timeZone > 0 }}', options },
			zones.map((timeZone) => ({ timeZone })),
		);
		const times = items.map(({ json }) => String(json['Delivery Time']));
		expect(times).toEqual([
			'2023-01-04T06:05:00+08:00',
			'2023-01-03T22:05:00+00:00',
			'2023-01-03T18:35:00-03:30',
			'2023-01-04T03:50:00+05:45',
		]);
		// All times are the same moment, with different offsets.
		const moments = times.map((time) => Date.parse(time));
		expect(moments).toEqual(zones.map(() => Date.UTC(2023, 0, 3, 22, 5)));
		expect(items.map(({ json }) => json['Order Date'])).toEqual(zones.map(() => '2023-01-01'));
		expect(zonesSent()).toEqual(zones.map(String));
	});

	it('dates of the edit history stay in UTC', async () => {
		const { _history: history } = await readOrder({ isoDates: true, timeZone: 8, history: true });
		const times = [history].flat().map((entry) => Object(entry).Time);
		expect(times).toEqual(['2023-01-02T11:00:00+00:00', '2023-02-02T00:00:00+00:00']);
	});
});

const getById = onOrder('get');
const items = [{ id: 1 }, { id: 99_999 }, { id: 2 }];

/** Answers of the service for a missing record. */
describe.each(['empty', 'code404', 'http404'] as const)(
	'a record that is missing, with the answer %s',
	(form) => {
		beforeEach(() => (testbed.service.switches.missingRecord = form));

		it('a missing record is an error of its item', async () => {
			const { error } = await testbed.run(getById, items);
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: 'There is no record 99999 on this sheet',
				description: expect.stringMatching(/^Check the record ID and the sheet\. To continue/),
				context: { itemIndex: 1 },
			});
			expect(testbed.reads).toHaveLength(2);
		});

		it('a missing record returns no item on request, and the other items continue', async () => {
			const result = await testbed.run({ ...getById, options: { emptyResult: 'none' } }, items);
			expect(result.records).toEqual(['1 #0', '2 #2']);
			expect(testbed.reads).toHaveLength(3);
		});
	},
);

it('a missing record returns an empty item on request, linked to its input', async () => {
	const result = await testbed.run({ ...getById, options: { emptyResult: 'emptyItem' } }, items);
	expect(result.records).toEqual(['1 #0', '99999 #1', '2 #2']);
	expect(result.json[1]).toEqual({ _recordId: 99_999, _missing: true });
});

it('a missing sheet is not reported as a missing record', async () => {
	for (const errorTransport of ['status200', 'httpStatus'] as const) {
		testbed.service.switches.errorTransport = errorTransport;
		const options = { emptyResult: 'emptyItem' };
		const wrong = { ...getById, sheet: sheetAt('sales/order/1'), options };
		const { error } = await testbed.run(wrong, [{ id: 99_999 }]);
		expect(error?.message).toContain('Invalid path');
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	}
});
