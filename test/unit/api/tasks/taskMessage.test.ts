import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { everyEntryMatters } from '../../everyEntry';
import { taskJson, taskOf } from '../../../../nodes/api/tasks/task';

const read = (value: unknown) => taskOf(parseOrderedJson(JSON.stringify(value)), 'a-task');
const ended = (message: string) => read({ status: 'COMPLETED', progress: 10, total: 10, message });

const partlyFailed = [
	{ message: '2 records failed', fail: 2 },
	{ message: '2 of 10 records failed', fail: 2 },
	{ message: '2 of 10 failed.', fail: 2 },
	{ message: '8 records updated, 2 failed', fail: 2 },
	{ message: '8 of 10 records updated but 2 failed', fail: 2 },
	{ message: '8 of 10 records updated; 2 records could not be updated.', fail: 2 },
	{ message: '8 records updated, 2 could not be updated', fail: 2 },
	{ message: "8 records updated, but 2 couldn't be", fail: 2 },
	{ message: '8 success / 2 fail', fail: 2 },
	{ message: '10 records processed with 2 errors', fail: 2 },
	{ message: '10 records processed (2 failed)', fail: 2 },
	{ message: 'Success: 8, Failed: 2', fail: 2 },
	{ message: 'success=8 fail=2', fail: 2 },
	{ message: 'Success 8 / Failures 2', fail: 2 },
	{ message: 'Failed to update 3 records.', fail: 3 },
	{ message: 'Could not lock 3 selected records', fail: 3 },
	{ message: "3 records couldn't be locked", fail: 3 },
	{ message: '3 records were not updated', fail: 3 },
	{ message: 'Records 13, 14 and 15 failed', fail: 3 },
	{ message: 'Failed records: 13, 14', fail: 2 },
	{ message: 'Record 13 of 20 failed', fail: 1 },
	{ message: 'Record 13: In use', fail: 1 },
	{ message: 'One record failed', fail: 1 },
	{ message: 'Some records could not be updated.', fail: 1 },
	{ message: 'Completed with errors', fail: 1 },
	{ message: 'Error 202: In use', fail: 1 },
	{ message: 'Without validation 2 records failed', fail: 2 },
	{ message: '1,000 records failed', fail: 10 },
	{ message: '8 records updated / 2 failed', fail: 2 },
	{ message: 'Failures 2.', fail: 2 },
	{ message: 'Entry 13 failed', fail: 1 },
	{ message: 'Could not update 3 rows', fail: 3 },
	{ message: 'Could not update 3 entries', fail: 3 },
	{ message: 'Could not update 3 items', fail: 3 },
	{ message: 'An entry could not be updated', fail: 1 },
	{ message: 'Failed', fail: 1 },
	{ message: 'Failure', fail: 1 },
	{ message: 'Error', fail: 1 },
	{ message: '2 records failed\n8 updated', fail: 2 },
	{ message: 'Record 13 failed. Record 14 failed.', fail: 2 },
	{ message: 'Records 13, 14: ok, but locked', fail: 2 },
	{ message: 'Records 13, 14 had an error', fail: 2 },
	{ message: 'Records 13, 14 could stay as they were', fail: 2 },
	{ message: 'Records 13, 14 cannot be locked', fail: 2 },
	{ message: 'Records 13, 14 were not locked', fail: 2 },
];
const withoutFailures = [
	'',
	'10 records updated',
	'10 of 10 records updated.',
	'10 records updated. No record failed.',
	'10 records updated, 0 failed',
	'0 of 10 records failed',
	'None of the records failed',
	'Success: 10, Failed: 0',
	'success=10 fail=0',
	'Failed records: 0',
	'Failed records: none',
	'Errors: none',
	'10 records updated without errors',
	'10 records updated without any failures',
	'Nothing failed',
	'10 records updated, notification not sent',
	'10 records updated because they were not locked',
	'Records 10, 11 updated, no errors.',
	'Record 10: updated; Record 11: updated',
	'Records 10 and 11 have been locked',
	'Record 13: ok',
	'Record 13: success',
	'Zero records failed',
	'0 of 10 fields had errors',
	'The records did not fail',
	'It never failed',
	"The records didn't fail",
	'Failed records: no',
];

describe('a task that ended well', () => {
	it.each(partlyFailed)(
		'with the message "$message" has failed for $fail records',
		({ message, fail }) => {
			expect(ended(message)).toMatchObject({ succeeded: true, fail });
		},
	);

	it.each(withoutFailures)('with the message "%s" reports no failures', (message) => {
		expect(ended(message)).toMatchObject({ succeeded: true, fail: null });
	});
});

it('a task that reports no failures has no warning', () => {
	const task = read({ status: 'DONE', progress: 10, total: 10, message: 'Updated' });
	expect(task && taskJson(task)).not.toHaveProperty('_warning');
	expect(task).toMatchObject({ fail: null });
});

it('a task whose message names failed records has a warning with their number and the message', () => {
	const task = ended('2 records failed');
	expect(task && taskJson(task)._warning).toBe(
		'The operation failed for some records (10 of 10 records, 2 failed). The service said: 2 records failed',
	);
});

everyEntryMatters<typeof import('../../../../nodes/api/tasks/taskMessage')>(
	'nodes/api/tasks/taskMessage.ts',
	({ failuresIn }) => [
		...partlyFailed.map(({ message }) => failuresIn(message)),
		...withoutFailures.map(failuresIn),
	],
);
