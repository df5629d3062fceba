import type { Fault } from '../faults';

export const triggerFaults: readonly Fault[] = [
	{
		name: 'Deliveries of the sheet with another number in the same folder are accepted.',
		file: 'nodes/api/webhooks/verifyDelivery.ts',
		find: 'isInFolder && sheetIndex === sheet.sheetIndex',
		replace: '(isInFolder || sheetIndex === sheet.sheetIndex)',
		area: ['test/engine/trigger/verification'],
	},
	{
		name: 'Of too many records the ones seen last are forgotten in place of the oldest.',
		file: 'nodes/SheetRecordsTrigger/recentDeliveries.ts',
		find: 'const [oldest] = records.keys();',
		replace: 'const [oldest] = [...records.keys()].reverse();',
		area: ['test/unit/SheetRecordsTrigger'],
	},
	{
		name: 'A change that was not chosen is not remembered, so a change back after it is dropped.',
		file: 'nodes/SheetRecordsTrigger/receiveDelivery.ts',
		find: 'let changed: ChangedRecord[] = records;',
		replace: 'let changed: ChangedRecord[] = isChosen ? records : [];',
		area: ['test/engine/trigger/skipping'],
	},
	{
		name: 'An address that is registered in another sheet counts as the one that is wanted.',
		file: 'nodes/SheetRecordsTrigger/registration.ts',
		find: 'registered === wanted) return;',
		replace: "registered.split('\\n')[1] === wanted?.split('\\n')[1]) return;",
		area: ['test/engine/trigger/registration.changes'],
	},
	{
		name: 'Of two fields with the same name one is lost from the item.',
		file: 'nodes/api/schema/fieldNames.ts',
		find: '!double.has(placeOf(name, subtableId))',
		replace: 'double.size >= 0',
		area: ['test/engine/names/fieldNames'],
	},
];
