import type { IExecuteFunctions } from 'n8n-workflow';
import { ItemContext } from '../../../nodes/SheetRecords/run/itemContext';
import { assignBatches } from '../../../nodes/SheetRecords/run/operation';
import { Run } from '../../../nodes/SheetRecords/run/run';
import { sharedCredential } from '../../../nodes/SheetRecords/run/sharedCredential';

const reason = new Error('stopped by the user');

/** Returns a run over ten items, and a function to call for each item that is worked on. It cancels the run at the fourth item. */
function cancelledRun() {
	const cancel = new AbortController();
	const itemsDone: number[] = [];
	const noteItem = (index: number) => {
		itemsDone.push(index);
		if (index === 3) cancel.abort(reason);
	};
	const context = {
		getNode: () => ({ retryOnFail: false }),
		getInputData: () => Array.from({ length: 10 }, () => ({ json: {} })),
		getNodeParameter: () => 'apiKey',
		getExecutionCancelSignal: () => cancel.signal,
		continueOnFail: () => true,
		getCredentials: async (_: string, index: number) => {
			noteItem(index);
			return await Promise.resolve({ account: 'acme' });
		},
	};
	return { run: new Run(context as unknown as IExecuteFunctions), itemsDone, noteItem };
}

it('comparing the credentials of the items ends when the run is cancelled', async () => {
	const { run, itemsDone } = cancelledRun();
	await expect(sharedCredential(run, 'sheetRecordsApi')).rejects.toBe(reason);
	expect(itemsDone).toEqual([0, 1, 2, 3]);
});

it('assigning the items to batches ends when the run is cancelled', async () => {
	const { run, itemsDone, noteItem } = cancelledRun();
	const items = run.context.getInputData().map((_, index) => new ItemContext(run, index));
	const batchOf = assignBatches(items, async ({ index }) => await Promise.resolve(noteItem(index)));
	await expect(Promise.all(items.slice(0, 1).map(batchOf))).rejects.toBe(reason);
	expect(itemsDone).toEqual([0, 1, 2, 3]);
});
