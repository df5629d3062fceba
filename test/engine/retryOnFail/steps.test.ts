import type { INodeParameters } from 'n8n-workflow';
import { orders, siteVisits, type SeenRequest } from '../../service';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, autoMapped, filesOption } from '../record/recordValues';
import { linesOf } from '../subtableRow/rowTestbed';
import { onOrder, onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { refusal, retrying } from './retrying';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article } = lines.fields;
const rows = `_subtable_${lines.id}`;
const deletions = `_DELSUB_${lines.id}`;

/** Refuses the next write to an order whose body contains the text. */
function refuseOnce(order: number, text = ''): void {
	const when = ({ method, path, body }: SeenRequest) =>
		method !== 'GET' && path.endsWith(`/${order}`) && String(JSON.stringify(body)).includes(text);
	testbed.refuse(when);
}

/** Gives the orders the same reference and a contract. Returns the parameters that match them. */
function equalOrders(...ids: number[]) {
	for (const id of ids) {
		const old = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		testbed.order(id).set(fields.reference, 'KEY');
		testbed.order(id).set(fields.contract, [old]);
	}
	return { ...onOrders('upsert'), matchFields: [fields.reference] };
}

const namesIn = (id: number) =>
	storedFiles(testbed.service, orders, id, fields.contract).map((file) => file?.name);
const articles = (id: number) => linesOf(testbed.service, id).map(([, text]) => text);

const file = async (name: string, json = {}) =>
	await itemWithFiles(json, { data: textFile(`${name}.txt`, name) });

describe('an item that writes several records', () => {
	it.each([4, 5, 6])(
		'replaces the files of each of them although emptying record %d was refused',
		async (refused) => {
			const parameters = { ...equalOrders(4, 5, 6), ...asJson({ [fields.reference]: 'KEY' }) };
			refuseOnce(refused);
			const options = { onMultipleMatches: 'updateAll', filesMode: 'replace' };
			const files = filesOption([fields.contract, 'data']);
			const result = await testbed.runById(
				{ ...parameters, options: { ...files, ...options } },
				[await file('new')],
				retrying,
			);
			expect(result.outcomes).toEqual(['4 updated #0', '5 updated #0', '6 updated #0']);
			expect([4, 5, 6].map(namesIn)).toEqual([['new.txt'], ['new.txt'], ['new.txt']]);
			expect(testbed.writes).toHaveLength(7);
		},
	);

	it('deletes all of them, and returns each, although a deletion was refused', async () => {
		const parameters = equalOrders(4, 5, 6);
		refuseOnce(5);
		const deletion = { ...parameters, operation: 'delete', deleteBy: 'match' };
		const result = await testbed.run(
			{ ...deletion, options: { onMultipleMatches: 'all' } },
			[{ [fields.reference]: 'KEY' }],
			retrying,
		);
		expect(result.items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
			[4, 5, 6].map((_recordId) => [{ deleted: true, _recordId }, { item: 0 }]),
		);
		expect(testbed.writes).toHaveLength(4);
	});

	const values = { [fields.reference]: 'KEY', [fields.customerNumber]: 'C-0001' };
	const updating = { ...asJson(values), operation: 'upsert' };
	const deleting = { operation: 'delete', deleteBy: 'match' };

	/** Refuses the first write to order 5. Before the next attempt, people give orders another reference. */
	async function retried(parameters: INodeParameters, takenAway: number[]) {
		const matching = { ...equalOrders(4, 5), ...parameters };
		const onMultipleMatches = parameters === deleting ? 'all' : 'updateAll';
		testbed.refuse(({ method, path }) => {
			if (method === 'GET' || !path.endsWith('/5')) return false;
			for (const id of takenAway) {
				testbed.service.people.edit(orders, id, { [fields.reference]: 'OTHER' });
			}
			return true;
		});
		const items = [{ [fields.reference]: 'KEY' }];
		return await testbed.run({ ...matching, options: { onMultipleMatches } }, items, retrying);
	}

	it.each([
		['updates', [4, 5], [4], updating],
		['updates', [4], [4, 5], updating],
		['deletes', [5], [4], deleting],
	])(
		'returns all that it %s, although the orders %j do not match any more in the next attempt',
		async (_, takenAway, ids, parameters) => {
			const { size } = testbed.orders.records;
			const { json } = await retried(parameters, takenAway);
			expect(json.map(({ _recordId }) => _recordId)).toEqual(ids);
			const deleted = json.filter((item) => item.deleted === true).length;
			expect(testbed.orders.records.size).toBe(size - deleted);
			expect(deleted).toBe(parameters === deleting ? 1 : 0);
		},
	);

	it('creates no record in place of one that is deleted before its write in the next attempt', async () => {
		let writes = 0;
		testbed.service.beforeRequest(({ method, path }) => {
			if (method === 'GET' || !path.endsWith('/5')) return;
			if (++writes === 2) testbed.service.people.delete(orders, 5);
		});
		const { size } = testbed.orders.records;
		const { json } = await retried(updating, [4]);
		expect(json.map(({ _recordId }) => _recordId)).toEqual([4]);
		expect(testbed.orders.records.size).toBe(size - 1);
	});

	it("returns what each attempt has done, with 'Skip Unchanged'", async () => {
		const parameters = { ...equalOrders(4, 5, 6), ...autoMapped([fields.reference]) };
		testbed.order(5).set(fields.remark, 'same');
		refuseOnce(6);
		const result = await testbed.runById(
			{ ...parameters, options: { onMultipleMatches: 'updateAll', skipUnchanged: true } },
			[{ [fields.reference]: 'KEY', [fields.remark]: 'same' }],
			retrying,
		);
		expect(result.outcomes).toEqual(['4 updated #0', '5 unchanged #0', '6 updated #0']);
	});
});

