import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { useSharedN8n } from './n8nTestbed';
import { preparation } from './preparation';

const packageName = 'n8n-nodes-sheet-records';

describe('a fresh n8n with the package', () => {
	const testbed = useSharedN8n();
	/** Log of the first start and stop of n8n. */
	const printed = readFileSync(join(preparation().userFolder, 'printed.log'), 'utf8');

	async function nodeTypes(): Promise<INodeTypeDescription[]> {
		const all: INodeTypeDescription[] = await (
			await testbed.editor.file('/types/nodes.json')
		).json();
		return all.filter(({ name }) => name.startsWith(`${packageName}.`));
	}

	it('offers the nodes, and the action node also as a tool', async () => {
		expect((await nodeTypes()).map(({ name, displayName }) => [name, displayName]).sort()).toEqual([
			[`${packageName}.sheetRecords`, 'Sheet Records'],
			[`${packageName}.sheetRecordsPollingTrigger`, 'Sheet Records Polling Trigger'],
			[`${packageName}.sheetRecordsTool`, 'Sheet Records Tool'],
			[`${packageName}.sheetRecordsTrigger`, 'Sheet Records Trigger'],
		]);
	});

	it('finds the nodes by their aliases', async () => {
		const offered = (await nodeTypes()).filter(({ name }) => !name.endsWith('Tool'));
		for (const { name, codex } of offered) {
			expect([name, codex?.alias]).toEqual([
				name,
				expect.arrayContaining(['sheet', 'form', 'record', 'table', 'database', 'Ragic']),
			]);
		}
	});

	it('offers both credentials', async () => {
		const all: Array<{ name: string; displayName: string }> = await (
			await testbed.editor.file('/types/credentials.json')
		).json();
		expect(
			all
				.filter(({ name }) => name.startsWith('sheetRecords'))
				.map(({ name, displayName }) => [name, displayName])
				.sort(),
		).toEqual([
			['sheetRecordsApi', 'Sheet Records API'],
			['sheetRecordsSessionApi', 'Sheet Records Session API'],
		]);
	});

	it('serves the icons for the light and for the dark theme', async () => {
		const nodes = await nodeTypes();
		for (const { name, iconUrl } of nodes) {
			const { light, dark } = Object(iconUrl);
			for (const path of [light, dark]) {
				const icon = await testbed.editor.file(`/${String(path)}`);
				expect([name, path, icon.headers.get('content-type')]).toEqual([
					name,
					path,
					expect.stringContaining('image/svg+xml'),
				]);
				expect(await icon.text()).toContain('<svg');
			}
			expect(light).not.toBe(dark);
		}
	});

	it('logs no errors or warnings about the package', () => {
		const complaints = printed
			.split('\n')
			.filter((line) => line.includes(packageName) && /error|warn|fail|missing/i.test(line));
		expect(complaints).toEqual([]);
	});

	it('sends no requests to other hosts', () => {
		// n8n logs failed requests if there is no network.
		expect(printed).not.toMatch(/ENOTFOUND|EAI_AGAIN|n8n\.io\/api/);
	});
});
