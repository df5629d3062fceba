import { orders } from '../../service';
import type { RunNodeOptions } from '../runner';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const required = { [fields.customerNumber]: 'C-0001' };

/** Creates an order as admin, who sees the types of the fields, and answers what was sent. */
async function sent(
	record: string,
	options = {},
	more: Partial<RunNodeOptions> = { timezone: 'Asia/Taipei' },
) {
	const result = await testbed.run(
		{ operation: 'create', sheet: sheet(orders), ...asJson(record), options },
		[{}],
		{ credentials: testbed.credentials('admin'), ...more },
	);
	expect(result.error).toBeUndefined();
	return testbed.writes[0]?.body;
}

const both = (value: string) =>
	`={{ ({ "Customer Number": "C-0001", "Order Date": ${value}, "Delivery Time": ${value}, "Remark": ${value} }) }}`;

describe('moments', () => {
	it('of a Date are read off the clock of the workflow', async () => {
		expect(await sent(both('new Date("2026-03-02T20:30:40.789Z")'))).toEqual({
			...required,
			[fields.orderDate]: '2026/03/03',
			[fields.deliveryTime]: '2026/03/03 04:30:40',
			[fields.remark]: '2026/03/03 04:30:40',
		});
	});

	it('of a Luxon value too; n8n itself makes a text of it, which a text field keeps', async () => {
		expect(await sent(both('DateTime.fromISO("2026-03-02T20:30:40Z")'))).toEqual({
			...required,
			[fields.orderDate]: '2026/03/03',
			[fields.deliveryTime]: '2026/03/03 04:30:40',
			[fields.remark]: '2026-03-03T04:30:40.000+08:00',
		});
	});

	it('are read off the offset of the option Time Zone, which is sent as tz', async () => {
		const value = 'new Date("2026-03-02T20:30:40Z")';
		expect(await sent(both(value), { timeZone: -3.5 })).toEqual({
			...required,
			[fields.orderDate]: '2026/03/02',
			[fields.deliveryTime]: '2026/03/02 17:00:40',
			[fields.remark]: '2026/03/02 17:00:40',
		});
		expect(testbed.writes[0]?.rawUrl).toBe('/acme/sales/orders/1?api&tz=-3.5');
	});

	it('in a text with an offset are read off the same clock, in date fields', async () => {
		expect(await sent(both('"2026-03-02T20:30:40Z"'))).toMatchObject({
			[fields.orderDate]: '2026/03/03',
			[fields.deliveryTime]: '2026/03/03 04:30:40',
		});
	});

	it('follow summer time', async () => {
		const record = both('DateTime.fromISO("2026-07-01T03:00:00Z")');
		expect(await sent(record, {}, { timezone: 'Europe/Berlin' })).toMatchObject({
			[fields.deliveryTime]: '2026/07/01 05:00:00',
		});
		testbed.service.requests.clear();
		const winter = both('DateTime.fromISO("2026-01-01T03:00:00Z")');
		expect(await sent(winter, {}, { timezone: 'Europe/Berlin' })).toMatchObject({
			[fields.deliveryTime]: '2026/01/01 04:00:00',
		});
	});
});

describe('ISO texts without an offset', () => {
	it.each([
		['"2026-03-02"', '2026/03/02', '2026/03/02 00:00:00'],
		['"2026-03-02T09:15"', '2026/03/02', '2026/03/02 09:15:00'],
		['"2026-03-02 09:15:07"', '2026/03/02', '2026/03/02 09:15:07'],
	])('are taken as written: %s', async (value, date, dateTime) => {
		expect(await sent(both(value), { timeZone: -11 })).toMatchObject({
			[fields.orderDate]: date,
			[fields.deliveryTime]: dateTime,
		});
	});
});

describe('texts', () => {
	it.each(['"2026-03-02"', '"2026-03-02T20:30:40Z"'])(
		'in a text field stay as they are: %s',
		async (value) => {
			expect(await sent(both(value))).toMatchObject({ [fields.remark]: JSON.parse(value) });
		},
	);

	it.each(['"2026/03/02"', '"2026/03/02 10:00"', '" "'])(
		"that are the service's own dates are sent as they are: %s",
		async (value) => {
			expect(await sent(both(value))).toMatchObject({
				[fields.orderDate]: JSON.parse(value),
				[fields.deliveryTime]: JSON.parse(value),
			});
		},
	);
});