it('a record that somebody else creates after a refused creation is updated', async () => {
	const when = ({ method, path }: SeenRequest) => {
		if (method === 'GET' || !path.endsWith('/1')) return false;
		const theirs = testbed.orders.add({ at: 0, user: 'ada.admin@acme.example' });
		theirs.set(fields.reference, 'NEW').set(fields.customerNumber, 'C-0001');
		return true;
	};
	testbed.refuse(when);
	const { size } = testbed.orders.records;
	const values = { [fields.reference]: 'NEW', [fields.customerNumber]: 'C-0002' };
	const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]) };
	const result = await testbed.runById(upsert, [values], retrying);
	expect(result.actions).toEqual(['updated']);
	expect(testbed.orders.records.size).toBe(size + 1);
});

it('an item whose upload was refused after its field was emptied is finished as it was planned', async () => {
	equalOrders(4);
	testbed.refuse((seen: SeenRequest) => seen.files.length > 0);
	const options = { ...filesOption([fields.contract, 'data']), filesMode: 'replace' };
	const record = asJson(`={{ ({ "${fields.remark}": "at " + Math.random().toString(36) }) }}`);
	const parameters = { ...onOrder('update', 4), ...record, options };
	const { outcomes } = await testbed.runById(parameters, [await file('new')], retrying);
	expect([outcomes, namesIn(4)]).toEqual([['4 updated #0'], ['new.txt']]);
	// The new attempt does not empty the field again, and sends the values of the first one.
	const [emptied, refused, ...sent] = testbed.bodies;
	expect(emptied).toEqual({ [fields.contract]: '', [fields.remark]: expect.any(String) });
	expect(JSON.stringify(refused)).toContain('"at ');
	expect(sent).toEqual([refused]);
});

describe('files of earlier items of the run', () => {
	const options = { ...filesOption([fields.contract, 'data']), filesMode: 'replace' };
	const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]), options };
	const values = { [fields.reference]: 'KEY', [fields.customerNumber]: 'C-0001' };

	it.each([0, 1, 2])(
		'stay in a record that the run has created, upload %d refused',
		async (nth) => {
			let uploads = 0;
			const when = (seen: SeenRequest) => seen.files.length > 0 && ++uploads === nth;
			testbed.refuse(when);
			const items = [await file('one', values), await file('two', values)];
			const result = await testbed.runById(upsert, items, retrying);
			expect(result.actions).toEqual(['created', 'updated']);
			expect(namesIn(21)).toEqual(['one.txt', 'two.txt']);
		},
	);

	it.each([true, false])(
		'stay in a row that the run has added (record in the answer: %s)',
		async (answerCarriesData) => {
			testbed.service.switches.answerCarriesData = answerCarriesData;
			const { photos } = siteVisits.subtables;
			const rowsMode = { rowsMode: 'upsert', rowMatchFields: 'Caption', filesMode: 'replace' };
			const parameters = {
				...{ operation: 'upsert', sheet: sheet(siteVisits), ...autoMapped(['Site']) },
				options: { ...filesOption(['Photo_-1', 'data']), ...rowsMode },
			};
			const [visit] = testbed.service.data.sheet(siteVisits).records.values();
			for (const site of ['New', visit?.text(siteVisits.fields.site) ?? '']) {
				const json = { Site: site, [`_subtable_${photos.id}`]: [{ Caption: 'Gate' }] };
				const items = [await file('one', json), await file('two', json)];
				const result = await testbed.runById(parameters, items);
				const record = testbed.service.data.record(siteVisits, Number(result.ids[0]));
				const row = [...record.rows(photos.id).values()].at(-1);
				const names = [row?.get(photos.fields.photo) ?? ''].flat();
				expect(names.map((name) => name.split('@')[1])).toEqual(['one.txt', 'two.txt']);
			}
		},
	);

	it('an old file of a row is replaced, although the run has added another row', async () => {
		const { photos } = siteVisits.subtables;
		const visit = testbed.service.data.record(siteVisits, 5);
		const [[rowId = 0, row] = []] = visit.rows(photos.id);
		row?.set(photos.fields.photo, 'a1@old.txt');
		const rowsMode = { rowsMode: 'upsert', rowMatchFields: 'Caption', filesMode: 'replace' };
		const options = { ...filesOption(['Photo_-1', 'data']), ...rowsMode };
		const update = { ...onOrder('update', 5), sheet: sheet(siteVisits), ...autoMapped(), options };
		const of = (Caption: string) => ({ [`_subtable_${photos.id}`]: [{ Caption }] });
		const items = [of('New'), of(row?.get(photos.fields.caption)?.toString() ?? '')];
		const named = [await file('one', items[0]), await file('two', items[1])];
		const result = await testbed.runById(update, named);
		expect(result.error).toBeUndefined();
		const stored = [visit.rows(photos.id).get(rowId)?.get(photos.fields.photo)].flat();
		expect(stored).toEqual([expect.stringMatching(/@two\.txt$/)]);
	});
});

