import { ServiceError } from '../../../nodes/api/http/serviceError';
import { InputError } from '../../../nodes/api/values/inputError';
import { cursorAfter } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import { firstDeletionCheck } from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { newDeletions } from '../../../nodes/SheetRecordsPollingTrigger/newDeletions';
import type { PollCall } from '../../../nodes/SheetRecordsPollingTrigger/pollCall';
import { PollDeadline } from '../../../nodes/SheetRecordsPollingTrigger/pollDeadline';
import type { PollState } from '../../../nodes/SheetRecordsPollingTrigger/pollState';

/** Makes a check for deleted records whose list fails. Returns the found deletions, or the error, and the warnings. */
async function check(failure: Error, hasOtherEvents: boolean) {
	const reader = {
		endingWith: () => reader,
		fetchIds: () => {
			throw failure;
		},
	};
	const call = {
		context: {
			logger: { warn: () => undefined },
			getNode: () => ({ id: 'node' }),
			getWorkflow: () => ({ id: 'workflow' }),
		},
		events: ['DELETE'],
		settings: { deletionCheckEvery: 1 },
		reader,
	} as unknown as PollCall;
	const state: PollState = {
		source: '',
		settings: '',
		deletions: firstDeletionCheck(),
		warnings: {},
		...(hasOtherEvents && { cursor: cursorAfter([], 0) }),
	};
	const limits = { deadline: new PollDeadline(60_000), maxDeletions: 10 };
	const found = await newDeletions(call, state, {}, limits).catch((error: unknown) => error);
	return { found, warning: state.warnings.deletions };
}

const failures: Array<[string, Error, RegExp]> = [
	[
		'an error of the service',
		new ServiceError({ kind: 'server', message: 'Busy' }),
		/failed: Busy\./,
	],
	['too many records', new InputError('Too many', 'Filter.'), /not noticed\. Too many\. Filter\./],
	[
		'any other error, whose words are not repeated',
		new TypeError('1 is not "secret"'),
		/failed: an unexpected error\. All other/,
	],
];

it.each(failures)(
	'a failed check is a warning if there are other events: %s',
	async (_, failure, text) => {
		const { found, warning } = await check(failure, true);
		expect(found).toEqual({ deletedIds: [], restored: [] });
		expect(warning).toMatch(text);
		expect(warning).not.toContain('secret');
	},
);

it.each(failures)('a failed check fails a poll without other events: %s', async (_, failure) => {
	expect((await check(failure, false)).found).toBe(failure);
});
