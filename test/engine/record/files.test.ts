import { randomBytes } from 'node:crypto';

import { orders, recipes } from '../../service';
import { useBinaryMode } from '../runner';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

const create = { operation: 'create', sheet: sheet(orders) };
const required = asJson({ [fields.customerNumber]: 'C-0001' });

const contracts = (id: number) => storedFiles(testbed.service, orders, id, fields.contract);

/** Content that no text encoding survives. */
const bytes = randomBytes(300_000);

afterEach(async () => await useBinaryMode('filesystem'));

describe.each(['filesystem', 'default'] as const)('files kept in the mode %s', (mode) => {
	beforeEach(async () => await useBinaryMode(mode));

	it('arrive byte by byte, with their name and type, in one multipart request', async () => {
		const item = await itemWithFiles(
			{},
			{ data: { name: 'scan.pdf', type: 'application/pdf', content: bytes } },
		);
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, 'data']) },
			[item],
		);
		expect(result.status).toBe('success');
		expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
		expect(contracts(301)).toEqual([
			expect.objectContaining({ name: 'scan.pdf', mimeType: 'application/pdf' }),
		]);
		expect(contracts(301)[0]?.content.equals(bytes)).toBe(true);
		expect(testbed.writes).toHaveLength(1);
		expect(testbed.writes[0]?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
		expect(testbed.writes[0]?.headers['content-length']).toMatch(/^\d+$/);
		expect(testbed.writes[0]?.body).toEqual([[fields.customerNumber, 'C-0001']]);
	});

	it('arrive whole when the service asks to come back later', async () => {
		const headers = { 'retry-after': '0' };
		testbed.service.faults.inject({ kind: 'status', status: 429, headers, times: 2 });
		const item = await itemWithFiles(
			{},
			{ data: { name: 'scan.bin', type: 'application/octet-stream', content: bytes } },
		);
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, 'data']) },
			[item],
		);
		expect(result.status).toBe('success');
		expect(testbed.writes.map(({ files }) => files.map(({ size }) => size))).toEqual([
			[bytes.length],
			[bytes.length],
			[bytes.length],
		]);
		expect(contracts(301)[0]?.content.equals(bytes)).toBe(true);
	});

	it.each([0, 1, 65_536])('of %i bytes arrive', async (size) => {
		const content = bytes.subarray(0, size);
		const item = await itemWithFiles(
			{},
			{ data: { name: 'a.bin', type: 'application/octet-stream', content } },
		);
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, 'data']) },
			[item],
		);
		expect(result.status).toBe('success');
		expect(contracts(301)[0]?.content.equals(content)).toBe(true);
	});
});

describe('several files', () => {
	const three = () =>
		itemWithFiles({}, { a: textFile('a.txt'), b: textFile('b.txt'), photo: textFile('photo.txt') });

	it('of names with commas go to one field, in their order', async () => {
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, 'photo, a ,b']) },
			[await three()],
		);
		expect(result.status).toBe('success');
		expect(contracts(301).map((file) => file?.content.toString())).toEqual([
			'Content of photo.txt',
			'Content of a.txt',
			'Content of b.txt',
		]);
		expect(testbed.writes[0]?.files.map(({ fieldName }) => fieldName)).toEqual([
			fields.contract,
			fields.contract,
			fields.contract,
		]);
	});

	it('go to several fields, by name and by id', async () => {
		testbed.service.data
			.sheet(orders)
			.fields.push({ id: '1000099', name: 'Second Scan', type: 'file' });
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles(['Contract', 'a'], ['1000099', 'b']) },
			[await three()],
		);
		expect(result.status).toBe('success');
		expect(
			testbed.writes[0]?.files.map(({ fieldName, fileName }) => [fieldName, fileName]),
		).toEqual([
			[fields.contract, 'a.txt'],
			['1000099', 'b.txt'],
		]);
	});

	it('of several items go to their own records', async () => {
		const items = await Promise.all(
			['one', 'two'].map((name) => itemWithFiles({ name }, { [name]: textFile(`${name}.txt`) })),
		);
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, '={{ $json.name }}']) },
			items,
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect([301, 302].map((id) => contracts(id)[0]?.name)).toEqual(['one.txt', 'two.txt']);
	});
});

