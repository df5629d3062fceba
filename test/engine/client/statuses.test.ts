import type { Fault } from '../../service';
import { createCustomer, readOrder, readOwnOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const addressAdvice =
	"Choose the sheet again: it may have been moved or deleted. If it exists, check 'Base URL' and 'Account' in the credential. A path begins after the account, e.g. sales/orders/1.";
const idAdvice =
	'Check the ID if the request is for one record, row or file: it may have been deleted.';

it.each([
	{
		status: 404,
		request: 'a create',
		parameters: createCustomer(),
		message: 'The requested item does not exist',
		description: `${addressAdvice} ${idAdvice}`,
	},
	{
		status: 413,
		request: 'a create',
		parameters: createCustomer(),
		message: 'The request is larger than the service accepts',
		description: 'Send smaller or fewer files, or fewer rows, in one request.',
	},
	{
		status: 418,
		request: 'a create',
		parameters: createCustomer(),
		message: 'The service answered with HTTP 418',
		description:
			"Check 'Base URL' in the credential, and whether there is a proxy between n8n and the service.",
	},
	{
		status: 400,
		request: 'a read',
		parameters: readOrder(),
		message: 'The request was not understood; a required parameter may be missing',
		description:
			'Check that no required value is missing, and the format of IDs, dates and conditions.',
	},
	{
		status: 403,
		request: 'a read',
		parameters: readOrder(),
		message: 'The service refuses access',
		description:
			"Give the credential's user the right to do this on this sheet, or choose another credential. A firewall or proxy may also refuse a request.",
	},
])(
	'the error for HTTP $status on $request says what to check, and nothing is sent again',
	async ({ status, request, parameters, message, description }) => {
		const method = request === 'a create' ? 'POST' : 'GET';
		testbed.inject({ kind: 'status', status, when: (seen) => seen.method === method });
		const { error } = await testbed.runById(parameters);
		expect(error).toMatchObject({ message, description, httpCode: String(status) });
		const sent = testbed.service.requests.all().filter((seen) => seen.method === method);
		expect(sent).toHaveLength(1);
	},
);

describe('a service that is busy', () => {
	const busy: Fault = { kind: 'status', status: 503 };
	const waitHint = {
		message: expect.stringMatching(/waited \d+ s in total.*not available at the moment/),
	};

	it('the wait for a busy service is reported in one hint with its reason', async () => {
		testbed.inject({ ...busy, times: 4, headers: { 'retry-after': '4' } });
		const { items, hints } = await testbed.run(readOwnOrder(), [{}, {}]);
		expect(items).toHaveLength(2);
		expect(hints).toEqual([expect.objectContaining(waitHint)]);
	});

	it('a short wait for a busy service is not reported', async () => {
		testbed.inject({ ...busy, times: 1 });
		expect((await testbed.run(readOrder())).hints).toEqual([]);
	});
});
