import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';
import type { Browser, Locator, Page, Response } from 'playwright-core';
import type { N8nTestbed } from './n8nTestbed';
import { owner } from './ownersSession';
import { until } from './until';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Turns off background requests, and the sandbox, which does not work for root. */
const chromiumArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Launches a headless Chromium: the program in CHROMIUM, or an installed one. */
async function launchChromium(): Promise<Browser> {
	const { CHROMIUM } = process.env;
	const executablePath = CHROMIUM || programs.find((program) => existsSync(program));
	if (executablePath === undefined) {
		throw new Error('No Chromium is on this machine: "apt-get install chromium", or set CHROMIUM');
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, args: chromiumArguments });
}

const { SCREENSHOTS: screenshots, SLOWDOWN: slowdown } = process.env;

/** Root element of n8n's editor, with the router that opens other pages. */
interface VueElement extends Element {
	__vue_app__: {
		config: { globalProperties: { $router: { push(address: string): unknown } } };
	};
}

/** Maximum time of a step in a page, in ms. The editor took more than 90 s to open on a busy machine. */
export const maxStepMilliseconds = 240_000;

export class EditorPage {
	/** Uncaught errors of the page. */
	readonly complaints: string[] = [];

	private constructor(readonly page: Page) {}

	static async open(browser: Browser, url: string): Promise<EditorPage> {
		const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
		page.setDefaultTimeout(maxStepMilliseconds);
		if (slowdown) await slowDown(page, Number(slowdown));
		const editorPage = new EditorPage(page);
		page.on('pageerror', (error) => {
			// n8n causes this error itself when the user leaves a workflow after opening its nodes.
			if (!error.message.includes('injectNDVStore')) editorPage.complaints.push(String(error));
		});
		await page.goto(`${url}/signin`);
		await page.getByLabel('Email').or(page.locator('form input')).first().fill(owner.email);
		await page.locator('input[type=password]').fill(owner.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await editorPage.overview.first().waitFor();
		return editorPage;
	}

	/** Heading of n8n's start page. The second text appears as long as there are no workflows. */
	private get overview(): Locator {
		return this.page.getByText(/^(Overview|Build a workflow)$/).filter({ visible: true });
	}

	/** Opens a page through the overview, without reloading the editor, which takes long. */
	private async goTo(address: string): Promise<void> {
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		// Repeat it, because a workflow that is being saved changes its address, which cancels the navigation.
		await repeatUntil(this.overview.first(), async () => {
			await this.follow('/home/workflows');
			await this.overview.or(leave).first().waitFor();
			if (await leave.isVisible()) await leave.click();
		});
		await this.follow(address);
	}

	private async follow(address: string): Promise<void> {
		await this.page.evaluate((to) => {
			const app: VueElement | null = document.querySelector('#app');
			void app?.__vue_app__.config.globalProperties.$router.push(to);
		}, address);
	}

	/** Starts counting clicks and inputs on this page. Returns a function that reads the count. */
	async countSteps(): Promise<() => Promise<number>> {
		await this.page.evaluate(() => {
			const { dataset } = document.documentElement;
			const count = () => (dataset.steps = String(Number(dataset.steps ?? 0) + 1));
			document.addEventListener('pointerdown', count, true);
			document.addEventListener('input', count, true);
		});
		return async () => Number(await this.page.locator('html').getAttribute('data-steps'));
	}

	async newWorkflow(): Promise<void> {
		await this.goTo('/workflow/new');
		await this.page.getByTestId('node-creator-plus-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	async openCredential(name: string): Promise<Locator> {
		await this.goTo('/home/credentials');
		await this.page.getByText(name, { exact: true }).click();
		return this.page.getByRole('dialog');
	}

	/** Searches the nodes panel. Returns the names of the nodes of this package that it finds. */
	async searchNodes(words: string): Promise<string[]> {
		// Clear the results of an earlier search first, so that the test cannot mistake them for results of this search.
		await this.search('no node of this name');
		await this.foundNodes.first().waitFor({ state: 'hidden' });
		await this.search(words);
		await this.foundNodes.first().waitFor();
		return await this.foundNodes.allInnerTexts();
	}

	/** Adds an action or a trigger of a node to the workflow, which opens its parameters. */
	async addNode(action: string, list = 'Actions', node = 'Sheet Records'): Promise<void> {
		await this.chooseAction(action, list, node);
		await this.page.getByTestId('rlc-input').first().waitFor();
	}

	/** Adds an action whose parameters do not begin with a sheet. */
	async addAction(action: string): Promise<void> {
		await this.chooseAction(action);
		await this.page.getByTestId('ndv').waitFor();
	}

	/** Replaces a step by an action of Sheet Records, as the placeholder that n8n puts into a new loop. */
	async replaceNode(step: string, action: string): Promise<void> {
		await this.openedByDoubleClick(step, this.page.getByText('Replace this step'));
		await this.chooseAction(action);
		await this.page.getByText(action, { exact: true }).first().waitFor();
	}

	private async chooseAction(
		action: string,
		list = 'Actions',
		node = 'Sheet Records',
	): Promise<void> {
		await this.search(node);
		await this.foundNodes.filter({ hasText: new RegExp(`^${node}(?! \\w)`) }).click();
		const actionItem = this.page.getByText(action, { exact: true });
		const actions = this.page.getByText(new RegExp(`^${list} \\(\\d+\\)`));
		await actions.waitFor();
		// Click only if the list is closed, because a click closes an open list.
		await repeatUntil(actionItem, async () => {
			if (!(await actionItem.isVisible())) await actions.click();
		});
		await actionItem.click();
	}

	/** Adds a node of n8n by its name, and by the name of an action or a trigger if it has several. */
	async addOtherNode(name: string, action?: string): Promise<void> {
		await this.search(name);
		const found = this.page.getByTestId('node-creator-item-name');
		await found
			.filter({ hasText: new RegExp(`^${escapedForPattern(name)}`) })
			.first()
			.click();
		if (action) await this.page.getByText(action, { exact: true }).first().click();
		await this.page.getByTestId('ndv').waitFor();
	}

	async leaveNode(): Promise<void> {
		const panel = this.page.getByTestId('ndv');
		await panel.getByTestId('ndv-close-button').click();
		await panel.waitFor({ state: 'hidden' });
	}

	/** Drags a value until the result appears. A busy editor may miss a drop. */
	async dragUntil(result: Locator, what: Locator, into: Locator): Promise<void> {
		await repeatUntil(result, async () => await this.drag(what, into));
	}

	async drag(what: Locator, into: Locator): Promise<void> {
		await what.hover();
		await this.page.mouse.down();
		// n8n shows drop targets only while the mouse moves, so move it twice.
		await into.hover();
		await into.hover({ position: { x: 1, y: 1 } });
		await this.page.mouse.up();
	}

	/** Opens the list of sheets and selects a sheet. Returns all entries of the list. */
	async pickSheet(name: string): Promise<string[]> {
		const entries = this.page.getByTestId('rlc-item');
		// Repeat it, because a list that is opened while the editor saves the new node may close again.
		await repeatUntil(entries.first(), async () => {
			await this.page.getByTestId('rlc-input').first().click();
		});
		const offered = await entries.allInnerTexts();
		await this.screenshot('sheets');
		await entries.filter({ hasText: name }).click();
		return offered;
	}

	async pick(parameter: string, name: string | RegExp): Promise<string[]> {
		return await this.choose(this.page.getByTestId(`parameter-input-${parameter}`).first(), name);
	}

	/** Opens the list of an input and selects an entry. Returns all entries. */
	async choose(input: Locator, name: string | RegExp): Promise<string[]> {
		const entries = this.page.locator('.el-select-dropdown__item:visible');
		const entry = entries.filter({ hasText: name }).first();
		// Repeat it, because a list opened while its entries are loading may close again.
		await repeatUntil(entry, async () => await input.click());
		const offered = await entries.allInnerTexts();
		await entry.click();
		return offered;
	}

	async type(parameter: string, text: string): Promise<void> {
		const whole = this.page.getByTestId(`parameter-input-${parameter}`).first();
		// A resource locator also contains a mode selector, so look for its value input.
		const locator = whole.getByTestId('rlc-input');
		const input = (await locator.count()) > 0 ? locator : whole;
		const field = this.page.locator('input, [contenteditable]');
		await field.and(input).or(input.locator(field)).first().fill(text);
	}

	/** Turns a parameter into an expression. */
	async typeExpression(parameter: string | RegExp, expression: string): Promise<void> {
		const name = typeof parameter === 'string' ? `parameter-input-${parameter}` : parameter;
		const input = this.page.getByTestId(name).first();
		await input.hover();
		const switches = 'xpath=ancestor::*[.//*[@data-test-id="radio-button-expression"]][1]';
		await input.locator(switches).getByTestId('radio-button-expression').first().click();
		await input.locator('[contenteditable]').first().fill(expression);
		// The editor stores an expression later than other values.
		await this.settled();
	}

	/** Adds a field to the mapper of an update, which shows none at first. */
	async addMappedField(name: string): Promise<void> {
		await this.page.getByText('Add field to send').first().click();
		await this.page.getByRole('menuitem').filter({ hasText: name }).first().click();
	}

	async enter(parameter: string, text: string): Promise<void> {
		await this.page.getByTestId(`parameter-input-${parameter}`).last().locator('input').fill(text);
	}

	async execute(): Promise<void> {
		await this.valuesStored();
		await this.page.getByTestId('node-execute-button').click();
	}

	/** Runs the open workflow from its trigger. */
	async executeWorkflow(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').first().click();
	}

	/** Publishes the open workflow, so that its trigger starts it. */
	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		const dialog = this.page.getByRole('dialog').filter({ hasText: 'Publish workflow' });
		await dialog.getByRole('button', { name: 'Publish' }).click();
		await this.page.getByTestId('workflow-active-version-indicator').waitFor();
	}

	async unpublish(): Promise<void> {
		const menuItem = this.page.getByTestId('version-menu-item-unpublish');
		await repeatUntil(menuItem, async () => {
			// After the first publication, n8n shows a dialog.
			await this.page.keyboard.press('Escape');
			await this.page.getByTestId('version-menu-button').click();
		});
		await menuItem.click();
		const dialog = this.page.getByRole('dialog').filter({ hasText: 'Unpublish' });
		await dialog.getByRole('button', { name: 'Unpublish' }).click();
		await this.page.getByTestId('workflow-active-version-indicator').waitFor({ state: 'hidden' });
	}

	/** Opens a node of the canvas by its exact name. */
	async openNode(node: string): Promise<void> {
		await this.openedByDoubleClick(node, this.page.getByTestId('ndv'));
	}

	private async openedByDoubleClick(node: string, opened: Locator): Promise<void> {
		const label = this.page.getByText(node, { exact: true });
		await this.page.getByTestId('canvas-node').filter({ has: label }).first().dblclick();
		await opened.waitFor();
	}

	/** Gives the open workflow a name, and waits until the workflow is saved with it. */
	async rename(name: string): Promise<void> {
		await this.page.getByTestId('workflow-name-input').click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.type(name);
		// The editor may still be saving the workflow with its old name.
		const hasName = (response: Response) => {
			const request = response.request();
			// On a busy machine, the first save may be the one with the new name.
			const isSave = ['PATCH', 'POST'].includes(request.method());
			const isOfWorkflow = new URL(request.url()).pathname.startsWith('/rest/workflows');
			return isSave && isOfWorkflow && request.postData()?.includes(name) === true;
		};
		const saved = this.page.waitForResponse(hasName);
		await this.page.keyboard.press('Enter');
		await saved;
	}

	/** Arranges the nodes of the canvas. Added nodes may lie upon each other. */
	async tidyUp(): Promise<void> {
		await this.page.getByTestId('tidy-up-button').click();
		await this.settled();
	}

	/** Opens a node after an execution, reads its output as a table, and closes it. */
	async tableOf(node: string): Promise<string> {
		await this.openNode(node);
		const output = this.page.getByTestId('output-panel');
		// Items with files only have no table.
		await output
			.getByText(/^\d+ items?$/)
			.first()
			.waitFor();
		await this.settled();
		const text = await output.innerText();
		await this.screenshot(`table ${node}`);
		await this.leaveNode();
		return text;
	}

	/** Waits until the editor has stored a typed value: it does so after 100 ms, so an execution right after would use the old one. */
	private async valuesStored(): Promise<void> {
		// A later timer of the page ends after the timer of the editor, however slow the machine is.
		await this.page.evaluate(async () => {
			await new Promise((resolve) => setTimeout(resolve, 150));
		});
	}

	/** Waits for messages of n8n, and closes them until none is left. */
	async closeMessages(): Promise<void> {
		const closeButton = this.page
			.getByRole('button')
			.or(this.page.locator('.el-notification__closeBtn'));
		// Notices in the parameter panel are alerts too, but cannot be closed.
		const message = this.page.getByRole('alert').filter({ has: closeButton }).first();
		const button = message
			.getByRole('button')
			.or(message.locator('.el-notification__closeBtn'))
			.first();
		await message.waitFor();
		await until(async () => {
			// A message may disappear by itself before the click reaches it.
			await button.click({ timeout: 2_000 }).catch(() => undefined);
			return !(await message.isVisible());
		});
	}

	/** Opens the parameter panel of a node, reads all its texts and input values, and closes it. */
	async panelOf(node: string): Promise<string> {
		await this.page.getByTestId('canvas-node').filter({ hasText: node }).first().dblclick();
		const panel = this.page.getByTestId('ndv');
		await panel.getByTestId('parameter-input').first().waitFor();
		await this.settled();
		await panel.getByText('Fetching fields').waitFor({ state: 'hidden' });
		await this.screenshot(`node ${node}`);
		const fields = panel.getByTestId('parameter-input').locator('input');
		const fieldTexts = await fields.evaluateAll((inputs) =>
			inputs.map((input) => {
				if (!(input instanceof HTMLInputElement)) return '';
				// A resource locator shows its mode as a placeholder if no mode is stored.
				const isMode = input.closest('[data-test-id="rlc-mode-selector"]') !== null;
				return isMode && input.value === '' ? input.placeholder : input.value;
			}),
		);
		const texts = await panel.innerText();
		await this.page.keyboard.press('Escape');
		await panel.waitFor({ state: 'hidden' });
		return [texts, ...fieldTexts].join('\n');
	}

	get nodeIssues(): Locator {
		return this.page.getByTestId('node-issues');
	}

	/** Waits for animations to end, so that screenshots are stable. */
	async settled(): Promise<void> {
		await this.page.waitForTimeout(1_000);
	}

	async screenshot(name: string): Promise<void> {
		if (screenshots) await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
	}

	/** Takes a screenshot in each theme. The light theme stays active. */
	async screenshotInBothThemes(name: string): Promise<void> {
		if (!screenshots) return;
		for (const colorScheme of ['dark', 'light'] as const) {
			await this.page.emulateMedia({ colorScheme });
			await this.settled();
			await this.screenshot(`${name} ${colorScheme}`);
		}
	}

	private async search(words: string): Promise<void> {
		const field = this.page.getByTestId('node-creator-search-bar');
		const input = this.page.locator('input').and(field).or(field.locator('input'));
		if (!(await input.isVisible())) {
			await this.page.getByTestId('node-creator-plus-button').click();
		}
		await input.fill(words);
	}

	private get foundNodes(): Locator {
		return this.page.getByTestId('node-creator-item-name').filter({ hasText: /^Sheet Records/ });
	}
}

/** Runs the scripts of a page as on a slower machine, to find tests that depend on speed. */
async function slowDown(page: Page, rate: number): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Opens a browser for a test file and signs n8n's owner in to the editor. Calls `onReady` with the page. */
export function useEditorPage(testbed: N8nTestbed, onReady: (editor: EditorPage) => void): void {
	let browser: Browser | undefined;
	let editor: EditorPage | undefined;
	beforeAll(async () => {
		browser = await launchChromium();
		editor = await EditorPage.open(browser, testbed.n8n.url);
		onReady(editor);
	});
	// Shows also where a test has failed.
	afterEach(async () => await editor?.screenshot(`end of ${expect.getState().currentTestName}`));
	afterAll(async () => await browser?.close());
}

function escapedForPattern(text: string): string {
	return text.replace(/[()]/g, '\\$&');
}

async function repeatUntil(awaited: Locator, act: () => Promise<void>): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		await act();
		const isVisible = await awaited.waitFor({ timeout: 30_000 }).then(
			() => true,
			() => false,
		);
		if (isVisible) return;
		if (attempt === 6) throw new Error(`${awaited} did not appear, or disappeared again`);
	}
}
