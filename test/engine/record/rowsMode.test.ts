import type { INodeParameters } from 'n8n-workflow';
import { orders, siteVisits, type IdentityName } from '../../service';
import { onOrder, onOrders, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { linesOf } from '../subtableRow/rowTestbed';
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

/** Returns the rows of an order as `[id, article, quantity]`. */
const rowsOf = (id: number) => linesOf(testbed.service, id);
/** Returns the rows without their IDs. */
const namedRows = (id: number) => rowsOf(id).map(([, name, count]) => `${name} ${count}`);

/** Sets the lines of an order, with a unit price of 5. Returns their IDs. */
function setRows(id: number, ...rows: Array<[article: string, quantity: string]>): number[] {
	const storedRows = rows.map(([name, count]) => {
		const values = { [article]: name, [quantity]: count, [lines.fields.unitPrice]: '5' };
		return [testbed.orders.takeRowId(), new Map(Object.entries(values))] as const;
	});
	record(id).subtables.set(lines.id, new Map(storedRows));
	return storedRows.map(([rowId]) => rowId);
}

const by = (rowsMode: string, rowMatchFields?: string, overrides: INodeParameters = {}) => ({
	options: { rowsMode, ...(rowMatchFields ? { rowMatchFields } : {}), ...overrides },
});

it.each<[as: IdentityName, stored: string, given: number | string]>([
	['member', '1500.00', 1500],
	['member', '1500', '1500.0'],
	['member', '1500', '1,500'],
	['admin', '1500.00', 1500],
	['admin', '1500', '1,500'],
])('numbers in rows match by value: %s, %j, %j', async (as, stored, given) => {
	for (const mode of ['upsert', 'replace']) {
		const [rowId] = setRows(11, ['Chair', stored]);
		const row = { Quantity: given, Article: 'Lamp' };
		const rows = asJson(JSON.stringify({ [rowsKey]: [row] }));
		await testbed.run({ ...update, ...rows, ...by(mode, 'Quantity') }, [{}], testbed.as(as));
		expect(rowsOf(11)).toEqual([[rowId, 'Lamp', String(given)]]);
	}
});

it.each(['Article, Quantity', `${quantity}\n${article}`])(
	'a row matches if all row match fields are equal: %j',
	async (names) => {
		const [, same] = setRows(11, ['Chair', '1'], ['Chair', '2'], ['Lamp', '2']);
		const rows = asJson({ [rowsKey]: [{ Article: 'Chair', Quantity: 2 }] });
		const result = await testbed.run({ ...update, ...rows, ...by('replace', names) });
		expect(result.error).toBeUndefined();
		expect(rowsOf(11)).toEqual([[same, 'Chair', '2']]);
	},
);

it.each(['upsert', 'replace'])(
	'an update that matches rows names what it changed: %s',
	async (mode) => {
		setRows(11, ['Chair', '1']);
		const rows = asJson({ Remark: 'new', [rowsKey]: [{ Article: 'Chair', Quantity: 2 }] });
		const { json } = await testbed.run({ ...update, ...rows, ...by(mode, 'Article') });
		expect(json[0]?._changed).toEqual(['Remark', rowsKey]);
	},
);

describe('an upsert that matches rows', () => {
	const twoRows = (chairs: number | string, lamps: number) => [
		{ Article: 'Chair', Quantity: chairs },
		{ Article: 'Lamp', Quantity: lamps },
	];
	const keyValues = { [fields.reference]: 'ONCE', [fields.customerNumber]: 'C-0001' };
	const item = { ...keyValues, [rowsKey]: twoRows(2, 1) };

	it.each([
		['upsert', 'Article', {}],
		['upsert', article, {}],
		['replace', `Article (${article})`, {}],
		['replace', undefined, {}],
		['upsert', 'Article', { schema: 'code106', definition: 'code106' }],
	] as const)('%s on %s can run repeatedly without changes %j', async (mode, key, switches) => {
		Object.assign(testbed.service.switches, switches);
		const parameters = { ...upsert, ...by(mode, key, { skipUnchanged: true }) };
		const actions: unknown[] = [];
		for (let run = 0; run < 3; run++) {
			actions.push(...(await testbed.runById(parameters, [item])).actions);
		}
		expect(actions).toEqual(['created', 'unchanged', 'unchanged']);
		expect(testbed.writes).toHaveLength(1);
		const [made] = [...testbed.orders.records.keys()].slice(-1);
		expect(namedRows(made ?? 0)).toEqual(['Chair 2', 'Lamp 1']);
	});

	it('an upsert that matches rows reads them with the look-ups, and writes only records that differ', async () => {
		const items = Array.from({ length: 100 }, (_, index) => {
			record(index + 1).set(fields.reference, `KEY-${index}`);
			setRows(index + 1, ['Chair', '2'], ['Lamp', '1']);
			const rows = twoRows('2.0', index % 50 === 7 ? 9 : 1);
			return { [fields.reference]: `KEY-${index}`, [rowsKey]: rows };
		});
		const parameters = { ...upsert, ...by('upsert', 'Article', { skipUnchanged: true }) };
		const { actions } = await testbed.runById(parameters, items, testbed.as('admin'));
		expect(actions.filter((action) => action === 'updated')).toHaveLength(2);
		const lampOf = (id: number) => String(rowsOf(id)[1]?.[0]);
		const chairOf = (id: number) => String(rowsOf(id)[0]?.[0]);
		// A person may have changed the equal values since the look-up, so they are sent, too.
		const body = (id: number) => ({
			[fields.reference]: `KEY-${id - 1}`,
			[rowsKey]: {
				[chairOf(id)]: { [article]: 'Chair', [quantity]: '2.0' },
				[lampOf(id)]: { [article]: 'Lamp', [quantity]: 9 },
			},
		});
		expect(testbed.bodies).toEqual([body(8), body(58)]);
		expect(lookUpsOf(testbed).every(({ rawUrl }) => !rawUrl.includes('subtables=0'))).toBe(true);
		expect(testbed.reads.length).toBeLessThan(10);
	});
});

describe('an update', () => {
	const updateWithRows = (...rows: object[]) => asJson({ Remark: 'new', [rowsKey]: rows });

	it('an update with rows writes fields, rows and deletions in one request, with all values of the matched rows', async () => {
		const [chair, , vase] = setRows(11, ['Chair', '1'], ['Lamp', '1'], ['Vase', '1']);
		const desk = { Article: 'Desk', Quantity: 1 };
		const rows = updateWithRows({ Article: 'Vase', Quantity: 4 }, desk, { _rowId: chair });
		await testbed.runById({ ...update, ...rows, ...by('replace', 'Article') });
		const added = { [article]: 'Desk', [quantity]: 1 };
		const sent = { [String(vase)]: { [article]: 'Vase', [quantity]: 4 }, '-1': added };
		const deletion = { [`_DELSUB_${lines.id}`]: [(chair ?? 0) + 1] };
		expect(testbed.bodies).toEqual([{ [fields.remark]: 'new', [rowsKey]: sent, ...deletion }]);
		expect(testbed.reads.filter(({ path }) => path.endsWith('/11'))).toHaveLength(1);
		expect(namedRows(11)).toEqual(['Chair 1', 'Vase 4', 'Desk 1']);
		expect(rowsOf(11).map(([id]) => id)).toEqual([chair, vase, expect.any(Number)]);
		const rowsBefore = record(11).rows(lines.id);
		expect(rowsBefore.get(vase ?? 0)?.get(lines.fields.unitPrice)).toBe('5');
	});

	it('an update adds rows by default, keeps rows that it does not name, and empties a subtable only on purpose', async () => {
		setRows(11, ['Chair', '1']);
		await testbed.runById({ ...update, ...updateWithRows({ Article: 'Chair' }), ...by('append') });
		expect(rowsOf(11)).toHaveLength(2);
		await testbed.runById({ ...update, ...asJson({ Remark: 'x' }), ...by('replace', 'Article') });
		expect(rowsOf(11)).toHaveLength(2);
		for (const mode of ['append', 'upsert', 'replace', 'replace']) {
			await testbed.runById({ ...update, ...updateWithRows(), ...by(mode, 'Article') });
			expect(rowsOf(11)).toHaveLength(mode === 'replace' ? 0 : 2);
		}
		const nothing = { ...update, ...asJson({ [rowsKey]: [] }), ...by('replace') };
		expect((await testbed.runById(nothing)).outcomes).toEqual(['11 unchanged #0']);
	});

	const [lamp, made] = [{ Article: 'Lamp' }, { Article: 'New' }];

	it.each<[warningText: string, rows: object[], key: string | undefined]>([
		["2 rows of the record match 'Chair'", [{ Article: 'Chair' }], 'Article'],
		["stand for the same row: they match 'Lamp'", [lamp, { ...lamp, Quantity: 2 }], 'Article'],
		["they match 'New'", [made, made], 'Article'],
		["no value for the field 'Article'", [{ Quantity: 2 }], 'Article'],
		['There is no row 999999', [{ _rowId: 999999, Quantity: 2 }], 'Article'],
		['No field to match the rows of subtable 2000001', [lamp], undefined],
		[
			'No field to match the rows of subtable 2000001',
			[{ _rowId: 1, Quantity: 2 }, lamp],
			undefined,
		],
		["'Artcle' in 'Row Match Fields' is not a field of subtable 2000001", [lamp], 'Artcle'],
	])('an update writes nothing for an ambiguous row: %s', async (expectedError, rows, key) => {
		setRows(11, ['Chair', '1'], ['Chair', '2'], ['Lamp', '1']);
		const parameters = { ...update, ...updateWithRows(...rows), ...by('upsert', key) };
		await testbed.expectRefused(parameters, [{}], expectedError);
	});

	it.each([{}, { Article: '' }, { Quantity: null }])(
		'an update deletes no rows for %j',
		async (row) => {
			setRows(11, ['Chair', '1']);
			const parameters = { ...update, ...updateWithRows(row), ...by('replace') };
			const expectedError = `A row for subtable ${lines.id} has nothing to write`;
			await testbed.expectRefused(parameters, [{}], expectedError);
		},
	);

	it.each([
		['append', undefined],
		['upsert', 'Article'],
	])('_warning names new rows without a value, which are not added: %s', async (mode, key) => {
		setRows(11, ['Chair', '1']);
		const rows = [{ Article: '' }, { Article: 'Lamp', Quantity: 1 }, {}];
		const { json } = await testbed.runById({
			...update,
			...updateWithRows(...rows),
			...by(mode, key),
		});
		expect(json[0]?._warning).toBe(
			`Check what was saved: 'a new row of ${rowsKey}' (not added, because it has no value).`,
		);
		expect(namedRows(11)).toEqual(['Chair 1', 'Lamp 1']);
	});

	it('an update with rows is sent once if the service rejects a value, even if it deletes rows', async () => {
		setRows(11, ['Chair', '1'], ['Lamp', '1']);
		const before = rowsOf(11);
		const body = '{"status":"INVALID","code":202,"msg":"Quantity is invalid."}';
		const when = ({ method }: { method: string }) => method === 'POST';
		testbed.inject({ kind: 'body', body, when });
		const parameters = {
			...update,
			...updateWithRows({ Article: 'Vase' }),
			...by('replace', 'Article'),
		};
		expect(await testbed.errorOf(parameters)).toContain('Quantity is invalid.');
		expect([testbed.writes.length, rowsOf(11)]).toEqual([1, before]);
	});

	it.each(['refused', 'passedOver'] as const)(
		'an update deletes rows in a second request if deletions together with rows are %s, and reports its failure',
		async (position) => {
			testbed.service.switches.deletionsWithRows = position;
			const parameters = {
				...update,
				...updateWithRows({ Article: 'Vase' }),
				...by('replace', 'Article'),
			};
			setRows(11, ['Chair', '1'], ['Lamp', '1']);
			await testbed.runById(parameters);
			expect(rowsOf(11)).toEqual([[expect.any(Number), 'Vase', undefined]]);
			const [chair] = setRows(11, ['Chair', '1']);
			const deletion = `{"_DELSUB_${lines.id}":[${chair}]}`;
			testbed.refuse(({ body }) => JSON.stringify(body) === deletion);
			const expectedError = `not certain that these rows were deleted: ${chair} of subtable ${lines.id}`;
			expect(await testbed.errorOf(parameters)).toContain(expectedError);
			await testbed.runById(parameters);
			expect(rowsOf(11)).toEqual([[expect.any(Number), 'Vase', undefined]]);
		},
	);

	it('an update with a second request for deletions keeps the warning about its first one', async () => {
		const { service } = testbed;
		service.switches.deletionsWithRows = 'passedOver';
		setRows(11, ['Chair', '1'], ['Lamp', '1']);
		let writes = 0;
		service.beforeRequest(({ method }) => {
			if (method !== 'POST') return;
			writes += 1;
			service.switches.writeWarning = writes === 1 ? 'Stock is low.' : '';
		});
		const rows = updateWithRows({ Article: 'Vase' });
		const { json } = await testbed.run({ ...update, ...rows, ...by('replace', 'Article') });
		expect(writes).toBe(2);
		expect(json[0]?._warning).toBe('Stock is low.');
	});
});

describe('a service that numbers the rows of each subtable gives new rows the IDs of deleted ones', () => {
	/** Gives order 11 the rows 1 and 2. */
	function setTwoRows(): void {
		const rows = ['Chair', 'Lamp'].map((name, index) => {
			return [index + 1, new Map([[article, name]])] as const;
		});
		record(11).subtables.set(lines.id, new Map(rows));
	}

	const cases: Array<[what: string, content: object, options: INodeParameters, names: string[]]> = [
		['replaced', { [rowsKey]: [{ Article: 'Vase' }] }, by('replace', 'Article'), ['Vase']],
		[
			'all replaced',
			{ [rowsKey]: [{ Article: 'a' }, { Article: 'b' }] },
			by('replace'),
			['a', 'b'],
		],
		[
			'deleted and added',
			{ [rowsKey]: [{ Article: 'Vase' }], [`_DELSUB_${lines.id}`]: [2] },
			{},
			['Chair', 'Vase'],
		],
		[
			'added, and a missing one is deleted',
			{ [rowsKey]: [{ Article: 'Vase' }], [`_DELSUB_${lines.id}`]: [3] },
			{},
			['Chair', 'Lamp', 'Vase'],
		],
	];

	describe.each(['together', 'refused', 'passedOver'] as const)('deletions %s', (position) => {
		it.each([true, false])('new rows stay (record in the answer: %s)', async (hasData) => {
			const positions = { deletionsWithRows: position, answerCarriesData: hasData };
			Object.assign(testbed.service.switches, { rowNumbers: 'bySubtable', ...positions });
			for (const [what, content, options, names] of cases) {
				setTwoRows();
				const result = await testbed.run({ ...update, ...asJson(content), ...options });
				const after = rowsOf(11).map(([, name]) => name);
				expect([what, result.error?.message, after]).toEqual([what, undefined, names]);
			}
		});
	});
});

describe('several items of one record, each with a row', () => {
	const flat = (...articles: string[]) =>
		articles.map((Article) => {
			const keyValues = { [fields.reference]: 'FLAT', [fields.customerNumber]: 'C-0001' };
			return { ...keyValues, [rowsKey]: [{ Article, Quantity: 1 }] };
		});
	const lost = `The rows of ${rowsKey} that an earlier item gave for this record were deleted, because Rows Mode Replace keeps only the rows of the last item. Give all rows of a record in one item, or set Rows Mode to Create or Update.`;

	it.each([
		['new', undefined, ['Desk', 'Lamp']],
		['new', undefined, ['Desk', 'Desk', 'Lamp']],
		['existing', 'Article', ['Desk', 'Lamp']],
		['existing', 'Article', ['Desk', 'Desk', 'Lamp']],
		['existing', undefined, ['Desk', 'Desk', 'Lamp']],
		['unchanged', 'Article', ['Chair', 'Lamp']],
	])('a %s record whose rows are replaced, matched on %s: %j', async (what, key, articles) => {
		if (what !== 'new') {
			record(9).set(fields.reference, 'FLAT').set(fields.customerNumber, 'C-0001');
		}
		setRows(9, ['Chair', '1']);
		const parameters = { ...upsert, ...by('replace', key, { skipUnchanged: true }) };
		const { json, error } = await testbed.runById(parameters, flat(...articles));
		expect(error).toBeUndefined();
		expect(json.map(({ _warning }) => _warning)).toEqual([
			...articles.slice(1).map(() => undefined),
			lost,
		]);
		expect(namedRows(Number(json[0]?._recordId))).toEqual(['Lamp 1']);
	});

	it.each(['append', 'upsert'])('has no warning with Rows Mode %s', async (mode) => {
		const { json } = await testbed.runById(
			{ ...upsert, ...by(mode, 'Article') },
			flat('Chair', 'Lamp'),
		);
		expect(json.map(({ _warning }) => _warning)).toEqual([undefined, undefined]);
		expect(namedRows(Number(json[0]?._recordId))).toEqual(['Chair 1', 'Lamp 1']);
	});

	it.each(['append', 'upsert'])(
		'has no warning if an item also deletes a row, with Rows Mode %s',
		async (mode) => {
			const [rowId = 0] = setRows(11, ['Chair', '1']);
			const rows = (Article: string) => ({ [rowsKey]: [{ Article, Quantity: 1 }] });
			const { json } = await testbed.runById(
				{ ...update, ...autoMapped(), ...by(mode, 'Article') },
				[rows('Desk'), { ...rows('Lamp'), [`_DELSUB_${lines.id}`]: [rowId] }],
			);
			expect(json.map(({ _warning }) => _warning)).toEqual([undefined, undefined]);
			expect(namedRows(11)).toEqual(['Desk 1', 'Lamp 1']);
		},
	);
});

it('a record whose rows are replaced by none, and that has none, is returned with all fields', async () => {
	setRows(11);
	const returned = async (json: object) => {
		const result = await testbed.run({ ...update, ...asJson(json), ...by('replace') });
		return result.json[0] ?? {};
	};
	const written = await returned({ [fields.remark]: 'new' });
	testbed.service.requests.clear();
	const unchanged = await returned({ [rowsKey]: [] });
	expect(testbed.writes).toHaveLength(0);
	expect(unchanged).toEqual({ ...written, _action: 'unchanged', _changed: [] });
});

it('files are uploaded to matched rows, and replace their files', async () => {
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
		const { error } = await testbed.runById(parameters, [await itemWithFiles({}, files)]);
		expect(error).toBeUndefined();
	}
	const rows = [...testbed.service.data.record(siteVisits, 5).rows(photos.id)];
	expect(rows.map(([id]) => id)).toEqual([...before, expect.any(Number)]);
	const { caption, photo } = photos.fields;
	const photosByCaption = Object.fromEntries(
		rows.map(([, row]) => [row.get(caption), row.get(photo)]),
	);
	expect(photosByCaption.Front).toEqual([expect.stringMatching(/@b\.txt$/)]);
	expect(photosByCaption.Cellar).toEqual([expect.stringMatching(/@a\.txt$/)]);
});
