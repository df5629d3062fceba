import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { conditionsSent, idsWhere } from './listedOrders';

const testbed = useRecordTestbed();
const { fields } = orders;

interface Asked {
	value?: string;
	operator?: string;
	identity?: 'admin' | 'member';
	options?: INodeParameters;
}

/** Filters by one value after the other, with an expression that returns them. */
async function find(field: string, values: unknown[], asked: Asked = {}) {
	const { value = '={{ $json.value }}', operator = 'eq', identity, options = {} } = asked;
	const filters = { conditions: [{ field, operator, value }] };
	return await testbed.runAll(
		{ ...onOrders('getAll'), returnAll: true, options, filters },
		values.map((value) => ({ json: { value } as object })),
		{ credentials: testbed.credentials(identity), timezone: 'Asia/Taipei' },
	);
}

it('a list of values, and a text with an unpaired surrogate, is rejected as a filter value', async () => {
	const value =
		"={{ [['Ulm', 'Bonn'], [], { city: 'Ulm' }, new Date(8.64e15), 'half \\ud83c'][$itemIndex] }}";
	const result = await find(fields.city, [1, 2, 3, 4, 5], { value });
	// An empty value would match empty fields.
	const returned = ['a list', 'a list', 'an object', 'a date that the service cannot store'];
	const messages = returned.map(
		(what) =>
			`The condition on 'City' in 'Filters' has no usable value: the expression returned ${what}`,
	);
	testbed.expectErrors(result, [...messages, 'half of a surrogate pair']);
	expect(conditionsSent(testbed)).toEqual([]);
});

it.each(["={{ '' }}", '', '={{ $json.missing }}', ' '])(
	'a missing filter value is rejected: %j',
	async (value) => {
		const message = "The condition on 'City' in 'Filters' has no value";
		testbed.expectErrors(await find(fields.city, [1], { value }), message);
		expect(conditionsSent(testbed)).toEqual([]);
	},
);

it.each(
	(['admin', 'member'] as const).flatMap((identity) =>
		['Express', fields.express].map((field) => [identity, field] as const),
	),
)('1 and 0 in a checkbox find the records with its words: %s, %s', async (identity, field) => {
	const countOf = (word: string) =>
		[...testbed.orders.records.values()].filter((order) => order.text(fields.express) === word)
			.length;
	for (const value of ['1', 1, ' 1 ', '0', 0]) {
		const word = Number(value) === 1 ? 'Yes' : 'No';
		const { error, items } = await find(field, [value], { identity });
		expect(error).toBeUndefined();
		expect([value, items.length]).toEqual([value, countOf(word)]);
	}
});

