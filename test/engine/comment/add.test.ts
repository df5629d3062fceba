import { randomBytes } from 'node:crypto';

import { customers, orders } from '../../service';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { useBinaryMode } from '../runner';

const testbed = useRecordTestbed();

const add = {
	resource: 'comment',
	operation: 'add',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.order }}'),
	comment: '={{ $json.text }}',
};
const withFile = { ...add, inputDataFieldName: 'data' };

const commentsOf = (id: number) => testbed.service.data.record(orders, id).comments;

afterEach(async () => await useBinaryMode('filesystem'));

it('adds a comment for each item, and yields what the service made of it', async () => {
	const result = await testbed.run(add, [
		{ order: 4, text: 'First' },
		{ order: 1, text: 'Second' },
	]);
	expect(result.status).toBe('success');
	expect(commentsOf(4).map(({ text }) => text)).toEqual(['First']);
	expect(commentsOf(1)).toHaveLength(3);
	const [ofFour] = commentsOf(4);
	expect(result.items).toEqual([
		{
			json: {
				_recordId: 4,
				author: testbed.service.identities.member.email,
				comment: 'First',
				attachment: '',
				time: new Date(ofFour?.at ?? 0).toISOString(),
			},
			pairedItem: { item: 0 },
		},
		{
			json: expect.objectContaining({ _recordId: 1, comment: 'Second' }),
			pairedItem: { item: 1 },
		},
	]);
	expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
		'/acme/sales/orders/1/4?api',
		'/acme/sales/orders/1/1?api',
	]);
	expect(testbed.writes[0]?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
});

it.each([
	['line breaks', 'one\ntwo\n\nfour'],
	['line breaks of Windows, and lone ones', 'one\r\ntwo\rthree\n'],
	['blanks at both ends', '  indented\t '],
	['emoji and other scripts', 'Danke 🙏🏽 ありがとう é é'],
	['what means something to a form', 'a=b&c=d; "quoted"\r\n--boundary--\r\n<b>%25</b>'],
	['a number', '007'],
	['many lines', 'Line of text\n'.repeat(5000)],
])('keeps the text as it is: %s', async (_, text) => {
	const result = await testbed.run(add, [{ order: 4, text }]);
	expect(result.status).toBe('success');
	expect(commentsOf(4).map((comment) => comment.text)).toEqual([text]);
	expect(result.items[0]?.json.comment).toBe(text);
});

it('comments on a record of another sheet, as each item says', async () => {
	const parameters = { ...add, sheet: { ...sheet(orders), value: '={{ $json.sheet }}' } };
	await testbed.run(parameters, [
		{ sheet: 'sales/customers/2', order: 4, text: 'customer' },
		{ sheet: 'sales/orders/1', order: 4, text: 'order' },
	]);
	expect(testbed.service.data.record(customers, 4).comments[0]?.text).toBe('customer');
	expect(commentsOf(4)[0]?.text).toBe('order');
});

describe.each(['filesystem', 'default'] as const)('a file kept in the mode %s', (mode) => {
	it('goes with the comment, byte by byte', async () => {
		await useBinaryMode(mode);
		const content = randomBytes(200_000);
		const item = await itemWithFiles(
			{ order: 4, text: 'See\nfile' },
			{ data: { name: 'scan.png', type: 'image/png', content } },
		);
		const result = await testbed.run(withFile, [item]);
		expect(result.status).toBe('success');
		expect(result.items[0]?.json.attachment).toBe('scan.png');
		const [comment] = commentsOf(4);
		expect(comment?.text).toBe('See\nfile');
		const file = testbed.service.data.files.get(comment?.attachment ?? '');
		expect(file).toMatchObject({ name: 'scan.png', mimeType: 'image/png' });
		expect(file?.content.equals(content)).toBe(true);
		expect(testbed.writes).toHaveLength(1);
		expect(testbed.writes[0]?.headers['content-length']).toMatch(/^\d+$/);
		expect(testbed.writes[0]?.files.map(({ fieldName }) => fieldName)).toEqual(['at']);
	});
});

it.each([
	'größe 表 🎉.txt',
	'a@b@c.txt',
	"it's, a; (test) 100%.txt",
	'no extension',
	'..hidden',
	'two  blanks.txt',
])('attaches a file called %s under its name', async (name) => {
	const item = await itemWithFiles({ order: 4, text: 'x' }, { data: textFile(name) });
	const result = await testbed.run(withFile, [item]);
	expect(result.items[0]?.json.attachment).toBe(name);
	const stored = testbed.service.data.files.get(commentsOf(4)[0]?.attachment ?? '');
	expect(stored?.content.toString()).toBe(`Content of ${name}`);
});

it('attaches to each comment the file of its own item', async () => {
	const items = [
		await itemWithFiles({ order: 4, text: 'a' }, { data: textFile('a.txt') }),
		await itemWithFiles({ order: 5, text: 'b' }, { data: textFile('b.txt') }),
	];
	const result = await testbed.run(withFile, items);
	expect(result.items.map(({ json }) => json.attachment)).toEqual(['a.txt', 'b.txt']);
});
