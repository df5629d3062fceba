import type { INodeParameters } from 'n8n-workflow';
import { orders, siteVisits, type IdentityName } from '../../service';
import { passTime } from '../clock';
import { numbers, onOrder, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { storedFiles } from './filesOnItem';

/** Copies of records. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields, subtables } = orders;
const { lines } = subtables;
const order = (id: number) => testbed.order(id);

async function duplicate(id: number | string, options: INodeParameters = {}, as?: IdentityName) {
	const parameters = { ...onOrder('duplicate', id), options };
	return await testbed.runAllById(parameters, [{}], testbed.as(as));
}

const rowsOf = (id: number) =>
	[...order(id).rows(lines.id).values()].map((row) =>
		[lines.fields.article, lines.fields.quantity, lines.fields.unitPrice].map((field) =>
			row.get(field),
		),
	);
const copied = ['customerNumber', 'reference', 'orderDate', 'deliveryTime', 'status'] as const;
const copiedText = [...copied, 'express', 'remark', 'description', 'note'] as const;

it.each<IdentityName>(['admin', 'member'])(
	'a copy has the values and rows of the record, and says where it is from: %s',
	async (as) => {
		order(12)
			.set(fields.description, '[b]bold[/b] text')
			.set(fields.tags, ['Gift', 'Repeat, large']);
		const { json } = await duplicate(12, {}, as);
		expect(json[0]).toMatchObject({ _recordId: 61, _copiedFrom: 12 });
		const valuesOf = (id: number) => copiedText.map((name) => order(id).text(fields[name]));
		expect(valuesOf(61)).toEqual(valuesOf(12));
		expect(order(61).value(fields.tags)).toEqual(['Gift', 'Repeat, large']);
		expect(rowsOf(61)).toEqual(rowsOf(12));
	},
);

it.each<IdentityName>(['admin', 'member'])(
	'a copy has rich text that is stored as HTML, and an address in angle brackets: %s',
	async (as) => {
		const html = '<p>Hello <b>Jane</b> &amp; Max</p>';
		order(12).set(fields.description, html).set(fields.remark, 'Jane Roe <jane@example.com>');
		await duplicate(12, {}, as);
		const texts = [fields.description, fields.remark].map((field) => order(61).text(field));
		expect(texts).toEqual([html, 'Jane Roe <jane@example.com>']);
	},
);

it.each<IdentityName>(['admin', 'member'])(
	'a choice that is not offered any more is copied, and not called lost: %s',
	async (as) => {
		order(12)
			.set(fields.status, 'Old choice')
			.set(fields.tags, ['Old', 'Gift'])
			.set(fields.internalMargin, '');
		const { json } = await duplicate(12, {}, as);
		expect(order(61).text(fields.status)).toBe('Old choice');
		expect(order(61).value(fields.tags)).toEqual(['Old', 'Gift']);
		expect(json[0]).not.toHaveProperty('_warning');
	},
);

it('a copy has its own number if the types of the fields are known', async () => {
	await duplicate(12, {}, 'admin');
	expect(order(61).text(fields.orderNumber)).not.toBe(order(12).text(fields.orderNumber));
});

it.each([
	['admin', []],
	[
		'member',
		[
			expect.stringMatching(
				/^Automatic numbers and computed values, if the sheet has any, were copied, too/,
			),
		],
	],
] as const)('a hint says if automatic numbers are copied: %s', async (as, hints) => {
	expect((await duplicate(12, {}, as)).hintTexts).toEqual(hints);
});

it('masked values are not copied, and the warning names them', async () => {
	order(12).set(fields.internalMargin, 'secret');
	const { json } = await duplicate(12, {}, 'member');
	expect(json[0]?._warning).toBe("Not copied: 'Internal Margin' (masked).");
	expect(order(61).text(fields.internalMargin)).toBe('');
});

describe('the contract of order 50', () => {
	const contracts = (id: number) => storedFiles(testbed.service, orders, id, fields.contract);

	it('is not copied without the option', async () => {
		const { json } = await duplicate(50);
		expect(contracts(61)).toEqual([]);
		expect(String(json[0]?._warning)).not.toContain('Contract');
	});

	it('is copied with Copy Files, as a file of its own', async () => {
		await duplicate(50, { copyFiles: true });
		expect(contracts(61).map((file) => file?.content)).toEqual(
			contracts(50).map((file) => file?.content),
		);
		expect(order(61).value(fields.contract)).not.toEqual(order(50).value(fields.contract));
	});

	it('is named in the warning if it cannot be downloaded', async () => {
		const when = ({ path }: { path: string }) => path.includes('file.jsp');
		testbed.inject({ kind: 'status', status: 404, body: '', when, times: Infinity });
		const { json } = await duplicate(50, { copyFiles: true });
		expect(json[0]?._warning).toMatch(/Not copied: .*'Contract' \(files\)/);
		expect(contracts(61)).toEqual([]);
	});
});

it('files of rows are copied to the rows of the copy, also for a row that has only a file', async () => {
	const { data } = testbed.service;
	const { photos, findings } = siteVisits.subtables;
	const store = (name: string) => data.storeFile(name, 'text/plain', Buffer.from(name));
	const visit = data.record(siteVisits, 7);
	const [front, roof] = visit.rows(photos.id).values();
	front?.set(photos.fields.photo, [store('1.txt'), store('2.txt')]);
	roof?.set(photos.fields.caption, '').set(photos.fields.photo, store('3.txt'));
	const [crack] = visit.rows(findings.id).values();
	crack?.set(findings.fields.evidence, store('4.txt'));
	const parameters = { operation: 'duplicate', sheet: sheet(siteVisits), recordId: recordId(7) };
	const { json } = await testbed.run({ ...parameters, options: { copyFiles: true } });
	expect(json[0]?._warning).toBeUndefined();
	const namesIn = (subtableId: string, fieldId: string) =>
		[...data.record(siteVisits, 13).rows(subtableId).values()].map((row) =>
			[row.get(fieldId) ?? []].flat().map((value) => value.replace(/^.*@/, '')),
		);
	expect(namesIn(photos.id, photos.fields.photo)).toEqual([['1.txt', '2.txt'], ['3.txt']]);
	expect(namesIn(findings.id, findings.fields.evidence)).toEqual([['4.txt']]);
});

it.each([
	['the record', siteVisits.fields.report],
	['a row', siteVisits.subtables.photos.fields.photo],
])('a lost connection at a file of %s ends the run, and no copy is made', async (_, fieldId) => {
	const { data } = testbed.service;
	const visit = data.record(siteVisits, 5);
	const file = data.storeFile('a.txt', 'text/plain', Buffer.from('a'));
	const [row] = visit.rows(siteVisits.subtables.photos.id).values();
	if (fieldId === siteVisits.fields.report) visit.set(fieldId, file);
	else row?.set(fieldId, file);
	const when = ({ path }: { path: string }) => path.includes('file.jsp');
	testbed.inject({ kind: 'reset', when, times: Infinity });
	const parameters = { operation: 'duplicate', sheet: sheet(siteVisits), recordId: recordId(5) };
	const { error } = await testbed.run({ ...parameters, options: { copyFiles: true } });
	expect(error).toBeDefined();
	expect(testbed.writes).toEqual([]);
});

it.each([true, false])(
	'the output has the field keys of its option, Copy Files: %s',
	async (copyFiles) => {
		for (const [fieldKeys, key] of [
			['id', fields.customerNumber],
			['name', 'Customer Number'],
		] as const) {
			const { json } = await duplicate(50, { copyFiles, fieldKeys });
			expect(json[0]).toHaveProperty([key], order(50).text(fields.customerNumber));
		}
	},
);

it('write options are sent, and dates keep their values in another time zone', async () => {
	await duplicate(12, { doFormula: true, notification: false, timeZone: 8 });
	expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
		expect.stringMatching(/doFormula=true.*notification=false.*tz=8/),
	]);
	expect(order(61).text(fields.deliveryTime)).toBe(order(12).text(fields.deliveryTime));
});

it('many records are read together, and a missing one fails its own item', async () => {
	const ids = [...numbers(30), 999];
	const result = await testbed.runAllById(
		onOrder('duplicate'),
		ids.map((id) => ({ id })),
	);
	testbed.expectErrors(result, { 30: 'There is no record 999 on this sheet' });
	expect(result.json.map(({ _copiedFrom }) => _copiedFrom)).toEqual(numbers(30));
	expect(testbed.reads.length).toBeLessThan(20);
	expect(testbed.writes).toHaveLength(30);
});

it('a record that was read over a minute before its copy is read again', async () => {
	let isFirst = true;
	testbed.service.beforeRequest(({ method }) => {
		if (method === 'GET' || !isFirst) return;
		isFirst = false;
		passTime(120_000);
		testbed.service.people.edit(orders, 30, { [fields.remark]: 'new' });
		testbed.service.people.delete(orders, 29);
	});
	const items = numbers(30).map((id) => ({ id }));
	const result = await testbed.runAllById(onOrder('duplicate'), items);
	testbed.expectErrors(result, { 28: 'There is no record 29 on this sheet' });
	expect(result.json.at(-1)).toMatchObject({ _copiedFrom: 30, Remark: 'new' });
	expect(testbed.reads.length).toBeLessThan(20);
});

it('a creation with an unknown outcome is not repeated', async () => {
	testbed.inject({ kind: 'resetAfterWork', when: ({ method }) => method === 'POST' });
	testbed.expectErrors(await duplicate(12), /broke off/);
	expect(testbed.writes).toHaveLength(1);
});
