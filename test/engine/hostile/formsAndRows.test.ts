import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { withFiles } from '../record/recordValues';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { addressOf, bombard } from './bombardment';
import { fewTexts, holdsHalfPair, nastyTexts } from './corpus';

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const { remark, contract } = orders.fields;
const orderPath = (id: number) => `${addressOf(orders)}/${id}`;

it('the text of a comment arrives, unless it is blank or holds half of a character', async () => {
	const hits = await bombard(testbed, {
		parameters: {
			resource: 'comment',
			operation: 'add',
			sheet: sheet(orders),
			recordId: recordId('={{ $json.id }}'),
			comment: '={{ $json.text }}',
		},
		refuses: (text) => holdsHalfPair(text) || text.trim() === '',
		carried: ({ body }) =>
			Array.isArray(body) && body.length === 1 && body[0]?.[0] === 'c' ? body[0][1] : undefined,
		path: orderPath,
		query: ['api'],
		changes: (id, text) => {
			const comments = testbed.service.data.record(orders, id).comments;
			expect(comments.at(-1)?.text).toBe(text);
			return [`${orders.path}/${orders.index}/${id} comments`, JSON.stringify(comments)];
		},
	});
	expect(hits.map(({ json }) => json.comment)).toEqual(hits.map(({ text }) => text));
});

it('a value of a record that is written with a file arrives, unless it holds half of a character', async () => {
	const { binary } = await itemWithFiles({}, { data: textFile('a.txt') });
	const filesBefore = testbed.service.data.files.size;
	const items = fewTexts.map((text, index) => ({ json: { text, id: index + 1 }, binary }));
	const result = await testbed.run(
		{
			operation: 'update',
			sheet: sheet(orders),
			recordId: recordId('={{ $json.id }}'),
			inputMode: 'json',
			recordJson: `={{ JSON.stringify({ '${remark}': $json.text }) }}`,
			...withFiles([contract, 'data']),
		},
		items,
		{ onError: 'continueErrorOutput' },
	);
	const good = fewTexts.filter((text) => !holdsHalfPair(text));
	expect(result.items.map(({ json }) => json[remark])).toEqual(good);
	expect(result.errorItems).toHaveLength(fewTexts.length - good.length);
	expect(testbed.writes.map(({ body }) => body)).toEqual(good.map((text) => [[remark, text]]));
	expect(testbed.writes.flatMap(({ files }) => files)).toHaveLength(good.length);
	expect(testbed.service.data.files.size).toBe(filesBefore + good.length);
});

it('a value of a row arrives in a new row, in the order of the items', async () => {
	const { article } = orders.subtables.lines.fields;
	const before = linesOf(testbed.service, 5);
	const items = nastyTexts.map((text) => ({ order: 5, text }));
	const row = rowAsJson(`={{ JSON.stringify({ '${article}': $json.text }) }}`);
	const options = { doWorkflow: false };
	const result = await testbed.run(onLines('add', { ...row, options }), items);
	expect(result.error).toBeUndefined();
	// A row that could be another one, such as 1.0 beside 1, comes without its content.
	const told = result.items.map(({ json }, index) => json[article] ?? nastyTexts[index]);
	expect(told).toEqual(nastyTexts);
	const added = linesOf(testbed.service, 5).slice(before.length);
	expect(added.map(([, text]) => text)).toEqual(nastyTexts);
	expect(new Set(testbed.writes.map(({ rawUrl }) => rawUrl))).toEqual(
		new Set([`${orderPath(5)}?api&doWorkflow=false`]),
	);
});