describe('dates in other places', () => {
	it('in mapped items', async () => {
		const result = await testbed.run(
			{ operation: 'create', sheet: sheet(orders), ...autoMapped() },
			[{ ...required, 'Order Date': '2026-03-02T23:00:00-08:00' }],
			{ credentials: testbed.credentials('admin'), timezone: 'UTC' },
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual({ ...required, [fields.orderDate]: '2026/03/03' });
	});

	it('in expressions of the mapper, under field ids', async () => {
		const value = {
			...required,
			[fields.orderDate]: '={{ DateTime.fromISO("2026-03-02T20:30:40Z") }}',
			[fields.deliveryTime]: '={{ DateTime.fromISO("2026-03-02T20:30:40Z") }}',
		};
		const result = await testbed.run(
			{ operation: 'create', sheet: sheet(orders), ...mapped(value) },
			[{}],
			{ credentials: testbed.credentials('admin'), timezone: 'Asia/Taipei' },
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toMatchObject({
			[fields.deliveryTime]: '2026/03/03 04:30:40',
			[fields.orderDate]: '2026/03/03',
		});
	});

	describe('of a user who may not see the types of fields', () => {
		const luxon = 'DateTime.fromISO("2026-03-02T20:30:40Z")';
		const midnight = 'DateTime.fromISO("2026-03-02T00:00:00+08:00")';

		const member = () => ({
			timezone: 'Asia/Taipei',
			credentials: testbed.credentials('member'),
		});
		const createBy = async (value: string) =>
			await testbed.run(
				{ operation: 'create', sheet: sheet(orders), ...asJson(both(value)) },
				[{}],
				member(),
			);

		it.each([
			[luxon, '2026/03/03', '2026/03/03 04:30:40', '2026-03-03T04:30:40.000+08:00'],
			[midnight, '2026/03/02', '2026/03/02 00:00:00', '2026-03-02T00:00:00.000+08:00'],
			[
				'new Date("2026-03-02T20:30:40Z")',
				'2026/03/03',
				'2026/03/03 04:30:40',
				'2026/03/03 04:30:40',
			],
			['"2026-03-02T20:30:40Z"', '2026/03/03', '2026/03/03 04:30:40', '2026-03-02T20:30:40Z'],
			['"2026-03-02"', '2026/03/02', '2026/03/02 00:00:00', '2026-03-02'],
		])('%s is written as for others: records show the types', async (value, ...expected) => {
			const result = await createBy(value);
			expect(result.error).toBeUndefined();
			const [orderDate, deliveryTime, remark] = expected;
			expect(testbed.writes[0]?.body).toEqual({
				...required,
				[fields.orderDate]: orderDate,
				[fields.deliveryTime]: deliveryTime,
				[fields.remark]: remark,
			});
		});

		it('the records are read once for all items', async () => {
			await testbed.run(
				{ operation: 'create', sheet: sheet(orders), ...autoMapped() },
				Array.from({ length: 5 }, () => ({ ...required, [fields.orderDate]: '2026-03-02' })),
				member(),
			);
			expect(testbed.writes).toHaveLength(5);
			expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('reverse'))).toHaveLength(1);
		});

		it('a filter compares with what is written', async () => {
			for (const value of ['2026-03-02', '2026-03-02T20:30:40Z']) {
				for (const field of [fields.orderDate, fields.deliveryTime, fields.remark]) {
					testbed.service.requests.clear();
					const record = { ...required, [field]: value };
					const upsert = { operation: 'upsert', sheet: sheet(orders), matchFields: [field] };
					await testbed.run({ ...upsert, ...asJson(record) }, [{}], member());
					const found = await testbed.run(
						{
							...{ operation: 'getAll', sheet: sheet(orders) },
							filters: { conditions: [{ field, operator: 'eq', value }] },
						},
						[{}],
						member(),
					);
					expect(found.items).toHaveLength(1);
				}
			}
		});

		it('a text that may be a date is refused where no record shows what the field is for', async () => {
			for (const record of testbed.service.data.sheet(orders).records.values()) {
				record.set(fields.deliveryTime, '');
			}
			for (const value of ['"2026-03-02"', '"2026-03-02T20:30:40Z"']) {
				const { error } = await createBy(value);
				expect(error?.message).toContain(`${JSON.parse(value)}' for 'Delivery Time' may be a date`);
				expect(error?.description).toContain('2026/01/31 09:30:00');
			}
			expect(testbed.writes).toEqual([]);
			await createBy(luxon);
			expect(testbed.writes[0]?.body).toMatchObject({
				[fields.deliveryTime]: '2026/03/03 04:30:40',
			});
		});
	});
});
