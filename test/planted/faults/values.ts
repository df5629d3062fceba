import type { Fault } from '../faults';

/** Faults of what values mean: their types, what is unchanged, what is written back, where files and rows are. */
export const valueFaults: readonly Fault[] = [
	{
		name: 'A number with more digits than a number holds loses some.',
		file: 'nodes/api/write/typedValues.ts',
		find: 'return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;',
		replace: 'return number + 0;',
		area: ['test/unit/api/write/typedValues'],
	},
	{
		name: 'Two fields of one name are typed by one of them.',
		file: 'nodes/api/write/typedValues.ts',
		find: 'isOther ? undefined : kind',
		replace: 'kind',
		area: ['test/unit/api/write/typedValues'],
	},
	{
		name: 'A masked value counts as unchanged.',
		file: 'nodes/api/write/sameValue.ts',
		find: 'isMasked(own) ? undefined : sameIn(own, value)',
		replace: 'sameIn(own, value)',
		area: ['test/unit/api/write/sameValue', 'test/engine/record/skipUnchanged'],
	},
	{
		name: 'A multiple selection with one choice less counts as unchanged.',
		file: 'nodes/api/write/sameValue.ts',
		find: 'return own.length === others.length && own.every(',
		replace: 'return own.every(',
		area: ['test/unit/api/write/sameValue'],
	},
	{
		name: 'A row to delete is passed over when all values are the same.',
		file: 'nodes/api/write/sameValue.ts',
		find: 'rowIds.filter((rowId) => stored.has(rowId))',
		replace: '[]',
		area: ['test/unit/api/write/sameValue', 'test/engine/record/skipUnchanged'],
	},
	{
		name: 'A masked text is written back.',
		file: 'nodes/api/write/recordInput.ts',
		find: "if (mayBe(/mask/i) && isMasked(value)) return 'masked';",
		replace: '',
		area: ['test/unit/api/write/recordInput'],
	},
	{
		name: 'Rich text as HTML is written back.',
		file: 'nodes/api/write/recordInput.ts',
		find: "return isRead && mayBe(/rich|html|bbcode/i) && looksRendered(value) ? 'html' : undefined;",
		replace: 'return undefined;',
		area: ['test/unit/api/write/recordInput'],
	},
	{
		name: 'What is masked is offered as a choice.',
		file: 'nodes/api/schema/fieldTypes.ts',
		find: "text !== '' && !isMasked(text)",
		replace: "text !== ''",
		area: ['test/engine/pickLists.choices'],
	},
	{
		name: 'A field whose own name ends like a row is taken for one of a row.',
		file: 'nodes/api/files/filePlaces.ts',
		find: 'own.some(({ name }) => name === key) ? undefined : rowFieldOf(key)',
		replace: 'rowFieldOf(key)',
		area: ['test/unit/api/files/filePlaces'],
	},
	{
		name: 'Values for a row that is not there are said to be saved.',
		file: 'nodes/api/rows/existingRows.ts',
		find: '[...rows.keys()].filter(isExistingRow)',
		replace: '[...rows.keys()].filter((rowId) => !isExistingRow(rowId))',
		area: ['test/engine/file/equalRowIds'],
	},
	{
		name: 'What a write may have changed in other records is compared as it was before.',
		file: 'nodes/api/read/recordLoader.ts',
		find: 'this.writes++;',
		replace: '',
		area: ['test/engine/record/upsert.stale'],
	},
];
