import type { INodeParameters } from 'n8n-workflow';

import { useEditorPage, type EditorPage } from './browser';
import { useSharedN8n } from './n8nTestbed';

/** The panel of "get many" beside those of n8n's own nodes for the same. */

const testbed = useSharedN8n();

let editor: EditorPage;
useEditorPage(testbed, (opened) => (editor = opened));

const own = 'Sheet Records';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
/** Each with a table chosen: some ask for more only then. */
const nodes: ReadonlyArray<readonly [string, string, number, INodeParameters]> = [
	[
		own,
		'n8n-nodes-sheet-records.sheetRecords',
		1,
		{ operation: 'getAll', sheet: { __rl: true, mode: 'list', value: 'sales/orders/1' } },
	],
	[
		'Airtable',
		'n8n-nodes-base.airtable',
		2.2,
		{ operation: 'search', base: byId('appabcdefghijklmn'), table: byId('tblabcdefghijklmn') },
	],
	[
		'NocoDB',
		'n8n-nodes-base.nocoDb',
		4,
		{
			...{ resource: 'row', operation: 'search', workspaceId: byId('w') },
			...{ projectId: byId('p'), table: byId('t') },
		},
	],
	['Data Table', 'n8n-nodes-base.dataTable', 1.1, { operation: 'get', dataTableId: byId('t') }],
	[
		'Google Sheets',
		'n8n-nodes-base.googleSheets',
		4.7,
		{ operation: 'read', documentId: byId('d'), sheetName: byId('0') },
	],
];

/** One for each thing that can be set, in n8n's own marks. */
const controls =
	'[data-test-id$="-parameter-input-options-container"], [data-test-id^="fixed-collection-"]:not([data-test-id="fixed-collection-add"]), [data-test-id="collection-parameter-add"]';

it('asks for one thing more than the longest of them at most', async () => {
	const { page } = editor;
	const { id } = await testbed.editor.importWorkflow(
		{
			nodes: nodes.map(([name, type, typeVersion, parameters], index) => ({
				...{ id: String(index), name, type, typeVersion, parameters },
				position: [200 * index, 0],
			})),
			connections: {},
		},
		[],
	);
	await page.setViewportSize({ width: 1280, height: 1500 });
	const counts = new Map<string, number>();
	const pictures: Buffer[] = [];
	for (const [name] of nodes) {
		await editor.openWorkflow(id);
		await page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		const panel = page.getByTestId('node-parameters');
		await panel.getByTestId('rlc-input').first().waitFor();
		await editor.settled();
		counts.set(name, await panel.locator(controls).filter({ visible: true }).count());
		pictures.push(await editor.picture(panel));
	}
	await editor.sideBySide('get many side by side', pictures);
	const others = nodes.slice(1).map(([name]) => counts.get(name) ?? 0);
	expect(Math.min(...others)).toBeGreaterThan(5);
	expect(counts.get(own)).toBeLessThanOrEqual(Math.max(...others) + 1);
});
