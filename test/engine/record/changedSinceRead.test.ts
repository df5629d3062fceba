import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type SeenRequest } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

/** Changes by a person between the read of an item and its write, and between the writes of two items of one record. */
const testbed = useRecordTestbed({ demoRecords: 20 });
const { remark, city } = orders.fields;
const second = 1_000;

const update = { ...onOrder('update', '={{ $json._recordId }}'), ...autoMapped() };
const upsert = { ...onOrders('upsert'), ...autoMapped(['Order Number']) };
const operations: Array<[string, INodeParameters]> = [
	['update', update],
	['upsert', upsert],
];

/** Reads order 12 with its information, some seconds after its last change. */
async function read(options: INodeParameters = { info: true }): Promise<IDataObject> {
	const readOptions = { onlyFields: 'Order Number, Remark, City', subtables: false, ...options };
	const { json } = await testbed.run({ ...onOrder('get', 12), options: readOptions });
	testbed.service.requests.clear();
	testbed.service.clock.advance(5 * second);
	return json[0] ?? {};
}

const editCity = (text: string) => testbed.service.people.edit(orders, 12, { [city]: text });

async function write(parameters: INodeParameters, items: IDataObject[], options: INodeParameters) {
	return await testbed.runAll({ ...parameters, options }, items);
}

/** Edits the city as a person right before the read that comes before the second write, and after that of the date of the first. */
function editBetweenWrites(delay: number): void {
	let writes = 0;
	let readsOfDate = testbed.service.switches.answerCarriesData ? 0 : 1;
	const stop = testbed.service.beforeRequest(({ method }) => {
		if (method !== 'GET') writes++;
		if (writes !== 1 || method !== 'GET' || readsOfDate-- > 0) return;
		stop();
		testbed.service.clock.advance(delay);
		editCity('of a person');
	});
}

/** The operations with times of the account or with `UTC Offset`, and with or without the saved record in the answers. */
const variants = [{}, { timeZone: 8 }, { timeZone: -5 }].flatMap((offset) =>
	[true, false].flatMap((answerCarriesData) =>
		operations.map(
			([name, parameters]) => [name, offset, { answerCarriesData }, parameters] as const,
		),
	),
);

describe.each(variants)(
	'two items of one record, and a conflict is an error: %s %j %j',
	(_, offset, switches, parameters) => {
		beforeEach(() => void Object.assign(testbed.service.switches, switches));

		const onConflict = { onConflict: 'error', ...offset };
		const readItem = async () => await read({ info: true, ...offset });

		it('an edit that only the first item has read is not overwritten by the second item', async () => {
			const older = await readItem();
			editCity('of a person');
			const newer = await readItem();
			const result = await write(
				parameters,
				[
					{ ...newer, Remark: '1' },
					{ ...older, Remark: '2' },
				],
				onConflict,
			);
			testbed.expectErrors(result, { 1: /^Record 12 was changed by ada\.admin@acme\.example/ });
			expect(testbed.order(12).text(city)).toBe('of a person');
			expect(testbed.order(12).text(remark)).toBe('1');
		});

		it.each([0, 3 * second])(
			'an edit by a person between the items is not overwritten, %i ms after the first write',
			async (delay) => {
				const item = await readItem();
				editBetweenWrites(delay);
				const items = ['1', '2'].map((text) => ({ ...item, Remark: text }));
				testbed.expectErrors(await write(parameters, items, onConflict), {
					1: /changed by ada\.admin/,
				});
				expect(testbed.order(12).text(city)).toBe('of a person');
			},
		);

		it('both are written if nobody else changes the record', async () => {
			const item = await readItem();
			const items = ['1', '2'].map((text) => ({ ...item, Remark: text }));
			const { outcomes } = await write(parameters, items, onConflict);
			expect(outcomes).toEqual(['12 updated #0', '12 updated #1']);
		});
	},
);

