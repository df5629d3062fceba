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
		name: 'If there are too many records, the latest is forgotten instead of the oldest.',
		file: 'nodes/shared/storedState.ts',
		find: 'const [oldest] = this.keys();',
		replace: 'const [oldest] = [...this.keys()].reverse();',
		area: ['test/unit/SheetRecordsTrigger'],
	},
	{
		name: 'A filtered change is not stored, so the next change back to the old content is dropped.',
		file: 'nodes/SheetRecordsTrigger/acceptDelivery.ts',
		find: 'if (!call.settings.fetchRecord) return records;',
		replace: 'if (!call.settings.fetchRecord) return isChosen ? records : [];',
		area: ['test/engine/trigger/skipping'],
	},
	{
		name: 'A failed read of a delivery counts as running forever, so nothing is read after 100 failures.',
		file: 'nodes/SheetRecordsTrigger/changedRecords.ts',
		find: '} finally {\n\t\trunning.count -= 1;\n\t}',
		replace: '} finally {\n\t\trunning.count -= 0;\n\t}',
		area: ['test/unit/SheetRecordsTrigger/changedRecords'],
	},
	{
		name: 'A signature with the right padding but a wrong digest is accepted.',
		file: 'nodes/api/webhooks/signature.ts',
		find: 'if (hash.digest().equals(signed)) return spelling;',
		replace: 'if (hash.digest().length === signed.length) return spelling;',
		area: ['test/unit/api/webhooks/signature'],
	},
	{
		name: 'The algorithm in the signature is not checked.',
		file: 'nodes/api/webhooks/signature.ts',
		find: 'prefix.equals(digestInfoPrefix) && digest.length',
		replace: 'prefix.length > 0 && digest.length',
		area: ['test/unit/api/webhooks/signature'],
	},
	{
		name: 'A registration of the address in another sheet counts as registered.',
		file: 'nodes/SheetRecordsTrigger/registration.ts',
		find: 'registered === current) return;',
		replace: "registered.split('\\n')[1] === current?.split('\\n')[1]) return;",
		area: ['test/engine/trigger/registration.changes'],
	},
	{
		name: 'If two fields have the same name, one of them is missing from the item.',
		file: 'nodes/api/sheet/fieldNames.ts',
		find: '!double.has(fieldMapKey(name, subtableId))',
		replace: 'double.size >= 0',
		area: ['test/engine/names/fieldNames'],
	},
	{
		name: 'A trigger with manual registration cannot be deactivated while its settings are wrong.',
		file: 'nodes/SheetRecordsTrigger/registration.ts',
		find: 'if (!isRegistered && staticData.registered === undefined) return true;',
		replace: '',
		area: ['test/engine/trigger/registration.test'],
	},
];
