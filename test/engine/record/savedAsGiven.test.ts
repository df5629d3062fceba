import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { linesOf } from '../subtableRow/rowTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;
const record = (id: number) => testbed.order(id);
const bodies = () => testbed.writes.map(({ body }) => Object(body));
const identities = ['admin', 'member'] as const;
/** Options without the service's script, which would change another field. */
const quiet = { doWorkflow: false };
const onOrders = { sheet: sheet(orders), options: quiet };
const update = { operation: 'update', ...onOrders, recordId: recordId(12), ...autoMapped() };

async function read(identity: IdentityName, id = 12, options: INodeParameters = {}) {
	const parameters = { ...onOrders, operation: 'get', recordId: recordId(id), options };
	const { json } = await testbed.run(parameters, [{}], testbed.as(identity));
	testbed.service.requests.clear();
	return json[0] ?? {};
}

async function write(
	identity: IdentityName,
	items: IDataObject[],
	overrides: INodeParameters = {},
) {
	const parameters = { ...update, ...overrides };
	return await testbed.runAllById(parameters, items, testbed.as(identity));
}

async function warningOf(
	identity: IdentityName,
	item: IDataObject,
	overrides: INodeParameters = {},
) {
	const result = await write(identity, [item], overrides);
	expect(result.errorItems).toEqual([]);
	return result.json[0]?._warning;
}

beforeEach(() => (testbed.service.switches.schemaChoices = true));

describe.each(identities)('changes by %s in a record that was read', (identity) => {
	beforeEach(() => {
		for (let id = 30; id < 60; id++) record(id).set(fields.tags, ['Gift', 'Repeat, large']);
	});

	it('are validated like typed values', async () => {
		record(12).set(fields.tags, ['Fragile']);
		const item = await read(identity);
		const result = await write(identity, [
			{ ...item, 'Order Date': '31.01.2031' },
			{ ...item, Tags: 'Gift, Bulk', 'Order Date': '2031-01-31' },
			{ ...item, Tags: 'Repeat, large', 'Order Date': '{{ none }}' },
			{ ...item, Tags: 'Gift,Repeat, large' },
		]);
		const expectedError = "is not a valid date for 'Order Date'";
		testbed.expectErrors(result, { 0: `'31.01.2031' ${expectedError}`, 2: expectedError });
		expect(bodies()).toEqual([
			expect.objectContaining({
				[fields.tags]: ['Gift', 'Bulk'],
				[fields.orderDate]: '2031/01/31',
			}),
			expect.objectContaining({ [fields.tags]: ['Gift', 'Repeat, large'] }),
		]);
	});

	it('are written, and unchanged values are written back even if they would be invalid as new values', async () => {
		const oddValues = { [fields.orderDate]: 'asap', [fields.tags]: 'Old, tag' };
		for (const [id, value] of Object.entries(oddValues)) record(12).set(id, value);
		const item = { ...(await read(identity)), Tags: 'Old, tag', City: 'Ulm' };
		await write(identity, [item]);
		expect(bodies()).toHaveLength(1);
		expect(record(12).text(fields.city)).toBe('Ulm');
		expect(record(12).text(fields.orderDate)).toBe('asap');
		expect([record(12).value(fields.tags)].flat()).toEqual(['Old, tag']);
		// The text was not read from this record, so it is validated. Other records show that the field may contain it.
		const result = await write(identity, [{ ...(await read(identity, 13)), 'Order Date': 'asap' }]);
		const expectedError = "'asap' is not a valid date for 'Order Date'";
		testbed.expectErrors(result, identity === 'admin' ? [expectedError] : []);
	});
});

describe('new data', () => {
	it.each(identities)(
		'new data of %s is written, even if it looks like a masked value or markup',
		async (identity) => {
			const status = testbed.orders.field(fields.status);
			Object.assign(status ?? {}, { choices: ['Open', '***'] });
			const values = { Description: '<b>New</b> &amp; more', Status: '***' };
			await write(identity, [values]);
			const sent = { [fields.description]: values.Description, [fields.status]: '***' };
			expect(bodies()).toEqual([sent]);
		},
	);

	it('a choice that consists of stars is written into an item that was read, if the type is known', async () => {
		const item = await read('admin');
		await write('admin', [{ ...item, Status: '***' }]);
		expect(bodies()[0]).toMatchObject({ [fields.status]: '***' });
	});
});

