import type { Fault } from '../faults';

const folder = 'nodes/SheetRecordsPollingTrigger';

export const pollingFaults: readonly Fault[] = [
	{
		name: 'A poll that is not answered in time fails, though it has read something before.',
		file: `${folder}/changes.ts`,
		find: 'if (parts === 0 || !(thrown instanceof PollTimeout)) throw thrown;',
		replace: 'throw thrown;',
		area: ['test/engine/polling/portions'],
	},
	{
		name: 'With a time zone, a record that changed between two reads is emitted as it is then, and once more.',
		file: `${folder}/sheetReader.ts`,
		find: 'return isSame ?',
		replace: 'return content ?',
		area: ['test/engine/polling/timeZone'],
	},
	{
		name: 'A record that may not be read any more is emitted as deleted.',
		file: `${folder}/sheetReader.ts`,
		find: 'return record !== undefined;',
		replace: 'return record !== undefined && record !== true;',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'With another credential, the polls go on with the cursor of the one before.',
		file: `${folder}/pollState.ts`,
		find: 'sheetPath(account, sheet), credentials[credentialType]?.id]',
		replace: 'sheetPath(account, sheet), credentials[credentialType] ? 1 : 0]',
		area: ['test/engine/polling/state'],
	},
	{
		name: 'A record that changed before it was emitted for the first time counts as an old one.',
		file: `${folder}/cursor.ts`,
		find: 'if (startedAt - settling.at < settledSeconds * 1_000) return;',
		replace: '',
		area: ['test/unit/SheetRecordsPollingTrigger/histories'],
	},
	{
		name: 'What changed while a long pass was read is not looked for again.',
		file: `${folder}/cursor.ts`,
		find: 'Math.floor((startedAt - newest.at) / 1_000)',
		replace: 'Math.floor((now - newest.at) / 1_000)',
		area: ['test/unit/SheetRecordsPollingTrigger/histories'],
	},
	{
		name: 'What a node stores grows with what was emitted.',
		file: `${folder}/cursor.ts`,
		find: 'emitted.delete(id);\n\t\t//',
		replace: '//',
		area: ['test/unit/SheetRecordsPollingTrigger/flood'],
	},
	{
		name: 'A record that the service sends although it changed before the time asked for comes at every poll.',
		file: `${folder}/cursor.ts`,
		find: 'if (time < cursor.time || ',
		replace: 'if (',
		area: ['test/unit/SheetRecordsPollingTrigger/flood'],
	},
	{
		name: 'A sheet that has too many records for deletions emits no change any more.',
		file: `${folder}/poll.ts`,
		find: '!(thrown instanceof InputError) || !cursor',
		replace: 'thrown instanceof InputError || !cursor',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'A poll emits more items than it may when records were deleted, too.',
		file: `${folder}/poll.ts`,
		find: 'mostItems - changes.length',
		replace: 'mostItems',
		area: ['test/engine/polling/portions'],
	},
	{
		name: 'Of watched fields nothing is known before the first change of each record.',
		file: `${folder}/poll.ts`,
		find: 'const mostWatchedAtStart = 1_000;',
		replace: 'const mostWatchedAtStart = 1;',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'Watched fields that the sheet does not have let no update through, and nobody is told.',
		file: `${folder}/poll.ts`,
		find: 'await checkWatchedFields(call, call.settings.naming);',
		replace: '',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'Updates of records that have none of the watched fields are dropped.',
		file: `${folder}/watched.ts`,
		find: 'if (fields.size === 0) return false;',
		replace: '',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'A check for deleted records that found no time fails silently.',
		file: `${folder}/deletionCheck.ts`,
		find: 'await reader.inTime(readGone(check, reader));',
		replace: 'await reader.inTime(readGone(check, reader)).catch(() => []);',
		area: ['test/engine/polling/deletions'],
	},
];
