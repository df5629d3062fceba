import type { INodeParameters } from 'n8n-workflow';

import { orders, siteVisits } from '../../service';
import { onOrder, onOrders, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, filesOption } from './recordValues';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed({ demoRecords: 120 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const rowsKey = `_subtable_${lines.id}`;

const update = onOrder('update', 11);
const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]) };
const record = (id: number) => testbed.order(id);

/** The rows of an order as `[id, article, quantity]`. */
const rowsOf = (id: number) =>
	[...record(id).rows(lines.id)].map(([rowId, row]) => [
		rowId,
		row.get(article),
		row.get(quantity),
	]);

/** An order with these lines, whose unit price is 5. Returns their ids. */
function setRows(id: number, ...rows: Array<[article: string, quantity: string]>): number[] {
	const held = rows.map(([name, count]) => {
		const row = new Map([
			[article, name],
			[quantity, count],
			[lines.fields.unitPrice, '5'],
		]);
		return [testbed.orders.takeRowId(), row] as const;
	});
	record(id).subtables.set(lines.id, new Map(held));
	return held.map(([rowId]) => rowId);
}

const by = (rowsMode: string, rowMatchFields?: unknown, more: INodeParameters = {}) => ({
	options: {
		rowsMode,
		...(rowMatchFields ? { rowMatchFields: String(rowMatchFields) } : {}),
		...more,
	},
});

describe('an upsert that matches rows', () => {
	const item = {
		[fields.reference]: 'ONCE',
		[fields.customerNumber]: 'C-0001',
		[rowsKey]: [
			{ Article: 'Chair', Quantity: 2 },
			{ Article: 'Lamp', Quantity: 1 },
		],
	};

	it.each([
		['upsert', 'Article', {}],
		['upsert', article, {}],
		['replace', `Article (${article})`, {}],
		['replace', undefined, {}],
		['upsert', 'Article', { schema: 'code106', definition: 'code106' }],
	] as const)('%s on %s may run again and again %j', async (mode, key, switches) => {
		Object.assign(testbed.service.switches, switches);
		const parameters = { ...upsert, ...by(mode, key, { skipUnchanged: true }) };
		const actions: unknown[] = [];
		for (let run = 0; run < 3; run++) {
			const { items, error } = await testbed.run(parameters, [item]);
			expect(error).toBeUndefined();
			actions.push(items[0]?.json._action);
		}
		expect(actions).toEqual(['created', 'unchanged', 'unchanged']);
		expect(testbed.writes).toHaveLength(1);
		const [made] = [...testbed.orders.records.keys()].slice(-1);
		expect(rowsOf(made ?? 0)).toEqual([
			[expect.any(Number), 'Chair', '2'],
			[expect.any(Number), 'Lamp', '1'],
		]);
	});

	it('reads the rows with the look-ups, and writes the records of which something differs', async () => {
		const items = Array.from({ length: 100 }, (_, index) => {
			record(index + 1).set(fields.reference, `KEY-${index}`);
			setRows(index + 1, ['Chair', '2'], ['Lamp', '1']);
			const count = index % 50 === 7 ? 9 : 1;
			return {
				[fields.reference]: `KEY-${index}`,
				[rowsKey]: [
					{ Article: 'Chair', Quantity: '2.0' },
					{ Article: 'Lamp', Quantity: count },
				],
			};
		});
		const parameters = { ...upsert, ...by('upsert', 'Article', { skipUnchanged: true }) };
		const more = testbed.as('admin');
		const result = await testbed.run(parameters, items, more);
		expect(result.items.filter(({ json }) => json._action === 'updated')).toHaveLength(2);
		const lampOf = (id: number) => String(rowsOf(id)[1]?.[0]);
		expect(testbed.bodies).toEqual(
			[8, 58].map((id) => ({ [rowsKey]: { [lampOf(id)]: { [quantity]: 9 } } })),
		);
		expect(lookUpsOf(testbed).every(({ rawUrl }) => !rawUrl.includes('subtables=0'))).toBe(true);
		expect(testbed.reads.length).toBeLessThan(10);
	});
});

