import type { Fault } from '../faults';

export const actionNodeFaults: readonly Fault[] = [
	{
		name: 'An item that failed is linked by its place in the output, not to its input item.',
		file: 'nodes/SheetRecords/run/runOperations.ts',
		find: 'outputs[index] = [{ json: jsonOf(error, thrown), pairedItem: { item: index } }];',
		replace:
			'outputs[index] = [{ json: jsonOf(error, thrown), pairedItem: { item: outputs.flat().length } }];',
		area: ['test/engine/workflow'],
	},
	{
		name: 'The sheet of the first item is taken for all items.',
		file: 'nodes/SheetRecords/run/run.ts',
		find: 'return Object.values(written).some(holdsExpression);',
		replace: 'return Object.values(written).every(holdsExpression);',
		area: ['test/engine/record/delete'],
	},
	{
		name: 'Of exactly two matches both are updated without being asked for.',
		file: 'nodes/SheetRecords/resources/record/matchGroups.ts',
		find: 'existing.length < 2',
		replace: 'existing.length <= 2',
		area: ['test/engine/record/upsert.matches'],
	},
	{
		name: 'Rows of items beside one that ends the run are sent all the same.',
		file: 'nodes/SheetRecords/run/operation.ts',
		find: 'if (!context.continueOnFail()) throw',
		replace: 'if (error === undefined) throw',
		area: ['test/engine/subtableRow/badInput'],
	},
	{
		name: 'The time zone UTC, which is offset 0, is not sent with a write.',
		file: 'nodes/api/write/records.ts',
		find: 'timeZone: tz, version } = writing;',
		replace: 'version } = writing;\n\tconst tz = writing.timeZone || undefined;',
		area: ['test/engine/record/create.test'],
	},
	{
		name: 'Empty values empty the fields of a record when nobody asked for that.',
		file: 'nodes/SheetRecords/parameters/changes.ts',
		find: 'clearEmpty: clearEmpty.parse(item) ?? false',
		replace: 'clearEmpty: clearEmpty.parse(item) ?? true',
		area: ['test/engine/record/update.test'],
	},
	{
		name: 'A text field whose value reads like a file is emptied for an upload that it refuses.',
		file: 'nodes/SheetRecords/files/fieldFiles.ts',
		find: "name === 'file' && String(value).includes('@')",
		replace: "String(value).includes('@')",
		area: ['test/engine/file/upload.replace'],
	},
	{
		name: 'A task that failed as a whole passes unless Fail on Partial is turned on.',
		file: 'nodes/SheetRecords/resources/task.ts',
		find: 'requireSuccess(task, failOnPartial);',
		replace: 'if (failOnPartial) requireSuccess(task, failOnPartial);',
		area: ['test/engine/massOperation/waiting'],
	},
	{
		name: 'The address of a record on a sheet with the same number in another folder is accepted.',
		file: 'nodes/SheetRecords/parameters/record.ts',
		find: 'formatSheetPath(ofRecord) === formatSheetPath(sheet)',
		replace: 'ofRecord.sheetIndex === sheet.sheetIndex',
		area: ['test/engine/record/get.badInput'],
	},
	{
		name: 'Items of two sheets with a field of the same id share their look-ups.',
		file: 'nodes/SheetRecords/resources/record/matchGroups.ts',
		find: 'formatSheetPath(sheet), ...matchFieldIds',
		replace: '...matchFieldIds',
		area: ['test/engine/record/upsert.lookUps'],
	},
];
