import type { Locator } from 'playwright-core';
import { customers } from '../service';
import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';
import { until } from './until';

// The way to the first record without a mouse, from an empty workflow.

const testbed = useSharedN8n();

let editor: EditorPage;
beforeAll(async () => {
	await testbed.apiKey('admin');
});
useEditorPage(testbed, (opened) => (editor = opened));

const press = async (key: string) => await editor.page.keyboard.press(key);

async function hasFocus(element: Locator): Promise<boolean> {
	return await element.evaluate((node) => node.contains(document.activeElement));
}

/** Presses Tab until the focus is in the element. */
async function tabTo(element: Locator): Promise<void> {
	await element.waitFor();
	for (let presses = 0; !(await hasFocus(element)); presses += 1) {
		if (presses === 60) throw new Error(`Tab does not lead to ${element}`);
		await press('Tab');
	}
}

/** Moves down a list to an entry, and chooses it. `marked` is the entry of the list that Enter chooses. */
async function chooseEntry(marked: Locator, name: RegExp): Promise<void> {
	const markedText = async () => (await marked.allInnerTexts()).join().trim();
	for (let presses = 0; !name.test(await markedText()); presses += 1) {
		if (presses === 60) throw new Error(`ArrowDown does not lead to ${name}`);
		const before = await markedText();
		await press('ArrowDown');
		// The editor marks the next entry some time after the key was pressed.
		await until(async () => (await markedText()) !== before);
	}
	await press('Enter');
}

it('leads from an empty workflow to the first record', async () => {
	const { page } = editor;
	await editor.newWorkflow();
	await editor.settled();
	await press('n');
	const search = page.getByTestId('node-creator-search-bar');
	await until(async () => (await search.count()) > 0 && (await hasFocus(search)));
	await page.keyboard.type('Sheet Records');
	const found = page.getByTestId('node-creator-item-name');
	await found
		.first()
		.filter({ hasText: /^Sheet Records$/ })
		.waitFor();
	await editor.settled();
	await press('Enter');
	await page.getByText(/^Actions \(\d+\)/).waitFor();
	const panelOfNodes = page.getByTestId('node-creator');
	const markedEntry = panelOfNodes.locator('[class*=_active_]');
	await chooseEntry(markedEntry, /^Actions \(/);
	await page.getByText('Get many records', { exact: true }).waitFor();
	await chooseEntry(markedEntry, /^Get many records$/);
	await editor.screenshot('keyboard node');

	const panel = page.getByTestId('ndv');
	await tabTo(panel.getByTestId('rlc-mode-selector').first());
	// The focus opens the list of sheets, and moves on into its search.
	await press('Tab');
	const sheets = page.getByTestId('rlc-item');
	await sheets.first().waitFor();
	const sheetSearch = page.getByTestId('rlc-search').first();
	await until(async () => await hasFocus(sheetSearch));
	await page.keyboard.type('Customers');
	await until(async () => (await sheets.count()) === 1);
	await editor.screenshot('keyboard sheets');
	await chooseEntry(page.locator('[data-test-id=rlc-item][class*=hovering]'), /Customers/);
	await sheets.first().waitFor({ state: 'hidden' });
	const sheet = panel.getByTestId('rlc-input').first();
	await until(async () => (await sheet.inputValue()) === 'Sales / Customers');

	await press('Escape');
	await panel.waitFor({ state: 'hidden' });
	await press('Control+Enter');
	await page.getByText('50 items', { exact: true }).waitFor();
	// The added node is still the selected one. Enter opens it.
	await press('Enter');
	const output = page.getByTestId('output-panel');
	await output.getByText('Customer Number', { exact: true }).waitFor();
	const [newest] = [...testbed.service.data.sheet(customers).records.values()].reverse();
	const number = newest?.text(customers.fields.customerNumber) ?? '';
	await output.getByText(number, { exact: true }).first().waitFor();
	await editor.screenshot('keyboard first record');
});
