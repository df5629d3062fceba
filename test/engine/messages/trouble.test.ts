import { createCustomer, readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { useSkippingClock } from '../clock';
import type { Fault } from '../../service';

const testbed = useRecordTestbed();
useSkippingClock();

const page = (text: string) =>
	`<html><head><title>${text}</title></head><body>${text}</body></html>`;
const lasting = { times: Infinity };

it.each<[what: string, fault: Fault, owner: RegExp, step: RegExp]>([
	[
		'HTTP 503',
		{ kind: 'status', status: 503, ...lasting },
		/^The service is not available/,
		/maintenance/,
	],
	[
		'HTTP 502',
		{ kind: 'status', status: 502, ...lasting },
		/^A gateway or proxy/,
		/ask whoever runs/,
	],
	[
		'HTTP 504',
		{ kind: 'status', status: 504, ...lasting },
		/^A gateway or proxy/,
		/ask whoever runs/,
	],
	[
		'HTTP 407',
		{ kind: 'status', status: 407, ...lasting },
		/^A proxy between n8n's network/,
		/proxy settings/,
	],
	[
		'HTTP 429',
		{ kind: 'status', status: 429, ...lasting },
		/^The service receives too many/,
		/Lower/,
	],
	[
		'a maintenance page with status 200',
		{ kind: 'body', body: page('Down for maintenance'), ...lasting },
		/^The service seems to be in maintenance/,
		/'Down for maintenance'.*Try again later/,
	],
	[
		'another page with status 200',
		{ kind: 'body', body: page('Welcome'), ...lasting },
		/^The service answered with a web page instead of data/,
		/'Base URL'.*'Welcome'/,
	],
])('the message names the owner of the problem: %s', async (_, fault, owner, step) => {
	testbed.inject(fault);
	const { error } = await testbed.run(readOrder());
	expect(error?.message).toMatch(owner);
	expect(error?.description).toMatch(step);
});

it('a sheet that takes no more records names the limit of the plan (code 109)', async () => {
	const body = '{"status":"ERROR","code":109,"msg":"Record limit reached."}';
	testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST', ...lasting });
	const { error } = await testbed.run(createCustomer());
	expect(`${error?.message} ${error?.description}`).toMatch(
		/Record limit reached.*code 109.*limits of the account's plan/s,
	);
	expect(testbed.writes).toHaveLength(1);
});

it("a request that is answered with the login's -1 is explained for the credential in use", async () => {
	testbed.inject({ kind: 'body', body: '-1', ...lasting });
	const { error } = await testbed.run(readOrder());
	expect(error?.message).toBe('The service did not accept the credential');
	expect(error?.description).toContain('Copy the complete API key again');
});

it('a task that the service answers with HTTP 404 needs no other sheet', async () => {
	testbed.inject({ kind: 'status', status: 404, ...lasting });
	const { error } = await testbed.run({ resource: 'task', operation: 'get', taskId: 'abc' });
	expect(error?.message).toContain('does not know the task abc');
	expect(error?.description).not.toContain('sheet');
});

it.each([
	{ authentication: 'apiKey', isOfKey: true },
	{ authentication: 'session', isOfKey: false },
])('a refusal with code 106 speaks of a key only if there is one: $authentication', async (row) => {
	const { authentication, isOfKey } = row;
	const body = '{"status":"ERROR","code":106,"msg":"No access."}';
	testbed.inject({ kind: 'body', body, when: ({ path }) => path !== '/AUTH', ...lasting });
	const credentials = { ...testbed.credentials(), ...testbed.sessionCredentials() };
	const { error } = await testbed.run({ ...readOrder(), authentication }, [{}], { credentials });
	expect(error?.description).toContain("Give the credential's user the right");
	expect(error?.description?.includes('A key that')).toBe(isOfKey);
});