describe('dates', () => {
	it.each([
		{ field: 'Order Date', value: '2023/1/5', sent: '2023%2F01%2F05' },
		{ field: 'Delivery Time', value: ' 2023/1/5 8:05', sent: '2023%2F01%2F05%2008%3A05%3A00' },
		{ field: 'Create Date', value: '2023/1/5', sent: '2023%2F01%2F05' },
		{ field: 'Remark', value: '2023/1/5', sent: '2023%2F1%2F5' },
	])(
		'$value in the field $field is sent as $sent, the format of the API for dates',
		async ({ field, value, sent }) => {
			for (const operator of ['eq', 'gte']) {
				expect((await find(field, [value], { operator })).error).toBeUndefined();
				expect(conditionsSent(testbed).at(-1)).toMatch(new RegExp(`,${operator},${sent}$`));
			}
			await find(field, [value.trim()], { operator: 'like' });
			// A part of a date may be written in any way.
			expect(conditionsSent(testbed).at(-1)).toContain(`,like,${encodeURIComponent(value.trim())}`);
		},
	);

	it.each(['admin', 'member'] as const)(
		'ISO 8601 dates in filters are converted by the type of the field: %s',
		async (identity) => {
			const written: Record<string, string> = {
				'2023-05-01': '2023%2F05%2F01%2000%3A00%3A00',
				'2023-05-01T09:30:00': '2023%2F05%2F01%2009%3A30%3A00',
				'2023-05-01T09:30': '2023%2F05%2F01%2009%3A30%3A00',
				'2023-05-01 09:30:15': '2023%2F05%2F01%2009%3A30%3A15',
				// Times are converted to the time zone of the workflow, eight hours ahead of UTC.
				'2023-05-01T09:30:00Z': '2023%2F05%2F01%2017%3A30%3A00',
				'2023-05-01T09:30:00.123-05:00': '2023%2F05%2F01%2022%3A30%3A00',
			};
			await find(fields.deliveryTime, Object.keys(written), { operator: 'eq', identity });
			const sent = Object.values(written).map((text) => `1000006,eq,${text}`);
			expect(conditionsSent(testbed)).toEqual(sent);
		},
	);

	it('date values of an expression in filters are converted', async () => {
		const value =
			'={{ [DateTime.fromISO("2023-05-01T09:30:00Z"), DateTime.fromISO("2023-05-01", { zone: "Asia/Taipei" }), new Date("2023-05-01T09:30:00Z")][$itemIndex] }}';
		await find(fields.deliveryTime, [1, 2, 3], { value });
		expect(conditionsSent(testbed)).toEqual([
			'1000006,eq,2023%2F05%2F01%2017%3A30%3A00',
			'1000006,eq,2023%2F05%2F01%2000%3A00%3A00',
			'1000006,eq,2023%2F05%2F01%2017%3A30%3A00',
		]);
		await find(fields.orderDate, [1], { value, identity: 'admin' });
		expect(conditionsSent(testbed).at(-1)).toBe('1000005,eq,2023%2F05%2F01');
	});

	it("a date value of an expression in the full-text search is written in the workflow's time zone", async () => {
		const options = { fullText: '={{ new Date("2023-05-01T20:30:00Z") }}' };
		await testbed.run({ ...onOrders('getAll'), options }, [{}], { timezone: 'Asia/Taipei' });
		const [[, sent] = []] = testbed.reads.flatMap(({ query }) =>
			query.filter(([key]) => key === 'fts'),
		);
		expect(sent).toBe('2023/05/02 04:30:00');
	});

	it('a date filter finds the same records in every output time zone', async () => {
		const isLate = (text: string) => text >= '2023/02/01 17:30:00';
		const expected = idsWhere(testbed, (order) => isLate(order.text(fields.deliveryTime)));
		const { ids } = await find(fields.deliveryTime, [-3, 0, 8], {
			value: '={{ DateTime.fromISO("2023-02-01T09:30:00Z") }}',
			operator: 'gte',
			options: { timeZone: '={{ $json.value }}' },
		});
		expect(ids).toEqual([...expected, ...expected, ...expected]);
		const [sent, ...rest] = new Set(conditionsSent(testbed));
		expect([sent, rest]).toEqual(['1000006,gte,2023%2F02%2F01%2017%3A30%3A00', []]);
	});

	it.each(['admin', 'member'] as const)(
		'Contains and Matches Regex find all times of a day, in any form of the day: %s',
		async (identity) => {
			const times = idsWhere(testbed, (order) =>
				/^2023\/01\/04/.test(order.text(fields.deliveryTime)),
			);
			expect(times.length).toBeGreaterThan(1);
			const value =
				'={{ ["2023-01-04", "2023/01/04", DateTime.fromISO("2023-01-04", { zone: "Asia/Taipei" })][$itemIndex] }}';
			for (const operator of ['like', 'regex']) {
				const { ids } = await find(fields.deliveryTime, [1, 2, 3], { value, operator, identity });
				expect(ids).toEqual([...times, ...times, ...times]);
			}
		},
	);

	it('dates in the format of the service, or for a text field, are not converted', async () => {
		expect((await find(fields.orderDate, ['2023/02/01'])).items).not.toEqual([]);
		testbed.order(5).set(fields.remark, '2023-05-01');
		const inText = await find(fields.remark, ['2023-05-01'], { identity: 'admin' });
		expect(inText.records).toEqual(['5 #0']);
		expect(conditionsSent(testbed)).toEqual(['1000005,eq,2023%2F02%2F01', '1000011,eq,2023-05-01']);
	});

	it.each(['2023-02-30', '2023-1-5', '2023-01', '2023-1-5 9:30'])(
		'%s is not a date, and is rejected before it is sent, whoever filters',
		async (date) => {
			for (const identity of ['admin', 'member'] as const) {
				for (const operator of ['eq', 'ne', 'in']) {
					const { errorItems } = await find(fields.orderDate, [date], { identity, operator });
					expect(errorItems[0]?.json.error).toContain(`'${date}' is not a valid date`);
				}
			}
			expect(conditionsSent(testbed)).toEqual([]);
		},
	);

	it.each([1_672_700_000_000, '1672700000', 44_930, '20230105', '2023'])(
		'the number %s is not a date, and is rejected before the order of dates is compared with it, whoever filters',
		async (number) => {
			for (const identity of ['admin', 'member'] as const) {
				for (const field of ['Order Date', fields.orderDate, '105']) {
					const { errorItems } = await find(field, [number], { identity, operator: 'lt' });
					expect(errorItems[0]?.json.error).toContain(`'${number}' is not a valid date`);
				}
			}
			expect(conditionsSent(testbed)).toEqual([]);
		},
	);
});

