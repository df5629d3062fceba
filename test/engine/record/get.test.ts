import { customers, orders, recipes } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId(7) };
const readSeven = async (more = {}) => (await testbed.run({ ...getOrder, ...more })).items[0]?.json;

describe('the request', () => {
	it('reads one record and always says naming and version', async () => {
		const result = await testbed.run(getOrder);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(
			testbed.service.requests.all().map(({ method, rawUrl }) => `${method} ${rawUrl}`),
		).toEqual(['GET /acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01']);
	});

	it('names the version that the user chose', async () => {
		await testbed.run({ ...getOrder, options: { version: '2026-07-01' } });
		expect(testbed.reads[0]?.rawUrl).toMatch(/\?api&naming=FNAME&version=2026-07-01$/);
	});

	it('encodes folders whose names need it, and finds record 0', async () => {
		const json = await readSeven({ sheet: sheet(recipes), recordId: recordId(0) });
		expect(json).toMatchObject({ _recordId: 0, Titel: 'Gazpacho' });
		expect(testbed.reads[0]?.path).toBe('/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/0');
	});
});

describe('the simplified record', () => {
	it('has id, title and star, then the fields by name, then rows as arrays', async () => {
		const order = testbed.service.data.record(orders, 20);
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

	it('keeps the order in which the service sends subtable rows', async () => {
		const rows = testbed.service.data.record(orders, 7).rows(subtables.lines.id);
		const sent = [...rows.keys()];
		expect(sent).not.toEqual([...sent].sort((left, right) => left - right));
		const { article, quantity, unitPrice, amount } = subtables.lines.fields;
		expect((await readSeven())?._subtable_2000001).toEqual(
			[...rows].map(([rowId, row]) => ({
				_rowId: rowId,
				Article: row.get(article),
				Quantity: row.get(quantity),
				'Unit Price': row.get(unitPrice),
				Amount: row.get(amount),
			})),
		);
	});

	it('is keyed by field id on request, rows included', async () => {
		const json = await readSeven({ options: { fieldKeys: 'id' } });
		expect(json).toMatchObject({
			...{ _recordId: 7, [fields.orderNumber]: 'SO-00007', [fields.reference]: 'REF-7' },
		});
		const [row] = [json?._subtable_2000001].flat();
		expect(row).toMatchObject({ _rowId: 12, [subtables.lines.fields.article]: 'Tea, green' });
		expect(testbed.reads[0]?.query).toContainEqual(['naming', 'EID']);
	});

	it('keeps every digit of a number that JavaScript would round', async () => {
		testbed.service.switches.numbersAsText = false;
		const parameters = {
			...getOrder,
			sheet: sheet(customers),
			recordId: recordId('={{ $json.id }}'),
		};
		const { items } = await testbed.run(parameters, [{ id: 10 }, { id: 11 }]);
		expect(items.map(({ json }) => json['Credit Limit'])).toEqual(['12345678901234567010', 2750.5]);
	});

	it('leaves out what the service keeps for itself, and reads the spellings of the deployed one', async () => {
		Object.assign(testbed.service.switches, { extraReservedKeys: true, dialect: 'ragic' });
		const json = await readSeven();
		expect(json).toMatchObject({ _recordId: 7, _title: 'SO-00007', 'Order Number': 'SO-00007' });
		const kept = /^_(index|svcId|ragicId|star$|dataTimestamp)/;
		expect(Object.keys(json ?? {}).filter((key) => kept.test(key))).toEqual([]);
	});
});

describe('the record as it was sent', () => {
	it('is neither flattened nor renamed', async () => {
		const json = (await readSeven({ simplify: false })) ?? {};
		expect(json).toMatchObject({
			...{ _star: false, _index_title_: 'SO-00007', 'Order Number': 'SO-00007' },
			_subtable_2000001: { '12': { Article: 'Tea, green' } },
		});
		expect(Object.keys(json).filter((key) => /^_(recordId|title|starred)$/.test(key))).toEqual([]);
	});

	it('keeps the reserved keys and the spelling of the service', async () => {
		Object.assign(testbed.service.switches, { extraReservedKeys: true, dialect: 'ragic' });
		const { at } = testbed.service.data.record(orders, 7).updated;
		expect(await readSeven({ simplify: false })).toMatchObject({
			...{ _ragicId: 7, _index_: '', _dataTimestamp: at },
		});
	});
});

it('finds sheet and record by their addresses, whatever stands behind them', async () => {
	const address = `${testbed.service.baseUrl}/acme/sales/orders/1`;
	const byAddress = (value: string) => ({ __rl: true, mode: 'url', value });
	const items = [
		{ sheet: `${address}?PAGEID=abc&v=1#!/4`, record: `${address}/7?PAGEID=abc` },
		// The address of a record, too, is on its sheet; HTTPS is never left.
		{ sheet: `${address}/12`, record: '7' },
		{ sheet: address.replace('https:', 'http:'), record: '7' },
	];
	const addresses = {
		sheet: byAddress('={{ $json.sheet }}'),
		recordId: byAddress('={{ $json.record }}'),
	};
	const result = await testbed.run({ operation: 'get', ...addresses }, items);
	expect(result.items.map(({ json }) => json._recordId)).toEqual([7, 7, 7]);
	expect(testbed.reads.map(({ rawUrl, status }) => [rawUrl, status])).toEqual([
		['/acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01', 200],
	]);
});