describe.each(operations)('an item with the date of its last change: %s', (_, parameters) => {
	it('is written with a warning if somebody changed the record since, and names the changed fields', async () => {
		const item = await read();
		editCity('of a person');
		const { json } = await write(parameters, [{ ...item, Remark: 'mine' }], {});
		expect(json[0]).toMatchObject({ _action: 'updated', _changed: ['City', 'Remark'] });
		expect(json[0]?._warning).toMatch(
			/^Record 12 was changed by ada\.admin@acme\.example at [\d/ :]+, after it was read for this item/,
		);
		expect(testbed.order(12).text(city)).toBe(item.City);
	});

	it('is written without the warning after the run itself has written the record for an item without the date', async () => {
		const { _update_date, _update_user, ...undated } = await read();
		const dated = { ...undated, _update_date, _update_user };
		const items = [undated, dated, undated, dated].map((item, index) => ({
			...{ ...item, Remark: `text ${index}` },
		}));
		const { json } = await write(parameters, items, {});
		expect(json.map(({ _warning }) => _warning)).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	it('is written without the warning if its record cannot be read alone', async () => {
		const item = await read();
		editCity('of a person');
		const isSingleRead = ({ method, path }: SeenRequest) =>
			method === 'GET' && path.endsWith('/12');
		const soon = { headers: { 'retry-after': '0' } };
		const fault = { kind: 'status', status: 500, ...soon } as const;
		testbed.inject({ ...fault, when: isSingleRead, times: Infinity });
		const { json } = await write(parameters, [{ ...item, Remark: 'mine' }], {});
		expect(json).toMatchObject([{ _recordId: 12, Remark: 'mine', _action: 'updated' }]);
		expect(json[0]).not.toHaveProperty('_warning');
	});

	it('is told about the change in a dry run, too', async () => {
		const item = await read();
		editCity('of a person');
		const { json, items } = await write(parameters, [{ ...item, Remark: 'x' }], { dryRun: true });
		expect(items).toHaveLength(1);
		expect(json[0]?._warning).toMatch(
			/^Record 12 was changed by .* at .*\. The values of this item would be written anyway\.$/,
		);
		expect(testbed.writes).toEqual([]);
	});

	it('has the warning also after later items have written the record', async () => {
		const item = await read();
		editBetweenWrites(second);
		const items = ['1', '2', '3'].map((text) => ({ ...item, Remark: text }));
		const { json } = await write(parameters, items, {});
		const isWarned = ({ _warning }: IDataObject) => /was changed by ada/.test(String(_warning));
		expect(json.map(isWarned)).toEqual([false, true, true]);
	});

	it('has no warning if nobody changed the record, also for two items, and costs one read each', async () => {
		const item = await read();
		const items = ['1', '2'].map((text) => ({ ...item, Remark: text }));
		const { json } = await write(parameters, items, {});
		expect(json.map(({ _changed }) => _changed)).toEqual([['Remark'], ['Remark']]);
		expect(json.map(({ _warning }) => _warning)).toEqual([undefined, undefined]);
		expect(testbed.reads.filter(({ path }) => path.endsWith('/orders/1/12'))).toHaveLength(2);
	});

	it('has the keys of the other items, whose last change is not known', async () => {
		const item = await read();
		const items = [item, { ...item, _update_date: '' }].map((read) => ({
			...read,
			Remark: 'mine',
		}));
		const { json } = await write(parameters, items, {});
		expect(json.map(({ _changed }) => _changed)).toEqual([['Remark'], null]);
		expect(Object.keys(json[1] ?? {})).toEqual(Object.keys(json[0] ?? {}));
	});

	it('without the date nothing is read, and no changed fields are named', async () => {
		const item = await read({});
		const { json } = await write(parameters, [{ ...item, Remark: 'mine' }], {});
		expect(json[0]).not.toHaveProperty('_changed');
		expect(testbed.reads.filter(({ path }) => path.endsWith('/orders/1/12'))).toEqual([]);
	});
});

it.each<[string, INodeParameters]>([
	['update', { ...onOrder('update', 13), ...autoMapped() }],
	['upsert', upsert],
])(
	'an item of one record has no warning of changes to another record that it is written to: %s',
	async (_, parameters) => {
		const item = await read();
		testbed.service.people.edit(orders, 13, { [city]: 'of a person' });
		const ofOther = { 'Order Number': testbed.order(13).text(orders.fields.orderNumber) };
		const { json } = await write(parameters, [{ ...item, ...ofOther, Remark: 'mine' }], {});
		expect(json[0]).toMatchObject({ _recordId: 13, _action: 'updated', Remark: 'mine' });
		expect(String(json[0]?._warning)).not.toContain('was changed by');
	},
);

it('an upsert with Skip Unchanged names the changed fields of each item', async () => {
	const item = await read({});
	const changed = { ...item, Remark: 'mine' };
	const created = { 'Order Number': 'SO-NEW', 'Customer Number': 'C-0001' };
	const { json } = await write(upsert, [item, changed, created], { skipUnchanged: true });
	expect(json.map(({ _action, _changed }) => [_action, _changed])).toEqual([
		['unchanged', []],
		['updated', ['Remark']],
		['created', []],
	]);
});

it.each([
	[{ timeZone: 8 }, {}],
	[{}, { timeZone: -5 }],
	[{ timeZone: 8 }, { timeZone: -5 }],
	[{ timeZone: -5 }, { timeZone: 8 }],
])(
	'two items of one record that were read with %j and with %j are no conflict of each other',
	async (first, next) => {
		const items = [await read({ info: true, ...first }), await read({ info: true, ...next })];
		for (const [, parameters] of operations) {
			const numbered = items.map((item, index) => ({ ...item, Remark: `${index}` }));
			const result = await write(parameters, numbered, { onConflict: 'error' });
			expect(result.errorItems).toEqual([]);
			expect(testbed.order(12).text(remark)).toBe('1');
			testbed.service.reset();
		}
	},
);
