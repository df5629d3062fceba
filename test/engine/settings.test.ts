import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../service';
import { itemWithFiles, textFile } from './file/fileTestbed';
import { assign, byIds, mass } from './massOperation/massParameters';
import { asJson, mapped } from './record/recordValues';
import { recordId, sheet, useRecordTestbed } from './recordTestbed';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

const one = { sheet: sheet(orders), recordId: recordId(5) };
const values = asJson({ [fields.remark]: 'x' });
const update = { operation: 'update', ...one, ...values };
const list = { operation: 'getAll', sheet: sheet(orders), limit: 1 };
const upsert = {
	operation: 'upsert',
	sheet: sheet(orders),
	...values,
	matchFields: [fields.remark],
};
const rows = { resource: 'subtableRow', ...one, subtableId: subtables.lines.id };
const upload = { resource: 'file', operation: 'upload', ...one, fieldId: fields.contract };
const report = { resource: 'document', operation: 'export', ...one, templateId: '3' };
const ten = byIds('10');
/** Where an expression decides, n8n itself wants all parameters that depend on it. */
const bothInputs = {
	...mapped({ [fields.remark]: 'x' }),
	recordJson: '{}',
	rowJson: '{}',
	matchFields: [fields.remark],
};
const wrong = '={{ $json.wrong }}';

/** Parameters of which one is an expression, and its name in the editor. */
type Case = [displayName: string, parameters: INodeParameters];

async function refusal(parameters: INodeParameters, value: string | number | null) {
	const item = await itemWithFiles({ wrong: value }, { data: textFile('a.txt', 'A') });
	const result = await testbed.run(parameters, [item]);
	expect(result.status).toBe('error');
	expect(result.error).toMatchObject({
		name: 'NodeOperationError',
		description: expect.stringContaining('expression'),
		context: { itemIndex: 0 },
	});
	expect(testbed.service.requests.count).toBe(0);
	return result.error?.message;
}

const choices: Case[] = [
	['Authentication', { ...list, authentication: wrong }],
	['Field Keys', { ...list, options: { fieldKeys: wrong } }],
	['Field Keys', { ...update, options: { fieldKeys: wrong } }],
	[
		'Operator',
		{ ...list, filters: { conditions: [{ field: '112', operator: wrong, value: 'x' }] } },
	],
	['Direction', { ...list, sort: { rule: { field: '109', direction: wrong } } }],
	['If Nothing Is Found', { ...list, options: { emptyResult: wrong } }],
	['Input', { ...update, ...bothInputs, inputMode: wrong }],
	['Input', { ...rows, operation: 'add', ...bothInputs, inputMode: wrong }],
	['Link and Load', { ...update, options: { doLinkLoad: wrong } }],
	['On Multiple Matches', { ...upsert, options: { onMultipleMatches: wrong } }],
	['Upload Mode', { ...upload, uploadMode: wrong }],
	['Format', { ...report, format: wrong }],
	['File Format', { ...report, format: 'customPrint', fileFormat: wrong }],
	['Action', mass('approve', { ...ten, approvalAction: wrong })],
	['Action', mass('lock', { ...ten, lockAction: wrong })],
	['Select Records By', mass('lock', { ...ten, selection: wrong })],
	['Users Sheet', mass('update', { ...ten, ...assign(['9', 'x']), options: { userSheet: wrong } })],
];

it.each(choices)(
	'an expression that yields none of the choices is refused before anything is sent %s: %j',
	async (displayName, parameters) => {
		expect(await refusal(parameters, 'Something')).toContain(
			`'${displayName}' is 'Something', which is none of its choices`,
		);
		expect(await refusal(parameters, null)).toContain(`'${displayName}' has no value`);
	},
);

