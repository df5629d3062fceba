import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { upload } from '../file/fileTestbed';
import { onOrder, onOrders, sheetAt, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, filesOption } from './recordValues';

/** Writes with two things to warn of: the words of the service, and a finding of the node. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields, subtables } = orders;
const { lines } = subtables;
/** Words of the service, and how they begin a text of several sentences. */
const allWords = [
	{ words: 'The unit price is low.', sentence: 'The unit price is low. ' },
	{ words: 'The unit price is low', sentence: 'The unit price is low. ' },
	{ words: '单价太低。', sentence: '单价太低。 ' },
];

interface Case {
	parameters: INodeParameters;
	items?: IDataObject[];
	prepare?: () => unknown;
	identity?: IdentityName;
}

const rowsOf = (article: string) => ({
	[`_subtable_${lines.id}`]: [{ [lines.fields.article]: article }],
});
const status = { [fields.status]: 'Odd' };
const update = onOrder('update', 12);
const older = { _recordId: 12, _update_date: '2020/01/01 00:00:00', Remark: 'mine' };
const upsert = { ...onOrders('upsert'), ...autoMapped(['Order Number']) };
const creation = asJson({ [fields.customerNumber]: 'C-0001', ...status });

const cases: Array<[finding: string, operation: string, Case]> = [
	['was changed by', 'update', { parameters: { ...update, ...autoMapped() }, items: [older] }],
	[
		'was changed by',
		'upsert',
		{ parameters: upsert, items: [{ ...older, 'Order Number': 'SO-00012' }] },
	],
	[
		'that an earlier item gave',
		'update',
		{
			parameters: { ...update, ...autoMapped(), options: { rowsMode: 'replace' } },
			items: [rowsOf('a'), rowsOf('b')],
		},
	],
	[
		"'Status' (not one of the choices)",
		'create',
		{ parameters: { ...onOrders('create'), ...creation } },
	],
	["'Status' (not one of the choices)", 'update', { parameters: { ...update, ...asJson(status) } }],
	[
		'may be that of record 5',
		'create',
		{
			parameters: {
				...onOrders('create'),
				...{
					...asJson({ [fields.remark]: 'x' }),
					sheet: sheetAt(`${orders.path}/${orders.index}/5`),
				},
			},
		},
	],
	[
		"Not copied: 'Internal Margin' (masked)",
		'duplicate',
		{
			parameters: onOrder('duplicate', 12),
			prepare: () => testbed.order(12).set(fields.internalMargin, 'secret'),
			identity: 'member',
		},
	],
];

describe.each(allWords)('words of the service: $words', ({ words, sentence }) => {
	it.each(cases)('_warning has them as a sentence beside "%s": %s', async (finding, _, given) => {
		const { parameters, items = [{}], prepare, identity = 'admin' } = given;
		Object.assign(testbed.service.switches, { writeWarning: words, schemaChoices: true });
		prepare?.();
		const { json, error } = await testbed.runAll(parameters, items, testbed.as(identity));
		expect(error).toBeUndefined();
		const { _warning } = json.at(-1) ?? {};
		expect(_warning).toContain(sentence);
		expect(_warning).toContain(finding);
	});
});

describe('replacing the files of a field takes two requests', () => {
	const contract = fields.contract;
	const options = { ...filesOption([contract, 'data']), filesMode: 'replace' };
	const replacing: Array<[operation: string, INodeParameters]> = [
		['update', { ...onOrder('update', 50), ...asJson({ [fields.remark]: 'x' }), options }],
		['upload', upload(50, { uploadMode: 'replace' })],
	];
	const archived = 'The old file is in the archive';
	const stillThere = "'Contract' (not saved as sent)";

	/** Answers the removal of the old files, which is carried out or not. */
	function answerRemoval(isDone: boolean, msg?: string): void {
		const file = testbed.order(50).text(contract);
		const data = { [fields.remark]: 'x', [contract]: isDone ? '' : file };
		testbed.inject({
			...{ kind: 'body', afterWork: isDone },
			body: JSON.stringify({ status: 'SUCCESS', msg, data }),
			when: ({ method, files }) => method === 'POST' && files.length === 0,
		});
	}

	async function warningOf(parameters: INodeParameters): Promise<unknown> {
		const item = await itemWithFiles({}, { data: textFile('new.txt') });
		const { json, error } = await testbed.run(parameters, [item], testbed.as('admin'));
		expect(error).toBeUndefined();
		return json[0]?._warning;
	}

	it.each(replacing)('the words about the first one are named: %s', async (_, parameters) => {
		answerRemoval(true, archived);
		expect(await warningOf(parameters)).toBe(archived);
	});

	it.each(replacing)('the words about both are named: %s', async (_, parameters) => {
		testbed.service.switches.writeWarning = 'Stock is low.';
		answerRemoval(true, archived);
		expect(await warningOf(parameters)).toBe(`${archived}. Stock is low.`);
	});

	it.each(replacing)('files that were not removed are named: %s', async (_, parameters) => {
		answerRemoval(false);
		expect(await warningOf(parameters)).toBe(`Check what was saved: ${stillThere}.`);
	});

	it.each(replacing)('files that were not removed are named beside words: %s', async (_, given) => {
		answerRemoval(false, archived);
		expect(await warningOf(given)).toBe(`${archived}. Check what was saved: ${stillThere}.`);
	});

	it.each(replacing)('without words and losses there is no warning: %s', async (_, parameters) => {
		expect(await warningOf(parameters)).toBeUndefined();
	});
});

it('a field without a known name and a value that was not saved are both named', async () => {
	const data = { '1000777': 'new field', [fields.remark]: 'theirs' };
	testbed.inject({
		...{ kind: 'body', afterWork: true },
		body: JSON.stringify({ status: 'SUCCESS', data }),
		when: ({ method }) => method === 'POST',
	});
	const values = asJson({ [fields.remark]: 'mine' });
	const { json } = await testbed.run({ ...update, ...values }, [{}], testbed.as('admin'));
	expect(json[0]?._warning).toBe(
		"The names of these fields could not be looked up, so the output has their IDs: 1000777. Check what was saved: 'Remark' (not saved as sent).",
	);
});
