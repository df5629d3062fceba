import type { INodeParameters } from 'n8n-workflow';

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

const queries = () => testbed.writes.map(({ rawUrl }) => rawUrl.split('?')[1]);

it.each<[INodeParameters, string]>([
	[{}, 'api'],
	[{ clearEmpty: true }, 'api'],
	[{ doFormula: true, doWorkflow: false }, 'api&doFormula=true&doWorkflow=false'],
	[{ doFormula: false, doWorkflow: true }, 'api&doFormula=false&doWorkflow=true'],
	[{ doDefaultValue: true, notification: false }, 'api&doDefaultValue=true&notification=false'],
	[{ doDefaultValue: false, notification: true }, 'api&doDefaultValue=false&notification=true'],
	[{ doLinkLoad: 'true' }, 'api&doLinkLoad=true'],
	[{ doLinkLoad: 'false' }, 'api&doLinkLoad=false'],
	[{ doLinkLoad: 'first' }, 'api&doLinkLoad=first'],
	[{ doLinkLoad: true }, 'api&doLinkLoad=true'],
	[{ doValidation: true, timeZone: 8 }, 'api&doValidation=true&tz=8'],
	// The service knows only true.
	[{ doValidation: false, timeZone: 0 }, 'api&tz=0'],
	[{ timeZone: -3.5, version: '2025-01-01' }, 'api&tz=-3.5&version=2025-01-01'],
])('%j is sent as %s', async (options, query) => {
	const result = await testbed.run({ ...create, options });
	expect(result.status).toBe('success');
	expect(queries()).toEqual([query]);
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
