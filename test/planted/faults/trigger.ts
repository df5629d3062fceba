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
		file: 'nodes/SheetRecordsTrigger/acceptDelivery.ts',
		find: 'if (!call.settings.fetchRecord) return records;',
		replace: 'if (!call.settings.fetchRecord) return isChosen ? records : [];',
		area: ['test/engine/trigger/skipping'],
	},
	{
		name: 'A failed read of a delivery counts as running for ever: after 100 of them nothing is read any more.',
		file: 'nodes/SheetRecordsTrigger/changedRecords.ts',
		find: '} finally {\n\t\trunning.count -= 1;\n\t}',
		replace: '} finally {\n\t\trunning.count -= 0;\n\t}',
		area: ['test/unit/SheetRecordsTrigger/changedRecords'],
	},
	{
		name: 'A signature with the right padding counts whatever its digest is.',
		file: 'nodes/api/webhooks/signature.ts',
		find: 'if (hash.digest().equals(signed)) return spelling;',
		replace: 'if (hash.digest().length === signed.length) return spelling;',
		area: ['test/unit/api/webhooks/signature'],
	},
	{
		name: 'The algorithm that a signature names does not matter.',
		file: 'nodes/api/webhooks/signature.ts',
		find: 'prefix.equals(digestInfoPrefix) && digest.length',
		replace: 'prefix.length > 0 && digest.length',
		area: ['test/unit/api/webhooks/signature'],
	},
	{
		name: 'An address that is registered in another sheet counts as the one that is wanted.',
		file: 'nodes/SheetRecordsTrigger/registration.ts',
		find: 'registered === current) return;',
		replace: "registered.split('\\n')[1] === current?.split('\\n')[1]) return;",
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
