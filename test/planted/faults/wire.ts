import type { Fault } from '../faults';

export const wireFaults: readonly Fault[] = [
	{
		name: 'An answer with HTTP status 400 passes for data.',
		file: 'nodes/api/http/answer.ts',
		find: 'status >= 400 || isRefusal(refusal)',
		replace: 'status > 400 || isRefusal(refusal)',
		area: ['test/unit/api/http/answer'],
	},
	{
		name: 'Keys of signed JSON are sorted as people sort words, not by code unit.',
		file: 'nodes/api/json/canonicalJson.ts',
		find: 'return nameAt(left) < nameAt(right) ? -1 : 1;',
		replace: 'return nameAt(left).localeCompare(nameAt(right));',
		area: ['test/unit/api/json/canonicalJson'],
	},
	{
		name: 'The ids of a changed record are paired with the wrong names.',
		file: 'nodes/api/schema/fieldLists.ts',
		find: 'const fits = valuesOf(ids, fieldIds) === valuesOf(names, readNames);',
		replace: 'const fits = fieldIds.length === readNames.length;',
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
];
