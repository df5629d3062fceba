import type { Fault } from '../fault';

/** Faults of the trigger. */
export const triggerFaults: readonly Fault[] = [
	{
		name: 'Deliveries of the sheet with another number in the same folder are accepted.',
		file: 'nodes/SheetRecordsTrigger/verifyDelivery.ts',
		find: 'isSamePath(path, sheet.folders) && sheetIndex === sheet.sheetIndex',
		replace: '(isSamePath(path, sheet.folders) || sheetIndex === sheet.sheetIndex)',
		area: ['test/engine/trigger/answers'],
	},
	{
		name: 'Of too many records the ones seen last are forgotten in place of the oldest.',
		file: 'nodes/SheetRecordsTrigger/nodeMemory.ts',
		find: 'of [...map.keys()].slice(',
		replace: 'of [...map.keys()].reverse().slice(',
		area: ['test/engine/trigger/skipping'],
	},
	{
		name: 'A change that was not chosen is not remembered, so a change back after it is dropped.',
		file: 'nodes/SheetRecordsTrigger/receiveDelivery.ts',
		find: 'else seen?.remember(compared);',
		replace: '',
		area: ['test/engine/trigger/skipping'],
	},
	{
		name: 'Of two fields with the same name one is lost from the item.',
		file: 'nodes/api/schema/fieldNames.ts',
		find: 'uses.get(name) === 1',
		replace: 'uses.has(name)',
		area: ['test/engine/names/learning.test'],
	},
];
