import type { Fault } from '../faults';

/** Faults of the pure functions between text and values. */
export const wireFaults: readonly Fault[] = [
	{
		name: 'Only a filter value that begins with an escape is encoded twice.',
		file: 'nodes/api/read/where.ts',
		find: 'const looksEncoded = /%[0-9a-fA-F]{2}/;',
		replace: 'const looksEncoded = /^%[0-9a-fA-F]{2}/;',
		area: ['test/unit/api/read/where'],
	},
	{
		name: 'An answer with HTTP status 400 passes for data.',
		file: 'nodes/api/http/answer.ts',
		find: 'if (answer.status >= 400 || isRefusal(refusal))',
		replace: 'if (answer.status > 400 || isRefusal(refusal))',
		area: ['test/unit/api/http/answer'],
	},
	{
		name: 'Keys of signed JSON are sorted as people sort words, not by code unit.',
		file: 'nodes/api/json/canonicalJson.ts',
		find: 'return left < right ? -1 : 1;',
		replace: 'return left.localeCompare(right);',
		area: ['test/unit/api/json/canonicalJson'],
	},
	{
		name: 'A text with a time of midnight loses its time.',
		file: 'nodes/api/values/dates.ts',
		find: "const midnightMeansDate = typeof value === 'object' && time === '00:00:00';",
		replace: "const midnightMeansDate = time === '00:00:00';",
		area: ['test/unit/api/values/dates'],
	},
	{
		name: 'One equal value is enough to pair the ids of a changed record with the wrong names.',
		file: 'nodes/api/schema/fieldLists.ts',
		find: 'fieldIds.every((fieldId, index) =>',
		replace: 'fieldIds.some((fieldId, index) =>',
		area: ['test/unit/api/schema/fieldLists'],
	},
	{
		name: 'The password in an address is not taken out of messages.',
		file: 'nodes/api/http/redaction.ts',
		find: '(?:APIKey|sid|p)=',
		replace: '(?:APIKey|sid)=',
		area: ['test/unit/api/http/redaction'],
	},
	{
		name: 'Numbers of up to 17 characters are rounded.',
		file: 'nodes/api/json/orderedJson.ts',
		find: 'token.length <= 15',
		replace: 'token.length <= 17',
		area: ['test/unit/api/json/orderedJson'],
	},
	{
		name: 'Zero and false count as empty and are not written.',
		file: 'nodes/api/values/text.ts',
		find: "return value === undefined || value === null || value === '';",
		replace: 'return !value;',
		area: ['test/unit/api/write/recordInput'],
	},
	{
		name: 'A form leaves a selection as it was that is to be emptied.',
		file: 'nodes/api/write/recordChanges.ts',
		find: "return [[name, '']];",
		replace: 'return [];',
		area: ['test/unit/api/write/recordChanges'],
	},
	{
		name: 'Rows are told apart by the letters of their ids: row 10 counts as older than row 9.',
		file: 'nodes/api/rows/newRowIds.ts',
		find: 'return left.length - right.length || (left < right ? -1 : 1);',
		replace: 'return left < right ? -1 : 1;',
		area: ['test/unit/api/rows/newRowIds'],
	},
	{
		name: 'A login that is answered ERROR in capitals counts as a session.',
		file: 'nodes/api/http/login.ts',
		find: '!noSessionIds.has(text.toLowerCase())',
		replace: '!noSessionIds.has(text)',
		area: ['test/unit/api/http/login'],
	},
	{
		name: 'The ampersands between record ids are not counted, so addresses grow too long.',
		file: 'nodes/api/read/recordSelection.ts',
		find: 'parameterOf(recordId).length + 1;',
		replace: 'parameterOf(recordId).length;',
		area: ['test/unit/api/read/recordSelection'],
	},
];
