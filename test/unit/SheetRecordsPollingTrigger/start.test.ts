import { readChanges, startCursor } from '../../../nodes/SheetRecordsPollingTrigger/changes';
import type { Change } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import type { SheetRecord } from '../../../nodes/api/read/record';

const record = (id: string, time: string): SheetRecord => ({
	id,
	content: new Map([
		['_create_date', '2026/01/01 08:00:00'],
		['_update_date', time],
	]),
});

it('emits what changes between the requests of the first poll', async () => {
	const newest = record('1', '2026/01/31 09:00:00');
	const records = [newest, record('2', '2026/01/31 09:00:01')];
	const list = {
		read: async () => ({ records }),
		shown: async (found: readonly Change[]) => [...found],
	};
	const cursor = await startCursor(newest, list, Date.now);
	const changes = await readChanges(cursor, list, () => true, Date.now);
	expect(changes.map((change) => change.record.id)).toEqual(['2']);
});
