/** A part of the code that is measured separately, with the tests that notice its changes. */
export interface Area {
	name: string;
	/** Files, or folders with a slash at the end. */
	sources: string[];
	tests: string[];
	/** Whether some of the tests run nodes in n8n's engine. They load the built package, so it is built with the changes. */
	runsNodes?: boolean;
	/** Minimum percentage of changes that the tests must notice. */
	goal: number;
}

export const areas: readonly Area[] = [
	{
		name: 'json',
		sources: ['nodes/api/json/'],
		tests: ['test/unit/api/json/', 'test/unit/hostile/orderedJson.fuzz.test.ts'],
		goal: 90,
	},
	{
		name: 'values',
		sources: ['nodes/api/values/'],
		tests: ['test/unit/api/values/'],
		goal: 90,
	},
	{
		name: 'http',
		sources: ['nodes/api/http/'],
		// Omits simulations and time measurements.
		tests: [
			'test/unit/api/http/answer.refusals.test.ts',
			'test/unit/api/http/answer.test.ts',
			'test/unit/api/http/cancellation.test.ts',
			'test/unit/api/http/client.test.ts',
			'test/unit/api/http/connection.test.ts',
			'test/unit/api/http/deadline.test.ts',
			'test/unit/api/http/dialect.test.ts',
			'test/unit/api/http/failure.test.ts',
			'test/unit/api/http/journal.test.ts',
			'test/unit/api/http/login.test.ts',
			'test/unit/api/http/missingItems.test.ts',
			'test/unit/api/http/policies.test.ts',
			'test/unit/api/http/processState.test.ts',
			'test/unit/api/http/rateLimiter.test.ts',
			'test/unit/api/http/redaction.test.ts',
			'test/unit/api/http/redirect.test.ts',
			'test/unit/api/http/retry.test.ts',
			'test/unit/api/http/serviceError.test.ts',
			'test/unit/api/http/session.test.ts',
			'test/unit/api/http/slowDown.test.ts',
			'test/unit/api/http/successWords.test.ts',
			'test/unit/api/http/sessionRenewal.test.ts',
			'test/unit/api/http/waiting.test.ts',
		],
		goal: 85,
	},
	{
		name: 'read',
		sources: ['nodes/api/read/'],
		tests: ['test/unit/api/read/'],
		goal: 85,
	},
	{
		name: 'sheet',
		sources: ['nodes/api/sheet/', 'nodes/api/account/'],
		tests: ['test/unit/api/sheet/', 'test/unit/api/account/'],
		goal: 85,
	},
	{
		name: 'write',
		sources: ['nodes/api/write/'],
		tests: ['test/unit/api/write/'],
		goal: 90,
	},
	{
		name: 'rows',
		sources: ['nodes/api/rows/'],
		tests: ['test/unit/api/rows/'],
		goal: 85,
	},
	{
		name: 'webhooks',
		sources: ['nodes/api/webhooks/'],
		tests: ['test/unit/api/webhooks/', 'test/unit/hostile/signature.fuzz.test.ts'],
		goal: 85,
	},
	{
		name: 'cursor',
		sources: ['nodes/SheetRecordsPollingTrigger/cursor.ts'],
		// Omits simulated histories, which take long and notice few additional changes.
		tests: ['test/unit/SheetRecordsPollingTrigger/cursor.test.ts'],
		goal: 90,
	},
	{
		name: 'webhookTrigger',
		sources: ['nodes/SheetRecordsTrigger/'],
		tests: ['test/unit/SheetRecordsTrigger/', 'test/engine/trigger/'],
		runsNodes: true,
		goal: 85,
	},
	{
		name: 'pollingTrigger',
		sources: ['nodes/SheetRecordsPollingTrigger/'],
		tests: ['test/unit/SheetRecordsPollingTrigger/', 'test/engine/polling/'],
		runsNodes: true,
		goal: 85,
	},
	{
		name: 'shared',
		sources: ['nodes/shared/'],
		tests: [
			...[
				'test/unit/shared/',
				'test/engine/messages/',
				'test/engine/names/',
				'test/engine/trigger/',
			],
			...[
				'test/engine/sheet/',
				'test/engine/panel.test.ts',
				'test/engine/pickLists.fields.test.ts',
			],
			...['test/engine/pickLists.test.ts', 'test/engine/settings.test.ts'],
		],
		runsNodes: true,
		goal: 85,
	},
	{
		name: 'files',
		sources: ['nodes/api/files/', 'nodes/SheetRecords/files/'],
		tests: ['test/unit/api/files/', 'test/engine/file/', 'test/engine/document/'],
		runsNodes: true,
		goal: 85,
	},
	{
		name: 'tasks',
		sources: ['nodes/api/tasks/', 'nodes/SheetRecords/resources/massOperation/'],
		tests: ['test/unit/api/tasks/', 'test/engine/massOperation/', 'test/engine/task/'],
		runsNodes: true,
		goal: 85,
	},
];

/**
 * Files and folders that are in no area yet, because each change of them would run most of the engine tests. A source file must be
 * here or in an area.
 */
export const unmeasured: readonly string[] = [
	'credentials/',
	'nodes/SheetRecords/',
	'nodes/api/actions.ts',
	'nodes/api/comments.ts',
	'nodes/api/documents.ts',
	'nodes/api/users.ts',
];
