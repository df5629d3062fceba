import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { command } from './commandLine';
import { useSharedN8n } from './n8nTestbed';
import { preparation } from './preparation';

const checkout = join(__dirname, '../..');
const packageName = 'n8n-nodes-sheet-records';

describe('the tarball', () => {
	const { packed } = preparation();
	const files = command('tar', ['-tzf', packed.tarball])
		.trim()
		.split('\n')
		.map((file) => file.replace(/^package\//, ''));

	it('holds the package and nothing else', () => {
		const expected = /^(dist\/(nodes|credentials|icons)\/|package\.json$|README\.md$|LICENSE$)/;
		expect(files.filter((file) => !expected.test(file))).toEqual([]);
		expect(files.length).toBe(packed.entryCount);
	});

	it('holds no leftover of a file that was moved or removed', () => {
		const compiled = files.filter((file) => file.endsWith('.js'));
		const sources = compiled.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		expect(compiled).not.toHaveLength(0);
		expect(sources.filter((source) => !existsSync(join(checkout, source)))).toEqual([]);
	});

	it('is small', () => {
		expect(packed.size).toBeLessThan(200_000);
		expect(files.length).toBeLessThanOrEqual(280);
	});
});

describe('a fresh n8n with the package', () => {
	const testbed = useSharedN8n();
	const { userFolder } = preparation();
	/** Of its first start and its end. */
	const printed = readFileSync(join(userFolder, 'printed.log'), 'utf8');

	async function nodeTypes(): Promise<INodeTypeDescription[]> {
		const all: INodeTypeDescription[] = await (
			await testbed.editor.file('/types/nodes.json')
		).json();
		return all.filter(({ name }) => name.startsWith(`${packageName}.`));
	}

	it('has the package without its development', async () => {
		const folder = join(userFolder, '.n8n/nodes/node_modules', packageName);
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
		const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		expect(manifest).not.toHaveProperty('devDependencies');
		expect(manifest).not.toHaveProperty('peerDependencies');
	});

	it('offers the nodes, and the first one as a tool', async () => {
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

	it('complains of nothing in the package', () => {
		const complaints = printed
			.split('\n')
			.filter((line) => line.includes(packageName) && /error|warn|fail|missing/i.test(line));
		expect(complaints).toEqual([]);
	});

	it('calls nobody outside of the machine', () => {
		// On a machine without a network a call is told in the log.
		expect(printed).not.toMatch(/ENOTFOUND|EAI_AGAIN|n8n\.io\/api/);
	});
});
