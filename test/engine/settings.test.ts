import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../service';
import { itemWithFiles, textFile } from './file/fileTestbed';
import { byIds, mass } from './massOperation/massParameters';
import { asJson, mapped } from './record/recordValues';
import { recordId, sheet, useRecordTestbed } from './recordTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const one = { sheet: sheet(orders), recordId: recordId(5) };
const values = asJson({ [fields.remark]: 'x' });
const update = { operation: 'update', ...one, ...values };
const list = { operation: 'getAll', sheet: sheet(orders), limit: 1 };
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
	['Input', { ...update, ...bothInputs, inputMode: wrong }],
	['Format', { ...report, format: wrong }],
	['Action', mass('approve', { ...ten, approvalAction: wrong })],
	['Select Records By', mass('lock', { ...ten, selection: wrong })],
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
});
