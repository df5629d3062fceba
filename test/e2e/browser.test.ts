import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { orders } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import type { SavedCredential } from './editor';
import { example, exampleNames } from './chain';
import { useSharedN8n } from './n8nTestbed';
import { until } from './until';

const testbed = useSharedN8n();

let editor: EditorPage;
let credentials: SavedCredential[];

beforeAll(async () => {
	// n8n preselects the credential saved last in a new node.
	credentials = [
		await testbed.editor.createCredential('openAiApi', { apiKey: 'none' }),
		await testbed.editor.createCredential('httpHeaderAuth', { name: 'x-key', value: 'none' }),
		await testbed.session('admin'),
		await testbed.apiKey('admin'),
	];
});
useEditorPage(testbed, (opened) => (editor = opened));

beforeEach(() => testbed.service.reset());

it.each([
	[
		'Sheet Records',
		['sheet records', 'ragic', 'record', 'database', 'spreadsheet', 'upsert', 'webhook', 'sync'],
	],
	['Sheet Records Polling', ['poll']],
])('the nodes panel finds %s by related search terms', async (name, searches) => {
	await editor.newWorkflow();
	for (const words of searches) {
		expect(await editor.searchNodes(words)).toContain(name);
		await editor.screenshot(`panel ${words}`);
	}
});

it('the trigger shows its webhook URLs and the steps to take in the service', async () => {
	await editor.newWorkflow();
	await editor.addNode('On record updated');
	await editor.pickSheet('Sales / Orders');
	await editor.page.getByText('Webhook URLs').first().click();
	await editor.page.getByText(/webhook-test\//).waitFor();
	await editor.page.getByText("Copy the address from the tab 'Production URL'").waitFor();
	await editor.page.getByText('Send full content of the changed record').first().waitFor();
	await editor.page.getByText('When will this node trigger my flow?').click();
	await editor.page.getByText('only those deliveries are signed').first().waitFor();
	await editor.settled();
	await editor.screenshot('trigger');
	await editor.screenshotInBothThemes('panel trigger');
	await editor.page.getByText('only when Listening for test event appears').waitFor();
	await editor.pick('registration', 'Automatic');
	// Delay the registration: the message must not appear before it ends, because an earlier change would be missed.
	testbed.service.faults.inject({
		kind: 'status',
		status: 503,
		headers: { 'retry-after': '3' },
		when: ({ path }) => path.endsWith('/webhooks.jsp'),
	});
	await editor.execute();
	await editor.page.getByTestId('trigger-listening').waitFor();
	// The hint comes from the node, because n8n hides its own help while it listens.
	await editor.page.getByText('before you change a record').waitFor();
	await editor.screenshot('listening');
	expect(testbed.service.webhooks.receivers.of(orders)).toHaveLength(1);
	testbed.service.people.edit(orders, 5, { [orders.fields.remark]: 'changed at once' });
	await editor.page.getByTestId('output-panel').getByText('changed at once').first().waitFor();
});

it('the polling trigger opens with its poll times, changes and sheet', async () => {
	await editor.newWorkflow();
	await editor.addNode('On record updated', 'Triggers', 'Sheet Records Polling');
	const panel = editor.page.getByTestId('ndv');
	for (const label of ['Poll Times', 'Record Updated', 'Filters', 'Watch Field Names or IDs'])
		await panel.getByText(label, { exact: true }).first().waitFor();
	await editor.pickSheet('Sales / Orders');
	await editor.screenshotInBothThemes('panel polling');
});

it.each([
	['Sheet Records API account', 'apiKey'],
	['Sheet Records Session API account', 'password'],
])(
	'the credential %s is tested when opened, and shows all required fields without scrolling',
	async (name, lastNeeded) => {
		const dialog = await editor.openCredential(name);
		await dialog.getByText('Connection tested successfully').waitFor();
		await dialog.getByText('Required unless Base URL is the address of a sheet').waitFor();
		const field = await dialog.getByTestId(`parameter-input-${lastNeeded}`).boundingBox();
		const whole = await dialog.boundingBox();
		const [bottom = NaN, edge = NaN] = [field, whole].map((box) => box && box.y + box.height);
		expect(bottom).toBeLessThan(Number(edge));
		await editor.screenshot(`credential ${name}`);
		await editor.screenshotInBothThemes(`panel credential ${name}`);
		await editor.page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
	},
);

describe('the example workflow', () => {
	async function open(name: string, known: SavedCredential[]): Promise<WorkflowJson> {
		const json = example(name);
		const { id } = await testbed.editor.importWorkflow(json, known);
		await editor.openWorkflow(id);
		// The sticky note is not a node of the canvas. Nodes of the previous workflow may still be fading out.
		const nodes = editor.page.getByTestId('canvas-node');
		await until(async () => (await nodes.count()) === json.nodes.length - 1);
		return json;
	}

	it.each(exampleNames())('%s opens with a note and without a warning', async (name) => {
		const json = await open(name, credentials);
		await editor.page.getByTestId('sticky').first().waitFor();
		await editor.settled();
		await editor.screenshot(`example ${name.replace('/', ' ')}`);
		// Nodes that send e-mail need a credential of the user, so n8n shows an issue for each of them.
		const emailNodes = json.nodes.filter(({ type }) => type === 'n8n-nodes-base.emailSend');
		expect(await editor.nodeIssues.count()).toBe(emailNodes.length);
		expect(await editor.page.getByRole('alert').allInnerTexts()).toEqual([]);
		for (const { name: node, parameters } of json.nodes) {
			if (!/"[0-9]{7}"|mappingMode/.test(JSON.stringify(parameters))) continue;
			const panel = await editor.panelOf(node);
			expect(panel).not.toMatch(/outdated/i);
			// n8n shows "Mode..." for a value in the format of an earlier parameter version.
			expect(panel).not.toMatch(/Mode\.\.\./);
			// n8n shows the stored ID if it does not find the name of a field.
			expect(panel).not.toMatch(/(?<![\d_(])\d{7}(?!\d)/);
		}
		expect(editor.complaints).toEqual([]);
	});

	it.each([
		['light', '.svg'],
		['dark', '.dark.svg'],
	] as const)('has an icon for each kind of node in the %s theme', async (colorScheme, ending) => {
		await editor.page.emulateMedia({ colorScheme });
		await open('jobs/webhookAndNet', credentials);
		for (const name of ['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger']) {
			const icon = editor.page.locator(`img[src$="/${name}${ending}"]`).first();
			await icon.waitFor();
			const width = await icon.evaluate((image: HTMLImageElement) => image.naturalWidth);
			expect(width).toBeGreaterThan(0);
		}
		await editor.screenshot(`theme ${colorScheme}`);
		await editor.page.emulateMedia({ colorScheme: 'light' });
	});

	it('shows an issue if its credential is missing', async () => {
		await open('trigger', []);
		await editor.nodeIssues.first().waitFor();
	});
});
