import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 2_500 });
const { fields } = orders;

/** Asks for a value that an expression yields; answers ids and the one condition as it was sent. */
async function find(
	field: string,
	operator: string,
	value: unknown,
	identity: 'admin' | 'member' = 'member',
) {
	return await findByExpression(field, operator, '={{ $json.value }}', [{ value }], identity);
}

async function findByExpression(
	field: string,
	operator: string,
	value: string,
	items: Array<Record<string, never> | { value: unknown }> = [{}],
	identity: 'admin' | 'member' = 'member',
	timeZone?: number,
) {
	const result = await testbed.run(
		{
			operation: 'getAll',
			sheet: sheet(orders),
			returnAll: true,
			filters: { conditions: [{ field, operator, value }] },
			options: timeZone === undefined ? {} : { timeZone },
		},
		items.map((json) => ({ json: { ...json } })),
		{ credentials: testbed.credentials(identity), timezone: 'Asia/Taipei' },
	);
	const list = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='));
	const parts = list.at(0)?.rawUrl.split('&') ?? [];
	return {
		result,
		ids: result.items.map(({ json }) => json._recordId),
		where: parts.find((part) => part.startsWith('where=')),
	};
}

describe('texts that encoding could break', () => {
	it.each([
		['commas', 'a, b,c', 'a%2C%20b%2Cc'],
		['what looks percent-encoded', 'code %41 here', 'code%2520%252541%2520here'],
		['what looks encoded twice', '50%2525', '50%25252525'],
		['a percent sign', '100% cotton', '100%25%20cotton'],
		['quotes', 'He said "it\'s"', 'He%20said%20%22it%27s%22'],
		['an emoji', 'Thanks 🎉', 'Thanks%20%F0%9F%8E%89'],
		['letters beyond ASCII', 'Dvořák 冷', 'Dvo%C5%99%C3%A1k%20%E5%86%B7'],
		['signs of an address', 'a&b=c#d+e?f/g', 'a%26b%3Dc%23d%2Be%3Ff%2Fg'],
		['a line break', 'one\ntwo', 'one%0Atwo'],
		['a backslash', 'C:\\temp', 'C%3A%5Ctemp'],
		['spaces at the ends', ' x ', '%20x%20'],
	])('%s find exactly their record', async (_, text, encoded) => {
		testbed.service.data.record(orders, 5).set(fields.remark, text);
		testbed.service.data.record(orders, 6).set(fields.remark, 'code A here');
		testbed.service.data.record(orders, 7).set(fields.remark, text.slice(0, -1));
		const { ids, where } = await find(fields.remark, 'eq', text);
		expect(ids).toEqual([5]);
		expect(where).toBe(`where=1000011,eq,${encoded}`);
	});

	it('with half of a character are refused before anything is sent', async () => {
		const { result } = await find(fields.remark, 'eq', 'half \ud83c');
		expect(result.error).toMatchObject({
			message: expect.stringContaining('half of a character'),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('values that are no texts', () => {
	it('are numbers', async () => {
		const { ids, where } = await find(fields.total, 'eq', 812.5);
		expect(ids).toContain(7);
		expect(where).toBe('where=1000009,eq,812.5');
	});

	it('are true and false', async () => {
		const { ids, where } = await find(fields.express, 'eq', true);
		expect(ids).toHaveLength(416);
		expect(where).toBe('where=1000010,eq,true');
	});
});

describe('dates', () => {
	it('in the form of the service stay as they are', async () => {
		const { ids, where } = await find(fields.orderDate, 'eq', '2023/05/01');
		expect(ids).toHaveLength(8);
		expect(where).toBe('where=1000005,eq,2023%2F05%2F01');
	});

	it.each([
		// Records show that the field holds times.
		['2023-05-01', '2023%2F05%2F01%2000%3A00%3A00'],
		['2023-05-01T09:30:00', '2023%2F05%2F01%2009%3A30%3A00'],
		['2023-05-01T09:30', '2023%2F05%2F01%2009%3A30%3A00'],
		['2023-05-01 09:30:15', '2023%2F05%2F01%2009%3A30%3A15'],
		// Moments are read off the clock of the workflow, eight hours ahead of UTC.
		['2023-05-01T09:30:00Z', '2023%2F05%2F01%2017%3A30%3A00'],
		['2023-05-01T09:30:00.123-05:00', '2023%2F05%2F01%2022%3A30%3A00'],
	])('in ISO 8601 are written for the service: %s', async (text, written) => {
		const { where, result } = await find(fields.deliveryTime, 'gte', text);
		expect(result.error).toBeUndefined();
		expect(where).toBe(`where=1000006,gte,${written}`);
	});

	it.each([
		['{{ DateTime.fromISO("2023-05-01T09:30:00Z") }}', '2023%2F05%2F01%2017%3A30%3A00'],
		[
			'{{ DateTime.fromISO("2023-05-01", { zone: "Asia/Taipei" }) }}',
			'2023%2F05%2F01%2000%3A00%3A00',
		],
		['{{ new Date("2023-05-01T09:30:00Z") }}', '2023%2F05%2F01%2017%3A30%3A00'],
	])('of an expression are written for the service: %s', async (expression, written) => {
		const { where, result } = await findByExpression(fields.deliveryTime, 'gte', `=${expression}`);
		expect(result.error).toBeUndefined();
		expect(where).toBe(`where=1000006,gte,${written}`);
	});

	it.each([-3, 0, 8])(
		'find the same records whatever time zone was chosen for the output: %d',
		async (timeZone) => {
			const expression = '={{ DateTime.fromISO("2023-05-01T09:30:00Z") }}';
			const { where, ids } = await findByExpression(
				fields.deliveryTime,
				'gte',
				expression,
				[{}],
				'member',
				timeZone,
			);
			expect(where).toBe('where=1000006,gte,2023%2F05%2F01%2017%3A30%3A00');
			expect(ids).toEqual(
				[...testbed.service.data.sheet(orders).records.values()]
					.filter((record) => record.text(fields.deliveryTime) >= '2023/05/01 17:30:00')
					.sort((left, right) => left.created.at - right.created.at)
					.map(({ id }) => id),
			);
			expect(ids.length).toBeGreaterThan(0);
		},
	);

	it('follow the type of the field, where the user may know it', async () => {
		const expression = '={{ DateTime.fromISO("2023-05-01T09:30:00Z") }}';
		const onDay = await findByExpression(fields.orderDate, 'eq', expression, [{}], 'admin');
		expect(onDay.where).toBe('where=1000005,eq,2023%2F05%2F01');
		expect(onDay.ids).toHaveLength(8);

		testbed.service.requests.clear();
		const atMidnight = await find(fields.deliveryTime, 'gte', '2023-05-01', 'admin');
		expect(atMidnight.where).toBe('where=1000006,gte,2023%2F05%2F01%2000%3A00%3A00');
	});

	it('of fields that every sheet has follow their type, too', async () => {
		const { where, result } = await find('Create Date', 'gte', '2023-05-01');
		expect(result.error).toBeUndefined();
		expect(where).toBe('where=105,gte,2023%2F05%2F01%2000%3A00%3A00');
	});

	it('that are only texts stay texts', async () => {
		testbed.service.data.record(orders, 5).set(fields.remark, '2023-05-01');
		const { ids, where } = await find(fields.remark, 'eq', '2023-05-01', 'admin');
		expect(where).toBe('where=1000011,eq,2023-05-01');
		expect(ids).toEqual([5]);
	});

	it('that do not exist stay texts, for the service to refuse', async () => {
		const { where, result } = await find(fields.orderDate, 'eq', '2023-02-30');
		expect(where).toBe('where=1000005,eq,2023-02-30');
		expect(result.error).toMatchObject({ message: expect.stringContaining('2023-02-30') });
	});
});