describe('an update with rows and deletions whose parts are written one by one', () => {
	const [kept, removed] = ['kept', 'removed'];

	/** Gives order 4 two rows. Returns the ID of the second one. */
	function twoRows(): number {
		const ids = [kept, removed].map((text) => {
			const id = testbed.orders.takeRowId();
			testbed
				.order(4)
				.rows(lines.id)
				.set(id, new Map([[article, text]]));
			return id;
		});
		for (const [id] of linesOf(testbed.service, 4)) {
			if (!ids.includes(id)) testbed.order(4).rows(lines.id).delete(id);
		}
		return ids[1] ?? 0;
	}

	it.each([
		['new rows', { [rows]: [{ [article]: 'new' }] }],
		['new rows with the time', '$now'],
	])('adds %s once, although the deletion was refused', async (_, content) => {
		const row = twoRows();
		for (const text of [rows, `{"${deletions}"`]) refuseOnce(4, text);
		const withTime = `={{ ({ "${rows}": [{ "${article}": "new", "${lines.fields.quantity}": Date.now() % 1e6 }], "${deletions}": [${row}] }) }}`;
		const record = content === '$now' ? withTime : { ...Object(content), [deletions]: [row] };
		const parameters = { ...onOrder('update', 4), ...asJson(record) };
		const result = await testbed.runById(parameters, [{}], retrying);
		expect(result.status).toBe('success');
		expect(articles(4)).toEqual([kept, 'new']);
		expect(result.json[0]?.[rows]).toMatchObject([{ [article]: kept }, { [article]: 'new' }]);
	});

	it("keeps the rows of the first attempt in mode 'Replace' although they have the time", async () => {
		twoRows();
		testbed.service.switches.deletionsWithRows = 'refused';
		refuseOnce(4, `{"${deletions}"`);
		const { quantity } = lines.fields;
		const record = `={{ ({ "${rows}": ["a", "b"].map((text) => ({ "${article}": text, "${quantity}": String(Math.random()) })) }) }}`;
		const options = { rowsMode: 'replace' };
		const parameters = { ...onOrder('update', 4), ...asJson(record), options };
		const result = await testbed.runById(parameters, [{}], retrying);
		expect(result.status).toBe('success');
		expect(articles(4)).toEqual(['a', 'b']);
	});

	it('an update of which nothing was written is compared with the record again', async () => {
		twoRows();
		const when = ({ method }: SeenRequest) => {
			if (method === 'GET') return false;
			const id = testbed.orders.takeRowId();
			testbed
				.order(4)
				.rows(lines.id)
				.set(id, new Map([[article, 'theirs']]));
			return true;
		};
		testbed.inject({ ...refusal, when });
		const record = asJson({ [rows]: [{ [article]: kept }] });
		const parameters = { ...onOrder('update', 4), ...record, options: { rowsMode: 'replace' } };
		const result = await testbed.runById(parameters, [{}], retrying);
		expect(result.status).toBe('success');
		expect(articles(4)).toEqual([kept]);
	});

	it('keeps new rows with the IDs of deleted ones, although the upload was refused', async () => {
		twoRows();
		const numbered = [...testbed.order(4).rows(lines.id).values()];
		testbed
			.order(4)
			.subtables.set(lines.id, new Map(numbered.map((row, index) => [index + 1, row])));
		testbed.service.switches.rowNumbers = 'bySubtable';
		equalOrders(4);
		testbed.inject({ ...refusal, when: ({ files }) => files.length > 0 });
		const parameters = { ...onOrder('update', 4), ...asJson({ [rows]: [{ [article]: 'new' }] }) };
		const modes = { rowsMode: 'replace', filesMode: 'replace' };
		const options = { ...filesOption([fields.contract, 'data']), ...modes };
		const result = await testbed.runById({ ...parameters, options }, [await file('new')], retrying);
		expect([result.error?.message, articles(4), namesIn(4)]).toEqual([
			undefined,
			['new'],
			['new.txt'],
		]);
	});

	it('uploads a file once, although the deletion was refused', async () => {
		const row = twoRows();
		for (const text of ['DELSUB', `{"${deletions}"`]) refuseOnce(4, text);
		const record = { [rows]: [{ [article]: 'new' }], [deletions]: [row] };
		const options = filesOption([fields.contract, 'data']);
		const parameters = { ...onOrder('update', 4), ...asJson(record), options };
		const before = namesIn(4);
		const result = await testbed.runById(parameters, [await file('new')], retrying);
		expect(result.status).toBe('success');
		expect([articles(4), namesIn(4)]).toEqual([
			[kept, 'new'],
			[...before, 'new.txt'],
		]);
	});

	it('sends the deletion although an earlier request was confirmed without it', async () => {
		const row = twoRows();
		testbed.service.switches.deletionsWithRows = 'passedOver';
		refuseOnce(4, `{"${deletions}":[${row}]}`);
		const record = { [rows]: [{ [article]: 'new' }], [deletions]: [row] };
		const parameters = { ...onOrder('update', 4), ...asJson(record) };
		const result = await testbed.runById(parameters, [{}], retrying);
		expect(result.status).toBe('success');
		expect(articles(4)).toEqual([kept, 'new']);
		expect(testbed.writes).toHaveLength(3);
	});
});