describe('files among the fields of an item, as a workflow may have them', () => {
	it('are found by their path, and are no values of the record', async () => {
		const item = await itemWithFiles({ 'Customer Number': 'C-0001' }, { data: textFile('a.txt') });
		const result = await testbed.run(
			{ ...create, ...autoMapped(), ...withFiles([fields.contract, '_files.data']) },
			[item],
			{ binaryMode: 'combined' },
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual([[fields.customerNumber, 'C-0001']]);
		expect(contracts(301)[0]?.content.toString()).toBe('Content of a.txt');
	});
});

describe('file names', () => {
	it.each([
		['quotes', 'the "final" version.txt'],
		['a single quote', "Ada's.txt"],
		['emoji', 'party 🎉.txt'],
		['other scripts', '冷やし中華 küche.txt'],
		['percent signs', '100% of 50%25 %0A.txt'],
		['an at sign', 'a@b@c.txt'],
		['a semicolon and an equals sign', 'a; filename=b.txt'],
	])('with %s arrive', async (_, name) => {
		const result = await testbed.run(
			{ ...create, ...required, ...withFiles([fields.contract, 'data']) },
			[await itemWithFiles({}, { data: textFile(name, 'x') })],
		);
		expect(result.status).toBe('success');
		expect(contracts(301).map((file) => file?.content.toString())).toEqual(['x']);
		expect(contracts(301)[0]?.name.replace(/%22/g, '"')).toBe(name);
	});

	it.each(['line\nbreak.txt', 'line\r\nbreak.txt', 'x"\r\ncontent-type: text/html\r\n\r\ny.txt'])(
		'with line breaks break nothing: %j',
		async (name) => {
			const result = await testbed.run(
				{ ...create, ...required, ...withFiles([fields.contract, 'data']) },
				[await itemWithFiles({}, { data: textFile(name, 'x') })],
			);
			expect(result.status).toBe('success');
			expect(contracts(301).map((file) => [file?.mimeType, file?.content.toString()])).toEqual([
				['text/plain', 'x'],
			]);
		},
	);
});

describe('beside files', () => {
	it('rows, deletions, selections and clearing go along as form fields', async () => {
		const record = testbed.service.data.record(orders, 11);
		const [firstRow, secondRow] = record.rows(lines.id).keys();
		const result = await testbed.run(
			{
				operation: 'update',
				sheet: sheet(orders),
				recordId: recordId(11),
				...autoMapped(),
				...withFiles(['Contract', 'data']),
				options: { clearEmpty: true },
			},
			[
				await itemWithFiles(
					{
						Tags: ['Gift', 'Repeat, large'],
						Remark: '',
						Express: true,
						[`_subtable_${lines.id}`]: [
							{ _rowId: firstRow, Quantity: 7 },
							{ Article: 'with file', Quantity: 1 },
						],
						[`_DELSUB_${lines.id}`]: [secondRow],
					},
					{ data: textFile('contract.txt') },
				),
			],
		);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual([
			[fields.tags, 'Gift'],
			[fields.tags, 'Repeat, large'],
			[fields.remark, ''],
			[fields.express, 'true'],
			[`${lines.fields.quantity}_${firstRow}`, '7'],
			[`${lines.fields.article}_-1`, 'with file'],
			[`${lines.fields.quantity}_-1`, '1'],
			[`DELSUB_${lines.id}`, String(secondRow)],
		]);
		expect(record.value(fields.tags)).toEqual(['Gift', 'Repeat, large']);
		expect([record.text(fields.remark), record.text(fields.express)]).toEqual(['', 'Yes']);
		const rows = record.rows(lines.id);
		expect(rows.get(firstRow ?? 0)?.get(lines.fields.quantity)).toBe('7');
		expect(rows.has(secondRow ?? 0)).toBe(false);
		expect([...rows.values()].at(-1)?.get(lines.fields.article)).toBe('with file');
	});

	it('an empty selection is cleared with Clear Empty', async () => {
		const record = testbed.service.data.record(orders, 11).set(fields.tags, ['Gift']);
		const result = await testbed.run(
			{
				operation: 'update',
				sheet: sheet(orders),
				recordId: recordId(11),
				...asJson({ [fields.tags]: [] }),
				...withFiles([fields.contract, 'data']),
				options: { clearEmpty: true, notification: false },
			},
			[await itemWithFiles({}, { data: textFile('contract.txt') })],
		);
		expect(result.status).toBe('success');
		expect(record.text(fields.tags)).toBe('');
		expect(testbed.writes[0]?.rawUrl).toBe('/acme/sales/orders/1/11?api&notification=false');
	});

	it('nothing else is needed to change a record, which keeps the files that it has', async () => {
		const record = testbed.service.data.record(recipes, 0);
		for (const name of ['one.txt', 'two.txt']) {
			const result = await testbed.run(
				{
					operation: 'update',
					sheet: sheet(recipes),
					recordId: recordId(0),
					...asJson({}),
					...withFiles([recipes.fields.photos, 'data']),
				},
				[await itemWithFiles({}, { data: textFile(name) })],
			);
			expect(result.status).toBe('success');
		}
		expect([record.value(recipes.fields.photos)].flat()).toHaveLength(2);
	});
});
