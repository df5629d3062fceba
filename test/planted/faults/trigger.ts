import type { Fault } from '../faults';

export const triggerFaults: readonly Fault[] = [
	{
		name: 'Deliveries of the sheet with another number in the same folder are accepted.',
		file: 'nodes/api/webhooks/verifyDelivery.ts',
		find: 'isInFolder && sheetIndex === sheet.sheetIndex',
		replace: '(isInFolder || sheetIndex === sheet.sheetIndex)',
		area: ['test/engine/trigger/verification'],
	},
];
