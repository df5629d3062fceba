import { orders } from '../../service';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const add = {
	resource: 'comment',
	operation: 'add',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.order }}'),
	comment: '={{ $json.text }}',
};

const commentsOf = (id: number) => testbed.service.data.record(orders, id).comments;

it.each([
	['a text of nothing but blanks', { text: ' \n ' }, "'Comment' is empty"],
	['no record', { order: '' }, "'Record' is empty"],
	['a record that is none', { order: 'A-1' }, "'A-1' is not a record ID"],
])('refuses %s before anything is sent, with the number of the item', async (_, wrong, text) => {
	const result = await testbed.run(add, [
		{ order: 4, text: 'good' },
		{ order: 4, text: 'good', ...wrong },
	]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain(text);
	expect(result.error?.context).toMatchObject({ itemIndex: 1 });
	expect(testbed.service.requests.count).toBe(1);
});

it('refuses a file that the item does not have, and names those that it has', async () => {
	const item = await itemWithFiles({ order: 4, text: 'x' }, { photo: textFile('a.txt') });
	const result = await testbed.run({ ...add, inputDataFieldName: 'data' }, [item]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain("'data'");
	expect(result.error?.description).toContain("'photo'");
	expect(testbed.service.requests.count).toBe(0);
});

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'passes on a record that is not there, and goes on: %s',
	async (onError) => {
		const result = await testbed.run(
			add,
			[
				{ order: 4, text: 'before' },
				{ order: 99999, text: 'nowhere' },
				{ order: 5, text: 'behind' },
			],
			{ onError },
		);
		const all = [...result.items, ...result.errorItems];
		expect(all.map(({ json, pairedItem }) => [Boolean(json.error), pairedItem])).toEqual(
			expect.arrayContaining([
				[false, { item: 0 }],
				[true, { item: 1 }],
				[false, { item: 2 }],
			]),
		);
		const failed = all.find(({ json }) => json.error !== undefined);
		if (onError === 'continueErrorOutput') {
			expect(failed?.json.error).toMatch(/Record not found.*\bcode 404\b/is);
			expect(failed?.json).not.toHaveProperty('details');
		} else {
			expect(failed?.json).toMatchObject({
				error: expect.stringContaining('Record not found'),
				details: { code: 404 },
			});
		}
		expect(commentsOf(4)).toHaveLength(1);
		expect(commentsOf(5)).toHaveLength(1);
	},
);

it('passes on that the user may not comment', async () => {
	const more = { credentials: testbed.credentials('reader') };
	const result = await testbed.run(add, [{ order: 4, text: 'x' }], more);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('No access right');
	expect(commentsOf(4)).toEqual([]);
});

it.each([
	['a plain yes', '{"status":"SUCCESS"}'],
	['another text', '{"status":"ERROR","code":202,"msg":"no"}'],
	['nothing', ''],
	['a list', '[]'],
])('takes nothing but the comment for a confirmation: %s', async (_, body) => {
	testbed.service.faults.inject({ kind: 'body', body });
	const result = await testbed.run(add, [{ order: 4, text: 'x' }]);
	expect(result.status).toBe('error');
	expect(testbed.writes).toHaveLength(1);
});

it('does not send a comment again when nobody knows whether it was added', async () => {
	testbed.service.faults.inject({ kind: 'resetAfterWork' });
	const result = await testbed.run(add, [{ order: 4, text: 'x' }]);
	expect(result.status).toBe('error');
	expect(result.error?.description).toContain('It is not known whether the change was made');
	expect(commentsOf(4)).toHaveLength(1);
	expect(testbed.writes).toHaveLength(1);
});

it('sends text and file again, whole, when the service asks to come back', async () => {
	testbed.service.faults.inject({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
	const item = await itemWithFiles({ order: 4, text: 'a\nb' }, { data: textFile('a.txt') });
	const result = await testbed.run({ ...add, inputDataFieldName: 'data' }, [item]);
	expect(result.status).toBe('success');
	expect(commentsOf(4).map(({ text }) => text)).toEqual(['a\nb']);
	const stored = testbed.service.data.files.get(commentsOf(4)[0]?.attachment ?? '');
	expect(stored?.content.toString()).toBe('Content of a.txt');
	expect(testbed.writes).toHaveLength(2);
});
