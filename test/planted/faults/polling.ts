import type { Fault } from '../fault';

const folder = 'nodes/SheetRecordsPollingTrigger';

/** Faults of the polling trigger. */
export const pollingFaults: readonly Fault[] = [
	{
		name: 'A poll that is not answered in time fails, though it has read something before.',
		file: `${folder}/sheetReader.ts`,
		find: 'if (this.reads > 0) return undefined;',
		replace: '',
		area: ['test/engine/polling/portions'],
	},
	{
		name: 'With a time zone, a record that changed between two readings is told as it was.',
		file: `${folder}/sheetReader.ts`,
		find: 'if (same.length === wanted.length) return records;',
		replace: 'return records;',
		area: ['test/engine/polling/timeZone'],
	},
	{
		name: 'A record that may not be read any more is told as deleted.',
		file: `${folder}/sheetReader.ts`,
		find: 'return record !== undefined;',
		replace: 'return record !== undefined && record !== true;',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'With another credential, the polls go on with the mark of the one before.',
		file: `${folder}/pollState.ts`,
		find: 'sheetPath(account, sheet), credentials[credentialType]?.id]',
		replace: 'sheetPath(account, sheet), credentials[credentialType] ? 1 : 0]',
		area: ['test/engine/polling/state'],
	},
	{
		name: 'A record that changed before it was told for the first time counts as an old one.',
		file: `${folder}/changeReader.ts`,
		find: 'if (!pass.isSettled) return;',
		replace: '',
		area: ['test/unit/SheetRecordsPollingTrigger/histories'],
	},
	{
		name: 'What a node stores grows with what was given out.',
		file: `${folder}/pollState.ts`,
		find: 'changes?.store(room)',
		replace: 'changes?.store(room + mostCharacters)',
		area: ['test/unit/SheetRecordsPollingTrigger/flood'],
	},
	{
		name: 'A sheet that has too many records for deletions is told of no change any more.',
		file: `${folder}/poll.ts`,
		find: '!(thrown instanceof TooManyRecords) || !state.changes',
		replace: 'thrown instanceof TooManyRecords || !state.changes',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'Of watched fields nothing is known before the first change of each record.',
		file: `${folder}/poll.ts`,
		find: 'const mostLearnt = 1_000;',
		replace: 'const mostLearnt = 1;',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'Watched fields that the sheet does not have let no update through, and nobody is told.',
		file: `${folder}/poll.ts`,
		find: 'await findWatchedFields(call);',
		replace: '',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'Updates of records that have none of the watched fields are dropped.',
		file: `${folder}/poll.ts`,
		find: 'return held.size > 0 && watched',
		replace: 'return watched',
		area: ['test/engine/polling/settings'],
	},
	{
		name: 'A look for deleted records that found no time is told to nobody.',
		file: `${folder}/deletionCheck.ts`,
		find: 'if (!found) {',
		replace: 'if (!found) {\n\t\t\tif (this.known) return [];',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'A record that is found again where times are kept finer than they are told comes at every poll.',
		file: `${folder}/changeReader.ts`,
		find: 'return this.isLater(time) && !this.given',
		replace: 'return !this.given',
		area: ['test/unit/SheetRecordsPollingTrigger/flood'],
	},
	{
		name: 'A way through many records that nobody wants is remembered record by record.',
		file: `${folder}/changeReader.ts`,
		find: 'if (isFirst) {',
		replace: 'if (isFirst && changes.length > most / 2) {',
		area: ['test/unit/SheetRecordsPollingTrigger/flood'],
	},
];