it('rows of another record become new rows of the record that an upsert or an update writes', async () => {
	testbed.service.switches.rowNumbers = 'bySubtable';
	const [source, target] = [15, 12];
	record(target).set(fields.reference, 'TARGET');
	const { article } = lines.fields;
	const row = (text: string) => new Map([[article, text]]);
	const existingRows = ['own 1', 'own 2'].map((text, place) => [place + 1, row(text)] as const);
	record(target).subtables.set(lines.id, new Map(existingRows));
	record(source).subtables.set(lines.id, new Map([[1, row('other')]]));
	const item = { ...(await read('admin', source)), Reference: 'TARGET' };
	const upsert = { operation: 'upsert', ...autoMapped([fields.reference]) };
	for (const [overrides, count] of [
		[upsert, 3],
		[{}, 4],
	] as const) {
		await write('admin', [item], overrides);
		const articles = linesOf(testbed.service, target).map(([, text]) => text);
		expect(articles).toEqual(['own 1', 'own 2', 'other', 'other'].slice(0, count));
	}
});

describe('values that the service saved differently', () => {
	const Remark = 'kept';

	it.each<[string, object, IDataObject, string | undefined]>([
		['a choice', { unknownChoices: 'dropped' }, { Tags: ['Gift', 'None'] }, "'Tags'"],
		['the only choice', { unknownChoices: 'dropped' }, { Status: 'None' }, "'Status'"],
		['nothing', { wrongDates: 'lost' }, { 'Order Date': '2031-01-31T10:00:00' }, undefined],
		['a field', { unknownBodyField: 'ignored' }, { 9999999: 'x' }, "'9999999'"],
		["a row's", {}, { [rowsKey]: [{ Quantity: 5 }] }, undefined],
	])('a value that the service changed is named: %s', async (_, switches, values, name) => {
		Object.assign(testbed.service.switches, switches);
		const recordJson = asJson({ ...values, Remark });
		const warning = await warningOf('member', {}, recordJson);
		if (name === undefined) expect(warning).toBeUndefined();
		else expect(warning).toContain(`Check what was saved: ${name} (not saved as sent)`);
		expect(record(12).text(fields.remark)).toBe(Remark);
	});

	it('a value that the service saved in another spelling counts as saved', async () => {
		const values = {
			...{ Description: '[b]a[/b] & <c>\nd', Express: true, Remark: ' a\u0065\u0301 ' },
			...{ Total: 1234.5, Tags: ['Gift', 'Bulk'], 'Internal Margin': '5%' },
			'Delivery Time': '2031-01-31T10:00:00',
			[rowsKey]: [{ Article: 'Pen', 'Unit Price': '2.50' }],
		};
		for (const identity of identities) {
			expect(await warningOf(identity, {}, asJson(values))).toBeUndefined();
			const options = { ...quiet, timeZone: 8 };
			expect(await warningOf(identity, {}, { ...asJson(values), options })).toBeUndefined();
		}
	});

	it('a row to delete is named in the warning if it did not exist', async () => {
		const [rowId] = record(12).rows(lines.id).keys();
		const deletion = asJson({ [`_DELSUB_${lines.id}`]: [rowId, 99999] });
		const expectedWarning = `Check what was saved: 'row 99999 of ${rowsKey}' (row to delete does not exist).`;
		expect(await warningOf('member', {}, deletion)).toBe(expectedWarning);
		expect([...record(12).rows(lines.id).keys()]).not.toContain(rowId);
	});

	it.each([{}, { Remark }])(
		'a row that still exists after its deletion is named, together with %j',
		async (other) => {
			const body = `{"status":"SUCCESS","svcId":12,"data":{"${rowsKey}":{"2":{},"3":{}}}}`;
			const when = ({ method }: { method: string }) => method === 'POST';
			testbed.inject({ kind: 'body', body, when, times: Infinity });
			const deletion = { ...other, [`_DELSUB_${lines.id}`]: [2] };
			const expectedWarning = `'row 2 of ${rowsKey}' (still exists, although the service confirmed the deletion)`;
			expect(await warningOf('member', {}, asJson(deletion))).toContain(expectedWarning);
		},
	);

	it('a number with other digits, and a text without its leading zeros, is named', async () => {
		for (const [sent, saved] of [
			['4111111111111111', '4111111111111110'],
			['491701234567', '491701234568'],
			['0612', '612'],
		]) {
			const data = JSON.stringify({ [fields.remark]: saved });
			const body = `{"status":"SUCCESS","svcId":12,"data":${data}}`;
			testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
			expect([sent, await warningOf('member', {}, asJson({ Remark: sent }))]).toEqual([
				sent,
				"Check what was saved: 'Remark' (not saved as sent).",
			]);
		}
	});

	it('changed values are named for each row', async () => {
		const subtable = testbed.orders.subtable(lines.id);
		subtable?.fields.push({ id: '3000009', name: 'Due', type: 'date' });
		testbed.service.switches.wrongDates = 'lost';
		const values = asJson('={{ ({ Article: "a", Due: $json.due }) }}');
		const rowValues = { inputMode: 'json', rowJson: values.recordJson };
		const add = { resource: 'subtableRow', operation: 'add', subtableId: lines.id, ...rowValues };
		const result = await write('member', [{ due: 'soon' }, { due: '2031/01/31' }], add);
		expect(result.warnings).toEqual([
			expect.stringContaining("'Due' (not saved as sent)"),
			undefined,
		]);
	});
});