describe("'On Conflict' and 'Retry On Fail'", () => {
	const options = { onConflict: 'error', filesMode: 'replace' };
	const files = filesOption([fields.contract, 'data']);
	const update = {
		...onOrder('update', '={{ $json._recordId }}'),
		...autoMapped(),
		options: { ...files, ...options },
	};
	const isUpload = (seen: SeenRequest) => seen.files.length > 0;

	/** Reads an order with its information, a minute before the test continues. */
	async function readOrder(id: number) {
		equalOrders(id);
		const readOptions = { info: true, onlyFields: 'Remark', subtables: false };
		const { json } = await testbed.run({ ...onOrder('get', id), options: readOptions });
		testbed.service.clock.advance(60_000);
		return { ...json[0], Remark: 'mine' };
	}

	it.each([true, false])(
		'files that were removed before the upload was refused are no conflict (record in the answer: %s)',
		async (answerCarriesData) => {
			testbed.service.switches.answerCarriesData = answerCarriesData;
			const item = await file('new', await readOrder(4));
			testbed.inject({ ...refusal, when: isUpload });
			const result = await testbed.runById(update, [item], retrying);
			expect([result.error?.message, namesIn(4)]).toEqual([undefined, ['new.txt']]);
		},
	);

	it.each([1, 2])('two items of one record are no conflict, upload %d refused', async (nth) => {
		const json = await readOrder(4);
		let uploads = 0;
		testbed.inject({ ...refusal, when: (seen) => isUpload(seen) && ++uploads === nth });
		testbed.service.beforeRequest(() => testbed.service.clock.advance(2_000));
		const items = [await file('one', json), await file('two', json)];
		const result = await testbed.runById(update, items, retrying);
		expect([result.error?.message, namesIn(4)]).toEqual([undefined, ['one.txt', 'two.txt']]);
	});

	it('an edit by a person between two attempts is a conflict', async () => {
		const item = await file('new', await readOrder(4));
		testbed.inject({
			...refusal,
			when: (seen) => {
				if (isUpload(seen)) {
					testbed.service.clock.advance(5_000);
					testbed.service.people.edit(orders, 4, { [fields.remark]: 'theirs' });
				}
				return isUpload(seen);
			},
		});
		const result = await testbed.runById(update, [item], retrying);
		expect(result.error?.message).toContain('Record 4 was changed by ada.admin@acme.example');
		expect(testbed.order(4).text(fields.remark)).toBe('theirs');
	});
});
