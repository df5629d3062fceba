import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orders, type IdentityName } from '../../service';
import { assign, byConditions, mass } from '../massOperation/massParameters';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { clearProcessState } from '../runner/typeLibrary';
import { asJson, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const required = { [fields.customerNumber]: 'C-0001' };
const create = onOrders('create');
const inTaipei = (identity: IdentityName) => ({
	timezone: 'Asia/Taipei',
	credentials: testbed.credentials(identity),
});

/** Returns a record whose date, time and text fields have this value of an expression. */
const recordWithDate = (value: string) =>
	`={{ ({ "Customer Number": "C-0001", "Order Date": ${value}, "Delivery Time": ${value}, "Remark": ${value} }) }}`;

/** Returns the sent texts of each value: in a date field, a date-time field and a text field. */
async function sent(values: string[], options = {}, overrides: object = inTaipei('admin')) {
	testbed.service.requests.clear();
	const record = asJson(recordWithDate(`[${values.join()}][$itemIndex]`));
	const items = values.map(() => ({}));
	const result = await testbed.runById({ ...create, ...record, options }, items, overrides);
	expect(result.error).toBeUndefined();
	return testbed.writes.map(({ body }) => {
		const { [fields.orderDate]: date, [fields.deliveryTime]: moment, ...rest } = Object(body);
		const { [fields.remark]: text, ...dateFields } = rest;
		expect(dateFields).toEqual(required);
		return [date, moment, text];
	});
}

const date = 'new Date("2026-03-02T20:30:40.789Z")';
const luxon = 'DateTime.fromISO("2026-03-02T20:30:40Z")';
const midnight = 'DateTime.fromISO("2026-03-02T00:00:00+08:00")';

it.each(['admin', 'member'] as const)(
	'dates of %s are written by the types of the fields',
	async (identity) => {
		// Times are converted to the time zone of the workflow. n8n itself converts Luxon values to text.
		const moment = ['2026/03/03', '2026/03/03 04:30:40'];
		const day = ['2026/03/02', '2026/03/02 00:00:00'];
		const values = [date, luxon, midnight, '"2026-03-02T20:30:40Z"', '"2026-03-02"'];
		expect(await sent(values, {}, inTaipei(identity))).toEqual([
			[...moment, '2026/03/03 04:30:40'],
			[...moment, '2026-03-03T04:30:40.000+08:00'],
			[...day, '2026-03-02T00:00:00.000+08:00'],
			[...moment, '2026-03-02T20:30:40Z'],
			[...day, '2026-03-02'],
		]);
	},
);

it.each(['admin', 'member'] as const)(
	'dates without leading zeros or seconds are written in the full format of the service: %s',
	async (identity) => {
		const values = ['"2026/3/2"', '"2026/3/2 4:05"', '" 2026/03/02 04:05"'];
		expect(await sent(values, {}, inTaipei(identity))).toEqual([
			['2026/03/02', '2026/03/02', '2026/3/2'],
			['2026/03/02 04:05:00', '2026/03/02 04:05:00', '2026/3/2 4:05'],
			['2026/03/02 04:05:00', '2026/03/02 04:05:00', ' 2026/03/02 04:05'],
		]);
		const { error } = await testbed.run({
			...create,
			...asJson({ ...required, 'Order Date': '2026/13/2' }),
		});
		expect(error?.message).toContain('is not a valid date');
	},
);

it('a mass update writes a date without leading zeros in the full format of the service', async () => {
	const values = assign(['Order Date', '2026/3/2'], ['Delivery Time', '2026/3/2 4:05']);
	await testbed.run(mass('update', { ...byConditions(['Remark', 'eq', 'x']), ...values }));
	expect(testbed.bodies).toEqual([
		{
			action: [
				{ field: Number(fields.orderDate), value: '2026/03/02' },
				{ field: Number(fields.deliveryTime), value: '2026/03/02 04:05:00' },
			],
		},
	]);
});

describe('a field with times that has the type of a date in the schema', () => {
	beforeEach(() => {
		clearProcessState('sheetFields');
		for (const field of testbed.service.data.sheet(orders).fields)
			if (field.id === fields.deliveryTime) field.type = 'date';
	});
	afterAll(() => clearProcessState('sheetFields'));

	it.each(['admin', 'member'] as const)('gets the times of values of %s', async (identity) => {
		const midnight = '"2026-03-02T00:00:00Z"';
		const values = [luxon, '"2026-03-02T20:30:40Z"', '"2026-03-02T08:05"', midnight];
		const written = await sent(values, {}, inTaipei(identity));
		expect(written.map(([day, moment]) => [day, moment])).toEqual([
			['2026/03/03', '2026/03/03 04:30:40'],
			['2026/03/03', '2026/03/03 04:30:40'],
			['2026/03/02', '2026/03/02 08:05:00'],
			['2026/03/02', '2026/03/02 08:00:00'],
		]);
	});

	it.each([
		['admin', '"2026-03-02T00:00:00Z"'],
		['member', '"2026-03-02T00:00:00Z"'],
		['admin', '["2026-03-02T00:00:00Z"]'],
		['member', '["2026-03-02T00:00:00Z"]'],
	] as const)('gets the time of midnight in UTC, alone, of %s: %s', async (identity, value) => {
		const written = await sent([value], {}, inTaipei(identity));
		expect(written[0]?.[1]).toBe('2026/03/02 08:00:00');
	});

	it('gets the time in a mass update, and is compared with it', async () => {
		const time = '2026-03-02T08:05';
		const parameters = mass('update', {
			...byConditions(['Delivery Time', 'lte', time]),
			...assign(['Delivery Time', time]),
			waitForCompletion: false,
		});
		await testbed.run(parameters, [{}], inTaipei('admin'));
		expect(testbed.writes[0]?.query[1]).toEqual([
			'where',
			`${fields.deliveryTime},lte,2026/03/02 08:05:00`,
		]);
		expect(testbed.writes[0]?.body).toEqual({
			action: [{ field: Number(fields.deliveryTime), value: '2026/03/02 08:05:00' }],
		});
	});

	it('gets a day if it is empty in the newest records', async () => {
		for (const order of testbed.orders.records.values()) order.set(fields.deliveryTime, '');
		expect((await sent([luxon]))[0]?.[1]).toBe('2026/03/03');
	});
});

it('without access to types, an invalid date can be written, and does not affect other dates', async () => {
	for (const field of [fields.orderDate, fields.deliveryTime])
		testbed.order(290).set(field, 'asap');
	const written = await sent(['"2031-01-31"', luxon, '"asap"'], {}, inTaipei('member'));
	expect(written.map(([day]) => day)).toEqual(['2031/01/31', '2026/03/03', 'asap']);
});

it('midnight in UTC is written as this day into a date field, in every time zone of the workflow', async () => {
	const inNewYork = { ...inTaipei('admin'), timezone: 'America/New_York' };
	const evening = '"2031-01-30T19:00:00-05:00"';
	const text = '"2031-01-31T00:00:00';
	const utc = [`${text}.000Z"`, 'new Date("2031-01-31")', `${text}+00:00"`];
	const written = await sent([...utc, evening, '"2031-01-31T00:00:01Z"'], {}, inNewYork);
	const [day, before] = ['2031/01/31', '2031/01/30'];
	expect(written.map(([value]) => value)).toEqual([day, day, day, before, before]);
	const moments = written.map(([, moment]) => moment).slice(0, 4);
	expect(moments).toEqual(Array(4).fill('2031/01/30 19:00:00'));
});

it.each([
	{ timeZone: -3.5, day: '2026/03/02', time: '17:00:40' },
	{ timeZone: 0, day: '2026/03/02', time: '20:30:40' },
	{ timeZone: 8.25, day: '2026/03/03', time: '04:45:40' },
])(
	'times are converted to the UTC Offset $timeZone, which is sent as tz',
	async ({ timeZone, day, time }) => {
		const moment = `${day} ${time}`;
		expect(await sent([date], { timeZone })).toEqual([[day, moment, moment]]);
		expect(testbed.writes[0]?.rawUrl).toBe(`/acme/sales/orders/1?api&tz=${timeZone}`);
	},
);

it('a date is sent unchanged if neither the schema nor a record shows the kind of its field', async () => {
	for (const record of testbed.orders.records.values()) record.set(fields.deliveryTime, '');
	const values = ['"2026-03-02"', '"2026-03-02T20:30:40Z"', luxon, date];
	const written = await sent(values, {}, inTaipei('member'));
	// A Luxon value or a Date is a date in every field.
	const moment = '2026/03/03 04:30:40';
	const moments = ['2026-03-02', '2026-03-02T20:30:40Z', moment, moment];
	expect(written.map(([, value]) => value)).toEqual(moments);
});

it.each(['America/New_York', 'Asia/Taipei'])(
	'the expressions on the page for other date formats write the same day in %s',
	async (timezone) => {
		const page = readFileSync(join(__dirname, '../../../nodes/SheetRecords/VALUES.md'), 'utf8');
		const rows = [...page.matchAll(/^\| `(\S+)`.*\| `\{\{ (.*\$json\.Day.*) \}\}`/gm)];
		const values = rows.map(([, value = '', expression = '']) => {
			const literal = /^\d+$/.test(value) ? `(${value})` : JSON.stringify(value);
			return expression.replace('$json.Day', literal);
		});
		values.push(values[0]?.replace('31.01.2026', '31.1.2026') ?? '');
		const written = await sent(values, {}, { ...inTaipei('admin'), timezone });
		expect(written.map(([day]) => day)).toEqual(Array(4).fill('2026/01/31'));
	},
);

it('a text in a field that the mapper stores as a date is rejected, although the user may not read its type', async () => {
	const schema = [{ id: fields.remark, displayName: 'Remark', type: 'dateTime', display: true }];
	const values = mapped({ ...required, [fields.remark]: '={{ "soon" }}' }, [], schema);
	const { error } = await testbed.run({ ...create, ...values }, [{}], inTaipei('member'));
	expect(error?.message).toContain("'soon'");
	expect(testbed.writes).toEqual([]);
});