describe('an update', () => {
	const given = (...rows: object[]) => asJson({ Remark: 'new', [rowsKey]: rows });

	it('writes fields, rows and deletions in one request, of the rows only what differs', async () => {
		const [chair, , vase] = setRows(11, ['Chair', '1'], ['Lamp', '1'], ['Vase', '1']);
		const rows = given(
			{ Article: 'Vase', Quantity: 4 },
			{ Article: 'Desk', Quantity: 1 },
			{ _rowId: chair },
		);
		await testbed.run({ ...update, ...rows, ...by('replace', 'Article') });
		expect(testbed.bodies).toEqual([
			{
				[fields.remark]: 'new',
				[rowsKey]: {
					[String(vase)]: { [quantity]: 4 },
					'-2': { [article]: 'Desk', [quantity]: 1 },
				},
				[`_DELSUB_${lines.id}`]: [(chair ?? 0) + 1],
			},
		]);
		expect(testbed.reads.filter(({ path }) => path.endsWith('/11'))).toHaveLength(1);
		expect(rowsOf(11)).toEqual([
			[chair, 'Chair', '1'],
			[vase, 'Vase', '4'],
			[expect.any(Number), 'Desk', '1'],
		]);
		expect(
			record(11)
				.rows(lines.id)
				.get(vase ?? 0)
				?.get(lines.fields.unitPrice),
		).toBe('5');
	});

	it('adds as before, keeps what it does not name, and empties on purpose alone', async () => {
		setRows(11, ['Chair', '1']);
		await testbed.run({ ...update, ...given({ Article: 'Chair' }), ...by('append') });
		expect(rowsOf(11)).toHaveLength(2);
		await testbed.run({ ...update, ...asJson({ Remark: 'x' }), ...by('replace', 'Article') });
		expect(rowsOf(11)).toHaveLength(2);
		for (const mode of ['append', 'upsert', 'replace', 'replace']) {
			await testbed.run({ ...update, ...given(), ...by(mode, 'Article') });
			expect(rowsOf(11)).toHaveLength(mode === 'replace' ? 0 : 2);
		}
		const nothing = { ...update, ...asJson({ [rowsKey]: [] }), ...by('replace') };
		const { items } = await testbed.run(nothing);
		expect(items[0]?.json).toMatchObject({ _recordId: 11, _action: 'unchanged' });
	});

	it.each<[string, unknown, string, object[]]>([
		[
			'two rows of the record match one',
			'Article',
			"2 rows of the record match 'Chair'",
			[{ Article: 'Chair' }],
		],
		[
			'two rows of the item match one',
			'Article',
			"stand for the same row: they match 'Lamp'",
			[{ Article: 'Lamp' }, { Article: 'Lamp', Quantity: 2 }],
		],
		[
			'two new rows are alike',
			'Article',
			"they match 'New'",
			[{ Article: 'New' }, { Article: 'New' }],
		],
		[
			'a row has nothing to match on',
			'Article',
			"no value for the field 'Article'",
			[{ Quantity: 2 }],
		],
		[
			'a row id is not there',
			'Article',
			'There is no row 999999',
			[{ _rowId: 999999, Quantity: 2 }],
		],
		[
			'no field to match on is named',
			undefined,
			'No field to match the rows of subtable 2000001',
			[{ Article: 'Lamp' }],
		],
		[
			'a field to match on is unknown',
			'Artcle',
			"'Artcle' is not a field of subtable 2000001",
			[{ Article: 'Lamp' }],
		],
	])('writes nothing when %s', async (_, key, message, rows) => {
		setRows(11, ['Chair', '1'], ['Chair', '2'], ['Lamp', '1']);
		const parameters = { ...update, ...given(...rows), ...by('upsert', key) };
		const result = await testbed.runAll(parameters, [{}]);
		testbed.expectErrors(result, [message]);
		expect(testbed.writes).toEqual([]);
	});

	it.each([{}, { Article: '' }, { Quantity: null }])(
		'deletes no rows for one that has nothing to write: %j',
		async (row) => {
			setRows(11, ['Chair', '1']);
			const { error } = await testbed.run({ ...update, ...given(row), ...by('replace') });
			expect(error?.message).toBe(`A row for subtable ${lines.id} has nothing to write`);
			expect(testbed.writes).toEqual([]);
		},
	);

	it.each(['refused', 'passedOver'] as const)(
		'deletes in a second request where deletions together with rows are %s, and says when that fails',
		async (position) => {
			testbed.service.switches.deletionsWithRows = position;
			const parameters = { ...update, ...given({ Article: 'Vase' }), ...by('replace', 'Article') };
			setRows(11, ['Chair', '1'], ['Lamp', '1']);
			await testbed.run(parameters);
			expect(rowsOf(11)).toEqual([[expect.any(Number), 'Vase', undefined]]);
			const [chair] = setRows(11, ['Chair', '1']);
			testbed.inject({
				kind: 'body',
				body: '{"status":"ERROR","code":202,"msg":"Busy"}',
				when: ({ body }) => JSON.stringify(body) === `{"_DELSUB_${lines.id}":[${chair}]}`,
			});
			expect(await testbed.errorOf(parameters)).toContain(
				`not certain that these rows were deleted: ${chair} of subtable ${lines.id}`,
			);
			await testbed.run(parameters);
			expect(rowsOf(11)).toEqual([[expect.any(Number), 'Vase', undefined]]);
		},
	);
});

it('files go to the rows that are matched, and replace what they hold', async () => {
	const { photos } = siteVisits.subtables;
	const added = filesOption(['Photo_-1', 'a'], ['Photo_-2', 'b']);
	const parameters = {
		...{ operation: 'update', sheet: sheet(siteVisits), recordId: recordId(5) },
		...asJson({ [`_subtable_${photos.id}`]: [{ Caption: 'Cellar' }, { Caption: 'Front' }] }),
		...by('upsert', 'Caption', { filesMode: 'replace', ...added }),
	};
	const files = { a: textFile('a.txt', 'A'), b: textFile('b.txt', 'B') };
	const before = [...testbed.service.data.record(siteVisits, 5).rows(photos.id).keys()];
	for (let run = 0; run < 2; run++) {
		const { error } = await testbed.run(parameters, [await itemWithFiles({}, files)]);
		expect(error).toBeUndefined();
	}
	const rows = [...testbed.service.data.record(siteVisits, 5).rows(photos.id)];
	expect(rows.map(([id]) => id)).toEqual([...before, expect.any(Number)]);
	const held = rows.map(([, row]) => [
		row.get(photos.fields.caption),
		row.get(photos.fields.photo),
	]);
	expect(held).toEqual(
		expect.arrayContaining([
			['Front', [expect.stringMatching(/@b\.txt$/)]],
			['Cellar', [expect.stringMatching(/@a\.txt$/)]],
		]),
	);
});
