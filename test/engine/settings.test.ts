import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../service';
import { itemWithFiles, textFile } from './file/fileTestbed';
import { byIds, mass } from './massOperation/massParameters';
import { asJson, mapped } from './record/recordValues';
import { onOrders, recordId, sheet, useRecordTestbed } from './recordTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const oneRecord = { sheet: sheet(orders), recordId: recordId(5) };
const values = asJson({ [fields.remark]: 'x' });
const update = { operation: 'update', ...oneRecord, ...values };
const list = { ...onOrders('getAll'), limit: 1 };
const ten = byIds('10');
/** Values for both input modes. If an expression selects the mode, n8n requires the parameters of both. */
const bothInputs = {
	...mapped({ [fields.remark]: 'x' }),
	recordJson: '{}',
	rowJson: '{}',
	matchFields: [fields.remark],
};
const wrong = '={{ $json.wrong }}';

/** Parameters with an expression, and the name of this parameter in the editor. */
type Case = [displayName: string, parameters: INodeParameters];

async function refusal(parameters: INodeParameters, value: string | number | null) {
	const item = await itemWithFiles({ wrong: value }, { data: textFile('a.txt', 'A') });
	const result = await testbed.runById(parameters, [item]);
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
	['Output Field Names By', { ...list, options: { fieldKeys: wrong } }],
	['Input', { ...update, ...bothInputs, inputMode: wrong }],
	['Select Records By', mass('lock', { ...ten, selection: wrong })],
];

it.each(choices)(
	'an expression whose value is not one of the options is rejected before anything is sent %s: %j',
	async (displayName, parameters) => {
		expect(await refusal(parameters, 'Something')).toContain(
			`'${displayName}' is 'Something', which is not one of its options`,
		);
		expect(await refusal(parameters, null)).toContain(`'${displayName}' has no value`);
	},
);

const flags: Case[] = [
	['Newest First', { ...list, options: { reverse: wrong } }],
	['Check Lock', { ...update, options: { checkLock: wrong } }],
];

it.each(flags)(
	'an expression whose value is neither true nor false is rejected before anything is sent %s: %j',
	async (displayName, parameters) => {
		expect(await refusal(parameters, 'yes')).toContain(
			`'${displayName}' is 'yes', which is neither true nor false`,
		);
		expect(await refusal(parameters, '')).toContain(`'${displayName}' has no value`);
	},
);

it.each(['8 hours', '', 15, 14.25, -20, -14.25, null])(
	'the Time Zone %j is rejected',
	async (value) => {
		const options = { timeZone: wrong };
		expect(await refusal({ ...list, options }, value)).toContain("'UTC Offset' must be a number");
		expect(await refusal({ ...update, options }, value)).toContain("'UTC Offset' must be a number");
	},
);

it.each([-14, 14])('the Time Zone %j, the minimum or maximum, is sent', async (timeZone) => {
	const options = { timeZone };
	expect((await testbed.run({ ...list, options })).error).toBeUndefined();
	expect((await testbed.runById({ ...update, options })).error).toBeUndefined();
	const urls = testbed.service.requests.all().map(({ rawUrl }) => rawUrl);
	expect(urls.filter((url) => url.includes(`tz=${timeZone}`))).toHaveLength(2);
});

it('the texts true and false, and 1 and 0, of an expression are sent in the format of the service', async () => {
	const options = {
		checkLock: '={{ "true" }}',
		doDefaultValue: '={{ 0 }}',
		doLinkLoad: '={{ true }}',
		notification: '={{ "False" }}',
	};
	expect((await testbed.runById({ ...update, options })).error).toBeUndefined();
	expect(testbed.writes[0]?.rawUrl.split('?api&')[1]).toBe(
		'doDefaultValue=false&doLinkLoad=true&notification=false&checkLock=true',
	);
});
