import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

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
