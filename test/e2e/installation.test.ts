import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { useSharedN8n } from './n8nTestbed';
import { preparation } from './preparation';

const packageName = 'n8n-nodes-sheet-records';

describe('a fresh n8n with the package', () => {
	const testbed = useSharedN8n();
	/** Of its first start and its end. */
	const printed = readFileSync(join(preparation().userFolder, 'printed.log'), 'utf8');

	it('offers the nodes, and the first one as a tool', async () => {
		const answer = await testbed.editor.file('/types/nodes.json');
		const all: INodeTypeDescription[] = await answer.json();
		const own = all.filter(({ name }) => name.startsWith(`${packageName}.`));
		expect(own.map(({ name, displayName }) => [name, displayName]).sort()).toEqual([
			[`${packageName}.sheetRecords`, 'Sheet Records'],
			[`${packageName}.sheetRecordsPollingTrigger`, 'Sheet Records Polling Trigger'],
			[`${packageName}.sheetRecordsTool`, 'Sheet Records Tool'],
			[`${packageName}.sheetRecordsTrigger`, 'Sheet Records Trigger'],
		]);
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