const flags: Case[] = [
	...Object.entries({
		'Apply Default Filter': 'defaultFilter',
		'Include Approval': 'approval',
		'Include Comments': 'comment',
		'Ignore Fixed Filter': 'ignoreFixedFilter',
		'ISO Dates': 'isoDates',
		'Newest First': 'reverse',
		Subtables: 'subtables',
		'Typed Values': 'typedValues',
		'Show Masked Values': 'ignoreMask',
	}).map(([displayName, name]): Case => [displayName, { ...list, options: { [name]: wrong } }]),
	...Object.entries({
		'Check Lock': 'checkLock',
		'Clear Empty': 'clearEmpty',
		'Load Default Values': 'doDefaultValue',
		'Recalculate Formulas': 'doFormula',
		'Run Workflow Script': 'doWorkflow',
		'Send Notifications': 'notification',
		Validate: 'doValidation',
	}).map(([displayName, name]): Case => [displayName, { ...update, options: { [name]: wrong } }]),
	['Return All', { ...list, returnAll: wrong }],
	['Simplify', { operation: 'get', ...one, simplify: wrong }],
	['Wait for Completion', mass('lock', { ...ten, waitForCompletion: wrong })],
	['Preview', mass('lock', { ...ten, options: { preview: wrong } })],
	['Fail on Partial', mass('lock', { ...ten, options: { failOnPartial: wrong } })],
	[
		'Fail on Partial',
		{ resource: 'task', operation: 'wait', taskId: '1', options: { failOnPartial: wrong } },
	],
];

it.each(flags)(
	'an expression that yields neither true nor false is refused before anything is sent %s: %j',
	async (displayName, parameters) => {
		expect(await refusal(parameters, 'yes')).toContain(
			`'${displayName}' is neither true nor false but 'yes'`,
		);
		expect(await refusal(parameters, '')).toContain(`'${displayName}' has no value`);
	},
);

it.each(['8 hours', '', 15, null])('Time Zone is no %j', async (value) => {
	const options = { timeZone: wrong };
	expect(await refusal({ ...list, options }, value)).toContain("'Time Zone' must be a number");
	expect(await refusal({ ...update, options }, value)).toContain("'Time Zone' must be a number");
});

describe('the texts of true and false, and 1 and 0, of an expression', () => {
	it.each(['true', 'TRUE', 1])('ask for a preview only: %j', async (preview) => {
		const options = { preview: wrong };
		const result = await testbed.run(mass('lock', { ...ten, options }), [{ wrong: preview }]);
		expect(result.items.map(({ json }) => json._recordId)).toEqual([10]);
		expect(testbed.writes).toEqual([]);
	});

	it('are sent as the service knows them', async () => {
		const options = {
			checkLock: '={{ "true" }}',
			doDefaultValue: '={{ 0 }}',
			doFormula: '={{ "TRUE" }}',
			doLinkLoad: '={{ true }}',
			doValidation: '={{ "false" }}',
			notification: '={{ "False" }}',
		};
		expect((await testbed.run({ ...update, options })).error).toBeUndefined();
		expect(testbed.writes[0]?.rawUrl.split('?api&')[1]).toBe(
			'doFormula=true&doDefaultValue=false&doLinkLoad=true&notification=false&checkLock=true',
		);
	});

	it('turn reading options on and off', async () => {
		const options = { subtables: '={{ "false" }}', info: '={{ 1 }}', comment: '={{ "0" }}' };
		const result = await testbed.run({ ...list, returnAll: '={{ "FALSE" }}', limit: 2, options });
		expect(result.items).toHaveLength(2);
		const { rawUrl = '' } = testbed.reads[0] ?? {};
		expect(rawUrl).toContain('&subtables=0');
		expect(rawUrl).toContain('&info=true');
		expect(rawUrl).not.toContain('comment');
	});
});

it('an expression for a choice asks for no parameter of other operations', async () => {
	const inputMode = '={{ "json" }}';
	const { fields: mapper } = mapped({ [fields.remark]: 'unused' });
	const recordJson = JSON.stringify({ [fields.remark]: 'by JSON' });
	const result = await testbed.run({
		operation: 'update',
		...one,
		inputMode,
		fields: mapper ?? {},
		recordJson,
	});
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(1);
	expect(testbed.writes).toHaveLength(1);
});
