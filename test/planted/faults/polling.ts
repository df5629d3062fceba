import type { Fault } from '../faults';

const folder = 'nodes/SheetRecordsPollingTrigger';

export const pollingFaults: readonly Fault[] = [
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
		name: 'What changed while a long pass was read is not looked for again.',
		file: `${folder}/cursor.ts`,
		find: 'Math.floor((startedAt - newest.at) / 1_000)',
		replace: 'Math.floor((startedAt - newest.at) / 1_000) + 600',
		area: ['test/unit/SheetRecordsPollingTrigger/histories'],
	},
	{
		name: 'A list that leaves out all records is believed at once.',
		file: `${folder}/deletionCheck.ts`,
		find: 'now - emptySince >= emptyMilliseconds',
		replace: 'true',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'Records are emitted as deleted although a sample of them is there.',
		file: `${folder}/deletionCheck.ts`,
		find: '!isWrong && now',
		replace: 'now',
		area: ['test/engine/polling/deletions'],
	},
	{
		name: 'A change that is dated before the cursor is never found.',
		file: `${folder}/changes.ts`,
		find: 'age >= lookBackMilliseconds',
		replace: 'age >= 1e12',
		area: ['test/engine/polling/clock'],
	},
];
