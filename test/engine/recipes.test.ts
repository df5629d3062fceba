import { orders } from '../service';
import { autoMapped, filesOption } from './record/recordValues';
import { storedFiles } from './record/filesOnItem';
import { onOrder, onOrders, RecordTestbed, sheet, useRecordTestbed } from './recordTestbed';

/** Recipes of RECIPES.md that have no example workflow. */
const testbed = useRecordTestbed({ demoRecords: 30 });
const { fields, subtables } = orders;

describe('dates come one day early', () => {
	const instant = '2026-01-30T23:00:00.000Z';
	const dateAfter = async (value: string, timezone: string) => {
		const parameters = {
			...onOrder('update', 5),
			inputMode: 'json',
			recordJson: `={{ ({ 'Order Date': ${value} }) }}`,
		};
		const { error } = await testbed.run(parameters, [{ Day: instant }], { timezone });
		expect(error).toBeUndefined();
		return testbed.order(5).text(fields.orderDate);
	};

	it.each([
		['London', 'Europe/London', '2026/01/30'],
		['Berlin', 'Europe/Berlin', '2026/01/31'],
	])(
		'a point in time is written as the day of the time zone of the workflow: %s',
		async (_, zone, day) => {
			expect(await dateAfter('$json.Day', zone)).toBe(day);
		},
	);

	it.each(['Europe/London', 'America/New_York', 'Asia/Tokyo'])(
		'the day as a text is the same in every workflow: %s',
		async (zone) => {
			const text = "DateTime.fromISO($json.Day, { zone: 'Europe/Berlin' }).toISODate()";
			expect(await dateAfter(text, zone)).toBe('2026/01/31');
		},
	);
});

it('a sheet is copied to another account with rows and files, and a second run makes no further records', async () => {
	const target = new RecordTestbed();
	await target.start({ demoRecords: 30 });
	try {
		target.orders.records.clear();
		// The second copy gets the ID of its original by chance, but its rows have other IDs.
		target.orders.nextRecordId = 2;
		for (const bed of [testbed, target]) {
			for (const field of bed.orders.fields)
				if (field.id === fields.secondNote || field.id === fields.unnamed)
					field.name = `Field ${field.id}`;
		}
		const file = testbed.service.data.storeFile('a.pdf', 'application/pdf', Buffer.from('%PDF-1'));
		for (const id of [3, 4])
			testbed.order(id).set(fields.contract, file).set(fields.reference, `R-${id}`);
		const list = {
			...onOrders('getAll'),
			...{ returnAll: true, options: { bbcode: true, downloadFiles: 'Contract' } },
		};
		const source = [...testbed.orders.records.values()].filter(({ id }) => id === 3 || id === 4);
		for (const { id } of testbed.orders.records.values())
			if (id !== 3 && id !== 4) testbed.orders.records.delete(id);
		const read = await testbed.run(list);
		expect(read.ids.length).toBe(source.length);

		const write = {
			...{ operation: 'upsert', sheet: sheet(orders), ...autoMapped(['Reference']) },
			options: {
				...filesOption([fields.contract, 'Contract_1']),
				rowsMode: 'replace',
				filesMode: 'replace',
			},
		};
		const rowsKey = `_subtable_${subtables.lines.id}`;
		const items = read.items.map(({ json, ...item }) => {
			const rows = [json[rowsKey] ?? []]
				.flat()
				.map((row) => ({ ...Object(row), _rowId: undefined }));
			return JSON.parse(JSON.stringify({ ...item, json: { ...json, [rowsKey]: rows } }));
		});
		const copy = async () => await target.run(write, items, target.as('admin'));
		const copied = await copy();
		expect(copied.error).toBeUndefined();
		expect(copied.actions).toEqual(['created', 'created']);
		const rowsOf = (bed: RecordTestbed) =>
			[...bed.orders.records.values()].flatMap((record) =>
				[...record.rows(subtables.lines.id).values()].map((row) =>
					row.get(subtables.lines.fields.article),
				),
			);
		expect(rowsOf(target).sort()).toEqual(rowsOf(testbed).sort());
		const [first] = target.orders.records.keys();
		expect(storedFiles(target.service, orders, first ?? 0, fields.contract)).toMatchObject([
			{ name: 'a.pdf' },
		]);
		expect((await copy()).actions).toEqual(['updated', 'updated']);
		expect(target.orders.records.size).toBe(2);
	} finally {
		await target.stop();
	}
});

describe('two fields of one name', () => {
	const values = { Note: 'first', Note2: 'second' };
	const notes = () => [fields.note, fields.secondNote].map((id) => testbed.order(5).text(id));

	it('Map Automatically writes both fields of a record that was read', async () => {
		const [read = {}] = (await testbed.run(onOrder('get', 5))).json;
		const update = { ...onOrder('update', 5), ...autoMapped() };
		const { error } = await testbed.run(update, [{ ...read, ...values }]);
		expect([error, notes()]).toEqual([undefined, ['first', 'second']]);
	});

	it.each([
		['JSON', { inputMode: 'json', recordJson: '{ "Note": "x" }' }],
		['Map Automatically', autoMapped()],
	])(
		'a name that two fields have is rejected in %s, and the message lists the IDs',
		async (_, input) => {
			const { error } = await testbed.run({ ...onOrder('update', 5), ...input }, [{ Note: 'x' }]);
			expect(`${error?.message} ${error?.description}`).toContain(fields.secondNote);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('Get Fields lists the fields with their IDs', async () => {
		const { json } = await testbed.run({
			resource: 'sheet',
			operation: 'getFields',
			sheet: sheet(orders),
		});
		const ids = json
			.filter(({ name }) => /^Note\d?$/.test(String(name)))
			.map(({ fieldId }) => fieldId);
		expect(ids).toEqual([fields.note, fields.secondNote]);
	});
});