describe('numbers', () => {
	it.each(['eq', 'ne', 'in', 'like', 'eqeq'])(
		'a number whose last digits n8n has lost is rejected, because it is another value: %s',
		async (operator) => {
			const value = '={{ $json.value }}';
			const result = await find(fields.reference, [2 ** 64], { operator, value });
			const words = "The number of the condition on 'Reference' in 'Filters' has more digits";
			testbed.expectErrors(result, words);
			expect(conditionsSent(testbed)).toEqual([]);
		},
	);

	it('a large number may limit a range', async () => {
		const { error } = await find(fields.total, [10 ** 16], { operator: 'lt' });
		expect(error).toBeUndefined();
		expect(conditionsSent(testbed)).toEqual([`${fields.total},lt,10000000000000000`]);
	});

	it.each(['admin', 'member'] as const)(
		'white space around numbers and dates is left out of filters, and so are separators unless texts are equal: %s',
		async (identity) => {
			testbed.order(5).set(fields.total, '1234.5');
			for (const operator of ['eq', 'lte', 'ne']) {
				const { records } = await find(fields.total, ['1234.5'], { operator, identity });
				const text = operator === 'lte' ? ' 1,234.5 ' : ' 1234.5 ';
				const spaced = await find(fields.total, [text], { operator, identity });
				expect(spaced.records).toEqual(records);
				expect(records.includes('5 #0')).toBe(operator !== 'ne');
			}
			expect((await find(fields.orderDate, [' 2023/02/01 '], { identity })).items).not.toEqual([]);
		},
	);

	it.each(['gt', 'gte', 'lt', 'lte'])(
		'all separators of a number are left out of a filter by size: %s',
		async (operator) => {
			await find(fields.total, ['1,234,567.5'], { operator, identity: 'admin' });
			expect(conditionsSent(testbed)).toEqual([`${fields.total},${operator},1234567.5`]);
		},
	);

	it('a date does not limit numbers, whoever filters', async () => {
		for (const identity of ['admin', 'member'] as const) {
			for (const field of ['Total', fields.total]) {
				const { errorItems } = await find(field, ['2023/01/04'], { identity, operator: 'lte' });
				expect(errorItems[0]?.json.error).toContain("'2023/01/04' is not a number for 'Total'");
			}
		}
		expect(conditionsSent(testbed)).toEqual([]);
	});

	it('a filter on a text keeps them', async () => {
		testbed.order(5).set(fields.remark, ' 1,234 ');
		expect((await find(fields.remark, [' 1,234 '], { identity: 'admin' })).records).toEqual([
			'5 #0',
		]);
		expect(conditionsSent(testbed)).toEqual(['1000011,eq,%201%2C234%20']);
	});
});
