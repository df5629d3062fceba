import { randomBytes } from 'node:crypto';
import { itemWithFiles } from '../record/filesOnItem';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { useBinaryMode } from '../runner';

const testbed = useRecordTestbed();

const add = {
	resource: 'comment',
	...onOrder('add', '={{ $json.order }}'),
	comment: '={{ $json.text }}',
};
const withFile = { ...add, inputDataFieldName: 'data' };

const commentsOf = (id: number) => testbed.order(id).comments;

afterEach(async () => await useBinaryMode('filesystem'));

it('a comment is added for each item, and the output is the comment of the service', async () => {
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
		{ json: expect.objectContaining({ _recordId: 1, comment: 'Second' }), pairedItem: { item: 1 } },
	]);
	expect(testbed.writeUrls).toEqual(['/acme/sales/orders/1/4?api', '/acme/sales/orders/1/1?api']);
	expect(testbed.writes[0]?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
});

describe.each(['filesystem', 'default'] as const)('binary data in the mode %s', (mode) => {
	it('an attached file is sent unchanged', async () => {
		await useBinaryMode(mode);
		const contents = [randomBytes(200_000), randomBytes(20)];
		const items = await Promise.all(
			contents.map(async (content, index) => {
				const file = { name: `scan ${index}.png`, type: 'image/png', content };
				return await itemWithFiles({ order: 4 + index, text: 'See\nfile' }, { data: file });
			}),
		);
		const result = await testbed.run(withFile, items);
		const names = ['scan 0.png', 'scan 1.png'];
		expect(result.items.map(({ json }) => json.attachment)).toEqual(names);
		for (const [index, content] of contents.entries()) {
			const [comment] = commentsOf(4 + index);
			expect(comment?.text).toBe('See\nfile');
			const file = testbed.service.data.files.get(comment?.attachment ?? '');
			expect(file).toMatchObject({ name: names[index], mimeType: 'image/png' });
			expect(file?.content.equals(content)).toBe(true);
		}
		expect(testbed.writes).toHaveLength(2);
		expect(testbed.writes[0]?.headers['content-length']).toMatch(/^\d+$/);
		expect(testbed.writes[0]?.files.map(({ fieldName }) => fieldName)).toEqual(['at']);
	});
});

it('a blank comment is rejected before anything is sent, with the number of the item', async () => {
	const result = await testbed.run(add, [
		{ order: 4, text: 'good' },
		{ order: 4, text: ' \n ' },
	]);
	expect(result.error?.message).toContain("'Comment' is empty");
	expect(result.error?.context).toMatchObject({ itemIndex: 1 });
	expect(testbed.service.requests.count).toBe(1);
});

it('an expression for the file that returns nothing is an error, and one with an empty text attaches no file', async () => {
	const missing = { ...add, inputDataFieldName: '={{ $json.missing }}' };
	const result = await testbed.run(missing, [{ order: 4, text: 'x' }]);
	expect(result.error?.message).toBe("'Input Data Field Name' has no value, so nothing was sent");
	expect(testbed.service.requests.count).toBe(0);
	const none = { ...add, inputDataFieldName: "={{ '' }}" };
	expect((await testbed.run(none, [{ order: 4, text: 'x' }])).status).toBe('success');
});

const doubt = 'It is unknown whether the change was made';

it.each([
	{
		...{ answer: 'SUCCESS without the comment', body: '{"status":"SUCCESS"}' },
		message: 'The service did not confirm the comment',
	},
	{
		...{ answer: 'another status', body: '{"status":"WARNING","msg":"Saved later"}' },
		message: 'The service did not confirm the change: Saved later',
	},
	{
		answer: 'an object without a status',
		body: '{"67":""}',
		message: 'did not confirm the change',
	},
	{ answer: 'nothing', body: '', message: 'The answer of the service is empty' },
])(
	'only the comment itself confirms the write, so it is unknown after $answer',
	async ({ body, message }) => {
		testbed.inject({ kind: 'body', body });
		const result = await testbed.run(add, [{ order: 4, text: 'x' }]);
		expect(result.error?.message).toContain(message);
		expect(result.error?.description).toContain(doubt);
		expect(testbed.writes).toHaveLength(1);
	},
);

it.each([
	{
		stored: { 66: 'See file', 67: '' },
		words: "The service stored the comment without the file 'a.txt'.",
	},
	{
		stored: { 66: 'See', 67: 'a.txt' },
		words: 'The service stored only 3 characters of the comment.',
	},
	{
		stored: { 66: 'See', 67: '' },
		words:
			"The service stored only 3 characters of the comment. The service stored the comment without the file 'a.txt'.",
	},
	{
		stored: { 66: 'See', 67: 'a.txt', warning: 'The sheet is almost full' },
		words: 'The sheet is almost full. The service stored only 3 characters of the comment.',
	},
	{ stored: { 66: 'See file', 67: 'a.txt' }, words: undefined },
	{ stored: { 66: 'See&nbsp;file', 67: 'a.txt' }, words: undefined },
])('what the stored comment lacks is named in _warning: $stored', async ({ stored, words }) => {
	const file = { name: 'a.txt', type: 'text/plain', content: Buffer.from('A') };
	const item = await itemWithFiles({ order: 4, text: 'See file ' }, { data: file });
	const body = JSON.stringify({ 61: '2026/01/31', 65: 'Max', ...stored, 73: '1769853000000' });
	testbed.inject({ kind: 'body', body });
	const result = await testbed.run(withFile, [item]);
	expect(result.status).toBe('success');
	expect(result.json[0]?._warning).toBe(words);
});

it('a comment that the service refuses was certainly not added', async () => {
	testbed.refuse(({ method }) => method === 'POST');
	const result = await testbed.run(add, [{ order: 4, text: 'x' }]);
	expect(result.error?.message).toContain('No.');
	expect(result.error?.description).not.toContain(doubt);
});

it.each([
	['', ''],
	['The sheet is almost full', 'The sheet is almost full. '],
])(
	'an object within a comment is sent, and _warning says so, after the words %j of the service',
	async (warning, words) => {
		const comment = '=To: {{ $json.address }}';
		const stored = { 61: '2026/01/31', 65: 'Max', 66: 'To: [object Object]', 67: '', warning };
		testbed.inject({ kind: 'body', body: JSON.stringify(stored) });
		const items = [{ order: 4, address: { city: 'Oslo' } }];
		const result = await testbed.run({ ...add, comment }, items);
		expect(result.json[0]?._warning).toBe(
			`${words}Check what was sent: 'Comment' (contains '[object Object]': an expression in the text returned an object).`,
		);
	},
);
