import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../service';
import type { SavedCredential, SavedWorkflow } from './editor';
import { example } from './chain';
import { useN8nTestbed } from './n8nTestbed';
import { until } from './until';

const testbed = useN8nTestbed();
const { fields } = orders;

let credential: SavedCredential;
let workflow: SavedWorkflow;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

afterEach(async () => await testbed.editor.deactivate(workflow));

/** Production URL of the trigger, as the editor shows it. */
const address = () =>
	`${testbed.n8n.url}/webhook/${workflow.nodes.find(({ webhookId }) => webhookId)?.webhookId}/webhook`;

async function activate(parameters: INodeParameters = {}): Promise<void> {
	const json = example('trigger');
	const nodes = json.nodes.map((node) =>
		node.webhookId
			? {
					...node,
					webhookId: `${node.webhookId.slice(0, -4)}${String(Date.now()).slice(-4)}`,
					parameters: { ...node.parameters, ...parameters },
				}
			: node,
	);
	workflow = await testbed.editor.importWorkflow({ ...json, nodes }, [credential]);
	await testbed.editor.activate(workflow);
	await until(async () => (await probe()) !== 404);
}

/** Returns the status with which n8n answers an invalid delivery; 404 if the workflow is not active. */
async function probe(): Promise<number> {
	const answer = await fetch(address(), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{}',
	});
	return answer.status;
}

const executions = async (count: number) => await testbed.editor.endedExecutions(workflow, count);

function signedBody(recordId: number): string {
	const sheet = testbed.service.data.sheet(orders);
	return testbed.service.webhooks.body(sheet, 'UPDATE', [sheet.record(recordId)]);
}

async function deliver(body: string): Promise<[number, string]> {
	const { status, answer } = await testbed.service.webhooks.deliver(address(), body);
	return [status, answer];
}

it('an active workflow starts once per signed change with the changed record, and not for a forged delivery', async () => {
	await activate();
	testbed.service.webhooks.register(orders, address());
	testbed.service.people.edit(orders, 5, { [fields.remark]: 'x/y <é😀>' });
	const [first] = await testbed.service.webhooks.settled();
	expect(first?.status).toBe(200);
	const [execution] = await executions(1);
	expect(execution?.status).toBe('success');
	expect(execution?.json('Changed Records')).toEqual([
		expect.objectContaining({
			event: 'UPDATE',
			recordId: 5,
			account: 'acme',
			verified: true,
			record: expect.objectContaining({ Remark: 'x/y <é😀>' }),
		}),
	]);
	testbed.expectNoSecrets(execution?.stored ?? '');
	const [status] = await deliver(signedBody(5).replace('"SO-', '"XX-'));
	expect([status, await executions(1)]).toEqual([401, [execution]]);
});

it('automatic registration adds the address when the workflow is activated, and removes it when it is deactivated', async () => {
	const receivers = () => testbed.service.webhooks.receivers.of(orders).map(({ url }) => url);
	await activate({ registration: 'automatic' });
	await until(() => receivers().length > 0);
	expect(receivers()).toEqual([address()]);
	await testbed.editor.deactivate(workflow);
	await until(() => receivers().length === 0);
});

it('after a restart of n8n, the workflow still receives deliveries and ignores known content', async () => {
	await activate();
	const body = signedBody(7);
	expect(await deliver(body)).toEqual([200, expect.any(String)]);
	await executions(1);

	await testbed.n8n.restart();
	await until(async () => (await probe()) !== 404);
	// Known content does not start an execution; other content does.
	expect(await deliver(body)).toEqual([200, expect.any(String)]);
	testbed.service.data.record(orders, 7).set(fields.remark, 'Changed meanwhile');
	expect(await deliver(signedBody(7))).toEqual([200, expect.any(String)]);
	expect(await executions(2)).toHaveLength(2);
});
