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
		name: 'Of two fields with the same name one is lost from the item.',
		file: 'nodes/api/schema/fieldNames.ts',
		find: '!double.has(placeOf(name, subtableId))',
		replace: 'double.size >= 0',
		area: ['test/engine/names/fieldNames'],
	},
];