describe('unknown choices', () => {
	const items = [{ Status: 'Opne' }, { Tags: ['Gift', 'None'] }, { Status: 'Open' }];

	it('unknown choices are sent and named', async () => {
		const result = await write('admin', items);
		expect(result.warnings).toEqual([
			"Check what was saved: 'Status' (not one of the choices).",
			"Check what was saved: 'Tags' (not one of the choices).",
			undefined,
		]);
	});

	it('unknown choices that the record already holds are not named', async () => {
		record(12).set(fields.status, 'Legacy').set(fields.tags, ['Gift', 'Old']);
		const item = { ...(await read('admin')), City: 'Ulm' };
		const options = { ...quiet, unknownChoices: 'error' };
		for (const overrides of [{}, { options }]) {
			expect(await warningOf('admin', item, overrides)).toBeUndefined();
		}
		expect(await warningOf('admin', { ...item, Status: 'Gone' })).toContain("'Status' (not one of");
	});

	it('unknown choices are rejected on request, also by field ID', async () => {
		const options = { ...quiet, unknownChoices: 'error' };
		const byId = asJson(
			'={{ ({ [$json.Status ? "1000007" : "1000008"]: $json.Status ?? $json.Tags }) }}',
		);
		for (const input of [autoMapped(), byId]) {
			const result = await write('admin', items, { ...input, options });
			testbed.expectErrors(result, [
				/^'Opne' is not a choice of 'Status': .*Open/,
				"'None' is not a choice of 'Tags'",
			]);
		}
		expect(bodies()).toHaveLength(2);
	});
});

describe('values that were omitted from an item that was read', () => {
	it.each(identities)(
		'an omitted value of %s is not named if it was not changed',
		async (identity) => {
			record(12).set(fields.description, '[b]a[/b]\n<b> & c').set(fields.internalMargin, '22%');
			record(12).set(
				fields.contract,
				testbed.service.data.storeFile('a.pdf', 'application/pdf', pdf),
			);
			for (const options of [{}, { typedValues: true, isoDates: true }, { timeZone: 8 }]) {
				const item = await read(identity, 12, options);
				expect(await warningOf(identity, { ...item, City: 'Ulm' })).toBeUndefined();
			}
		},
	);

	it('an omitted value is named if the item changed it', async () => {
		record(12).set(fields.description, '[b]a[/b]');
		const item = await read('admin');
		const changed = { ...item, Total: 999, Description: '<i>a</i>', City: 'Ulm' };
		const expectedWarning =
			"Check what was saved: 'Total' (filled in by the service), 'Description' (rich text as HTML; to write it back, read it with 'Raw Markup').";
		expect(await warningOf('admin', changed)).toBe(expectedWarning);
		const options = { ...quiet, skipUnchanged: true };
		const same = { _recordId: 12, Total: 999, City: 'Ulm' };
		const result = await write('admin', [same], { options });
		expect(result.json[0]?._action).toBe('unchanged');
	});
});

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
