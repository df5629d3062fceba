import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [fields.customerNumber]: 'C-0001' }),
};

/** The query of the create, without the question mark. */
async function queryWith(options: Record<string, string | number | boolean>) {
	const result = await testbed.run({ ...create, options });
	expect(result.status).toBe('success');
	expect(testbed.writes).toHaveLength(1);
	return testbed.writes[0]?.rawUrl.split('?')[1];
}

it('sends no option that was not added', async () => {
	expect(await queryWith({})).toBe('api');
});

it.each([
	[{ doFormula: true }, 'api&doFormula=true'],
	[{ doFormula: false }, 'api&doFormula=false'],
	[{ doDefaultValue: true }, 'api&doDefaultValue=true'],
	[{ doDefaultValue: false }, 'api&doDefaultValue=false'],
	[{ doLinkLoad: 'true' }, 'api&doLinkLoad=true'],
	[{ doLinkLoad: 'false' }, 'api&doLinkLoad=false'],
	[{ doLinkLoad: 'first' }, 'api&doLinkLoad=first'],
	[{ doLinkLoad: true }, 'api&doLinkLoad=true'],
	[{ doWorkflow: true }, 'api&doWorkflow=true'],
	[{ doWorkflow: false }, 'api&doWorkflow=false'],
	[{ notification: true }, 'api&notification=true'],
	[{ notification: false }, 'api&notification=false'],
	[{ doValidation: true }, 'api&doValidation=true'],
	[{ timeZone: 8 }, 'api&tz=8'],
	[{ timeZone: 0 }, 'api&tz=0'],
	[{ timeZone: -3.5 }, 'api&tz=-3.5'],
	[{ version: '2025-01-01' }, 'api&version=2025-01-01'],
	[{ clearEmpty: true }, 'api'],
])('%j is sent as %s', async (options, query) => {
	expect(await queryWith(options)).toBe(query);
});

it('leaves Validate out when it is turned off: the service knows only true', async () => {
	expect(await queryWith({ doValidation: false })).toBe('api');
});

it('never sends Check Lock: a new record cannot be locked', async () => {
	expect(await queryWith({ checkLock: true })).toBe('api');
});

it('sends several at once, each once', async () => {
	const query = await queryWith({
		doFormula: true,
		doLinkLoad: 'first',
		notification: false,
		version: '2025-01-01',
		timeZone: 1,
	});
	expect(query?.split('&').sort()).toEqual([
		'api',
		'doFormula=true',
		'doLinkLoad=first',
		'notification=false',
		'tz=1',
		'version=2025-01-01',
	]);
});

it('takes options from expressions, for each item', async () => {
	const result = await testbed.run(
		{
			...create,
			options: { notification: '={{ $json.notify }}', doLinkLoad: '={{ $json.load }}' },
		},
		[
			{ notify: false, load: 'first' },
			{ notify: true, load: 'false' },
		],
	);
	expect(result.status).toBe('success');
	expect(testbed.writes.map(({ rawUrl }) => rawUrl.split('?')[1])).toEqual([
		'api&doLinkLoad=first&notification=false',
		'api&doLinkLoad=false&notification=true',
	]);
	expect(testbed.service.data.notifications.map(({ recordId }) => recordId)).toEqual([302]);
});

it('has the effects that the service promises', async () => {
	const result = await testbed.run({
		...create,
		options: { doFormula: true, doLinkLoad: 'first', doDefaultValue: true, notification: false },
	});
	expect(result.items[0]?.json).toMatchObject({
		[fields.status]: 'Open',
		[fields.customerName]: expect.stringMatching(/./),
		[fields.shippingLabel]: expect.stringContaining(', '),
		[fields.workflowStamp]: '',
	});
	expect(testbed.service.data.notifications).toEqual([]);
});
