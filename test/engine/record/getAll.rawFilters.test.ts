import type { INodeParameters } from 'n8n-workflow';

import { orders, type SheetRecord } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

interface FindParameters extends INodeParameters {
	options?: INodeParameters;
}

async function find({ options, ...parameters }: FindParameters, items = [{}]) {
	const result = await testbed.run(
		{
			operation: 'getAll',
			sheet: sheet(orders),
			returnAll: true,
			options: { subtables: false, ...options },
			...parameters,
		},
		items,
	);
	return { result, ids: result.items.map(({ json }) => json._recordId) };
}

function ordersWhere(test: (record: SheetRecord) => boolean): number[] {
	const ids = [...testbed.service.data.sheet(orders).records.values()]
		.filter(test)
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(0);
	expect(ids.length).toBeLessThan(2500);
	return ids;
}

function whereOfList(): string[] {
	return (testbed.reads[0]?.rawUrl.split('&') ?? []).filter((part) => part.startsWith('where='));
}

describe('raw conditions', () => {
	it('are one to a line, combined as the service combines them', async () => {
		const where = '1000007,eq,Open\r\n\n  1000007,eq,Shipped\n1000009,gte,500\n';
		const { ids } = await find({ filterMode: 'raw', where });
		expect(ids).toEqual(
			ordersWhere(
				(record) =>
					['Open', 'Shipped'].includes(record.text(fields.status)) &&
					Number(record.text(fields.total)) >= 500,
			),
		);
		expect(whereOfList()).toEqual([
			'where=1000007,eq,Open',
			'where=1000007,eq,Shipped',
			'where=1000009,gte,500',
		]);
	});

	it('may hold commas and percent signs in the value', async () => {
		testbed.service.data.record(orders, 5).set(fields.remark, 'x,y %41');
		const { ids } = await find({ filterMode: 'raw', where: '1000011,eq,x,y %41' });
		expect(ids).toEqual([5]);
		expect(whereOfList()).toEqual(['where=1000011,eq,x%252Cy%2520%252541']);
	});

	it('ask for empty values when the value is empty', async () => {
		const { ids } = await find({ filterMode: 'raw', where: '1000012,eq,' });
		expect(ids).toEqual(ordersWhere((record) => record.text(fields.note) === ''));
	});

	it('may try operators that the node does not offer', async () => {
		const { result } = await find({ filterMode: 'raw', where: '1000009,range,1' });
		expect(whereOfList()).toEqual(['where=1000009,range,1']);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('range'),
			context: { itemIndex: 0 },
		});
	});

	it('are none when the text is empty', async () => {
		const { ids } = await find({ filterMode: 'raw', where: '', returnAll: false, limit: 1 });
		expect(ids).toEqual([1]);
		expect(whereOfList()).toEqual([]);
	});

	it.each([
		[
			'a value',
			'=1000007,eq,Open\n1000004,eq,{{ $json.city }}',
			"Condition 2 in 'Where' has no value",
		],
		['a value that is white space', '=1000004,eq, {{ $json.city }}', 'has no value'],
		['the text', '={{ $json.where }}', "'Where' has no text"],
		['a text but a list', '={{ ["1000004,eq,Lyon"] }}', "'Where' has no text"],
	])('are refused when an expression does not find %s', async (_, where, message) => {
		const { result } = await find({ filterMode: 'raw', where });
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			description: expect.stringContaining('expression'),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});

	it('are none when an expression yields an empty text', async () => {
		const where = '={{ "" }}';
		const { ids } = await find({ filterMode: 'raw', where, returnAll: false, limit: 1 });
		expect(ids).toEqual([1]);
		expect(whereOfList()).toEqual([]);
	});

	it('do not mix with conditions left over in the other mode', async () => {
		const conditions = [{ field: fields.city, operator: 'eq', value: 'Lyon' }];
		const { result } = await find(
			{
				filterMode: '={{ $json.mode }}',
				where: '1000007,eq,Open',
				filters: { conditions },
				returnAll: false,
				limit: 1,
			},
			[{ mode: 'raw' }],
		);
		expect(result.error).toBeUndefined();
		expect(whereOfList()).toEqual(['where=1000007,eq,Open']);
	});

	it.each(['1000007', '1000007,eq', 'Status,eq,Open', ',eq,Open', 'eq 1000007 Open'])(
		'are refused before anything is sent when a line is none: %s',
		async (line) => {
			const { result } = await find(
				{ filterMode: 'raw', where: '=1000007,eq,Open\n{{ $json.line }}' },
				[{ line }],
			);
			expect(result.error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(`'${line}'`),
				description: expect.stringContaining('1000004,eq,Open'),
				context: { itemIndex: 0 },
			});
			expect(testbed.service.requests.count).toBe(0);
		},
	);
});

describe('full-text search', () => {
	it('finds a text in any field and in rows', async () => {
		const inValues = (record: SheetRecord) =>
			[...record.values.values()].some((value) => [value].flat().join('\n').includes('Vase'));
		const { ids } = await find({ options: { fullText: 'vase' } });
		expect(ids).toEqual(
			ordersWhere(
				(record) =>
					inValues(record) ||
					[...record.rows(orders.subtables.lines.id).values()].some(
						(row) => row.get(orders.subtables.lines.fields.article) === 'Vase',
					),
			),
		);
	});

	it('is encoded, and trims nothing away from the middle', async () => {
		testbed.service.data.record(orders, 5).set(fields.remark, 'a & b, 50%25 – 🎉');
		const { ids } = await find({ options: { fullText: 'a & b, 50%25 – 🎉' } });
		expect(ids).toEqual([5]);
		expect(testbed.reads[0]?.rawUrl).toContain(
			'&fts=a%20%26%20b%2C%2050%2525%20%E2%80%93%20%F0%9F%8E%89&',
		);
	});

	it('narrows what conditions find', async () => {
		const conditions = [{ field: fields.status, operator: 'eq', value: 'Open' }];
		const { ids } = await find({ options: { fullText: 'bikes' }, filters: { conditions } });
		expect(ids).toEqual(
			ordersWhere(
				(record) =>
					record.text(fields.status) === 'Open' &&
					record.text(fields.customerName).includes('Bikes'),
			),
		);
	});
});

describe('saved filters', () => {
	it('of a shared view apply', async () => {
		const { ids } = await find({ options: { sharedViewId: orders.views.open } });
		expect(ids).toEqual(ordersWhere((record) => record.text(fields.status) === 'Open'));
		expect(testbed.reads[0]?.query).toContainEqual(['filterId', '77']);
	});

	it('of a view that is not there are an error with the code of the service', async () => {
		const { result } = await find({ options: { sharedViewId: 'abc' } });
		expect(result.error).toMatchObject({
			message: expect.stringContaining('abc'),
			description: expect.stringContaining('201'),
		});
	});

	it('by default of the sheet apply on request only', async () => {
		const { ids } = await find({ options: { defaultFilter: true } });
		expect(ids).toEqual(
			ordersWhere((record) => ['Open', 'Confirmed'].includes(record.text(fields.status))),
		);
		expect(testbed.reads[0]?.query).toContainEqual(['defaultFilter', '1']);

		testbed.service.requests.clear();
		await find({ options: { defaultFilter: false }, returnAll: false, limit: 1 });
		expect(testbed.reads[0]?.rawUrl).not.toContain('defaultFilter');
	});
});
