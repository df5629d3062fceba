import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { partsOfNodes } from '../nodeSources';

/** Functions that put several texts into one warning. */
const joining = ['joinedSentences', 'withWarnings'];

/** File below `nodes/` that puts several texts into one → test below `test/` in which all of them occur together. */
const testOf: Readonly<Record<string, string>> = {
	'SheetRecords/methods/credentialTest.ts': 'engine/identity/connectionTest',
	'SheetRecords/resources/comment.ts': 'engine/comment/add',
	'SheetRecords/resources/massOperation/massOperation.ts': 'engine/massOperation/waiting',
	'SheetRecords/resources/record/carryOut.ts': 'engine/record/severalWarnings',
	'SheetRecords/resources/record/duplicate.ts': 'engine/record/severalWarnings',
	'SheetRecords/resources/record/recordUpdates.ts': 'engine/record/severalWarnings',
	'SheetRecords/run/savedRecord.ts': 'engine/record/dryRun',
	'SheetRecordsPollingTrigger/poll.ts': 'engine/polling/damagedRecords',
	'SheetRecordsTrigger/acceptDelivery.ts': 'engine/trigger/warningsTogether',
	'SheetRecordsTrigger/changedRecords.ts': 'engine/trigger/warningsTogether',
	'api/actions.ts': 'unit/api/actions',
	'api/comments.ts': 'engine/comment/add',
	'api/http/successWords.ts': 'unit/api/http/successWords',
	'api/rows/checkedRows.ts': 'unit/api/rows/checkedRows',
	'api/rows/subtableRows.ts': 'unit/api/rows/subtableRows',
	'api/write/records.ts': 'engine/record/severalWarnings',
	'shared/output/recordFiles.ts': 'engine/trigger/downloadFiles',
};

it('each file that puts several warnings into one has a test in which they occur together', () => {
	const calls = partsOfNodes(
		(node): node is ts.CallExpression =>
			ts.isCallExpression(node) && joining.includes(node.expression.getText()),
	);
	const files = [...new Set(calls.map(({ path }) => path))];
	expect(files.sort()).toEqual(Object.keys(testOf).sort());
});

it.each([...new Set(Object.values(testOf))])('the test exists: %s', (test) => {
	expect(existsSync(join(__dirname, '..', `${test}.test.ts`))).toBe(true);
});
