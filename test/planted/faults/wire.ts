import type { Fault } from '../fault';

/** Faults of the pure functions between text and values. */
export const wireFaults: readonly Fault[] = [
	{
		name: 'Only a filter value that begins with an escape is encoded twice.',
		file: 'nodes/wire/where.ts',
		find: 'const looksEncoded = /%[0-9a-fA-F]{2}/;',
		replace: 'const looksEncoded = /^%[0-9a-fA-F]{2}/;',
		area: ['test/unit/wire/where'],
	},
	{
		name: 'An answer with HTTP status 400 passes for data.',
		file: 'nodes/wire/answer.ts',
		find: 'if (answer.status >= 400 || isRefusal(refusal))',
		replace: 'if (answer.status > 400 || isRefusal(refusal))',
		area: ['test/unit/wire/answer'],
	},
	{
		name: 'Keys of signed JSON are sorted as people sort words, not by code unit.',
		file: 'nodes/wire/canonicalJson.ts',
		find: 'return left < right ? -1 : 1;',
		replace: 'return left.localeCompare(right);',
		area: ['test/unit/wire/canonicalJson'],
	},
	{
		name: 'A text with a time of midnight loses its time.',
		file: 'nodes/wire/dates.ts',
		find: "const midnightMeansDate = typeof value === 'object' && time === '00:00:00';",
		replace: "const midnightMeansDate = time === '00:00:00';",
		area: ['test/unit/wire/dates'],
	},
	{
		name: 'One equal value is enough to pair the ids of a changed record with the wrong names.',
		file: 'nodes/wire/fieldLists.ts',
		find: 'fieldIds.every((fieldId, index) =>',
		replace: 'fieldIds.some((fieldId, index) =>',
		area: ['test/unit/wire/fieldLists'],
	},
	{
		name: 'The password in an address is not taken out of messages.',
		file: 'nodes/wire/redaction/secretDetector.ts',
		find: '(?:APIKey|sid|p)=',
		replace: '(?:APIKey|sid)=',
		area: ['test/unit/wire/redaction'],
	},
	{
		name: 'Numbers of up to 17 characters are rounded.',
		file: 'nodes/wire/orderedJson.ts',
		find: 'token.length <= 15',
		replace: 'token.length <= 17',
		area: ['test/unit/wire/orderedJson'],
	},
	{
		name: 'Zero and false count as empty and are not written.',
		file: 'nodes/wire/recordInput.ts',
		find: 'isNothing(value) ||',
		replace: '!value ||',
		area: ['test/unit/wire/recordInput'],
	},
	{
		name: 'A form leaves a selection as it was that is to be emptied.',
		file: 'nodes/wire/recordChanges.ts',
		find: "return [[name, '']];",
		replace: 'return [];',
		area: ['test/unit/wire/recordChanges'],
	},
	{
		name: 'Rows are told apart by the letters of their ids: row 10 counts as older than row 9.',
		file: 'nodes/wire/subtableRow.ts',
		find: 'return left.length - right.length || (left < right ? -1 : 1);',
		replace: 'return left < right ? -1 : 1;',
		area: ['test/unit/wire/subtableRow'],
	},
	{
		name: 'A login that is answered ERROR in capitals counts as a session.',
		file: 'nodes/wire/login.ts',
		find: '!noSessionIds.has(text.toLowerCase())',
		replace: '!noSessionIds.has(text)',
		area: ['test/unit/wire/login'],
	},
	{
		name: 'The ampersands between record ids are not counted, so addresses grow too long.',
		file: 'nodes/wire/recordSelection.ts',
		find: 'const length = parameter.length + 1;',
		replace: 'const length = parameter.length;',
		area: ['test/unit/wire/recordSelection'],
	},
];
