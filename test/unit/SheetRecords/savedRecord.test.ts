import type { Item } from '../../../nodes/SheetRecords/run/itemContext';
import { savedRecordJson } from '../../../nodes/SheetRecords/run/savedRecord';
import { RecordItems } from '../../../nodes/api/read/record';

/** The members of an item that outputs of writes by field IDs use. */
const item = {
	index: 0,
	run: { journal: { noteRecords: () => undefined }, savedItems: new RecordItems(true) },
} as unknown as Item;
const sheet = { folders: ['sales'], sheetIndex: 1 };
const keys = { item, sheet, naming: 'EID' as const };
const saved = new Map([['1000006', '2026/01/31 09:30:00']]);

it.each([
	{ offsetHours: undefined, what: 'in the time zone of the account' },
	{ offsetHours: 0, what: 'in UTC' },
	{ offsetHours: -3.5, what: 'with another offset' },
])(
	'a saved record with times $what has the offset for the next write: $offsetHours',
	async (written) => {
		const { offsetHours } = written;
		const json = await savedRecordJson(keys, {
			recordId: '7',
			saved,
			offsetHours,
		});
		expect(json._timeZone).toBe(offsetHours);
	},
);
