import { orders } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import type { SavedWorkflow } from './editor';
import { useSharedN8n } from './n8nTestbed';
import { until } from './until';

// Triggers as people set them up: from the first event in the editor to the second change, and to the end.

const testbed = useSharedN8n();
const { fields } = orders;

let editor: EditorPage;
beforeAll(async () => {
	await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => (editor = opened));
beforeEach(() => testbed.service.reset());

const receivers = () => testbed.service.webhooks.receivers.of(orders).map(({ url }) => url);
const change = (record: number, remark: string) =>
	testbed.service.people.edit(orders, record, { [fields.remark]: remark });

/** Returns the workflow that is open in the editor. The editor saves it automatically. */
async function openedWorkflow(): Promise<SavedWorkflow> {
	const [, id = ''] = /\/workflow\/(\w+)/.exec(editor.page.url()) ?? [];
	return await testbed.editor.savedWorkflow(id);
}

/** Returns the first item of a trigger in the execution that follows `known` others. */
async function itemOfNext(workflow: SavedWorkflow, known: number, trigger: string) {
	const [latest] = await testbed.editor.endedExecutions(workflow, known + 1);
	expect(latest?.status).toBe('success');
	return latest?.json(trigger)[0];
}

it('the webhook trigger shows the first change while it listens, starts for the second, and ends when deactivated', async () => {
	const output = editor.page.getByTestId('output-panel');
	await editor.newWorkflow();
	await editor.addNode('On record updated', 'Triggers');
	await editor.pickSheet('Sales / Orders');
	await editor.pick('registration', 'Automatic');
	await editor.execute();
	await until(() => receivers().length > 0);
	await editor.screenshot('listening');
	change(5, 'While n8n listens');
	await output.getByText('1 item', { exact: true }).waitFor();
	await output.getByText('UPDATE', { exact: true }).first().waitFor();
	await editor.screenshot('listened');
	await until(() => receivers().length === 0);

	await editor.leaveNode();
	const workflow = await openedWorkflow();
	// n8n publishes no workflow that is open elsewhere.
	await editor.newWorkflow();
	await testbed.editor.activate(workflow);
	await until(() => receivers().length > 0);
	const { length } = await testbed.editor.executions(workflow);
	change(6, 'The second change');
	expect(await itemOfNext(workflow, length, 'Sheet Records Trigger')).toMatchObject({
		event: 'UPDATE',
		recordId: 6,
	});
	await testbed.editor.deactivate(workflow);
	await until(() => receivers().length === 0);
});

it('the polling trigger shows the newest record as a test event, starts for the second change, and ends when unpublished', async () => {
	const { page } = editor;
	const output = page.getByTestId('output-panel');
	await editor.newWorkflow();
	await editor.addNode('On record updated', 'Triggers', 'Sheet Records Polling');
	await editor.pickSheet('Sales / Orders');
	change(5, 'While n8n tests');
	await editor.execute();
	await output.getByText('1 item', { exact: true }).waitFor();
	await output.getByText('UPDATE', { exact: true }).first().waitFor();
	await editor.screenshot('polled');
	await editor.leaveNode();

	await editor.publish();
	const workflow = await openedWorkflow();
	expect(await testbed.editor.executions(workflow)).toHaveLength(1);
	change(6, 'The second change');
	expect(await itemOfNext(workflow, 1, 'Sheet Records Polling Trigger')).toMatchObject({
		event: 'UPDATE',
		recordId: 6,
	});

	await editor.unpublish();
	expect(await testbed.editor.savedWorkflow(workflow.id)).toMatchObject({ active: false });
});
