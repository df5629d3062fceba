import type { Fault } from '../faults';

/** Faults of what values mean: their types, what is unchanged, what is written back, where files and rows are. */
export const valueFaults: readonly Fault[] = [
	{
		name: 'A number with more digits than a number holds loses some.',
		file: 'nodes/api/schema/valueKinds.ts',
		find: 'return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;',
		replace: 'return number + 0;',
		area: ['test/unit/api/schema/valueKinds'],
	},
	{
		name: 'Two fields of one name are typed by one of them.',
		file: 'nodes/api/schema/typedValues.ts',
		find: 'isAmbiguous ? undefined : kind',
		replace: 'kind',
		area: ['test/unit/api/schema/typedValues'],
	},
	{
		name: 'A masked value counts as unchanged.',
		file: 'nodes/api/write/diff.ts',
		find: '!isMasked(current) && ',
		replace: '',
		area: ['test/unit/api/write/diff', 'test/engine/record/skipUnchanged'],
	},
	{
		name: 'A multiple selection with one choice less counts as unchanged.',
		file: 'nodes/api/schema/valueKinds.ts',
		find: 'storedTexts.length === givenTexts.length &&',
		replace: '',
		area: ['test/unit/api/schema/valueKinds'],
	},
	{
		name: 'A row to delete is passed over when all values are the same.',
		file: 'nodes/api/write/diff.ts',
		find: 'rowIds.filter((rowId) => stored.has(rowId))',
		replace: '[]',
		area: ['test/unit/api/write/diff', 'test/engine/record/skipUnchanged'],
	},
	{
		name: 'A masked text is written back.',
		file: 'nodes/api/write/recordInput.ts',
		find: "if (isMasked(value) && mayBe('masked')) return 'masked';",
		replace: '',
		area: ['test/unit/api/write/recordInput'],
	},
	{
		name: 'Rich text as HTML is written back.',
		file: 'nodes/api/write/recordInput.ts',
		find: "return isRead && mayBe('richText') && looksRendered(value) ? 'html' : undefined;",
		replace: 'return undefined;',
		area: ['test/unit/api/write/recordInput'],
	},
	{
		name: 'What is masked is offered as a choice.',
		file: 'nodes/api/schema/inference.ts',
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
