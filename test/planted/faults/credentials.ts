import type { Fault } from '../faults';

export const credentialFaults: readonly Fault[] = [
	{
		name: 'The key stands in a header that n8n hands on to other hosts.',
		file: 'nodes/api/http/connection.ts',
		find: '...request.headers, authorization }',
		replace: '...request.headers, Authorization: authorization }',
		area: ['test/engine/identity/otherNode'],
	},
	{
		name: 'What the service says of a login that failed may hold the password.',
		file: 'credentials/SheetRecordsSessionApi.credentials.ts',
		find: 'throw finalFailure(failure, [String(credential.password)]);',
		replace: 'throw finalFailure(failure, []);',
		area: ['test/engine/identity/otherNode'],
	},
	{
		name: 'The connection test passes for any answer that is JSON.',
		file: 'nodes/SheetRecords/methods/credentialTest.ts',
		find: 'if (!isMenu(menu, account)) {',
		replace: 'if (menu === undefined) {',
		area: ['test/engine/identity/connectionTest'],
	},
	{
		name: 'A login is not counted by the rate limit.',
		file: 'credentials/SheetRecordsSessionApi.credentials.ts',
		find: 'await schedule(limit, sent, { sleep })',
		replace: 'await sent()',
		area: ['test/unit/api/http/rateLimiter'],
	},
	{
		name: 'A request that fails, such as a login, is not counted by the rate limit.',
		file: 'nodes/api/http/rateLimiter.ts',
		find: 'return await send().finally(() => {',
		replace: 'return await send().finally(() => undefined); Promise.resolve().then(() => {',
		area: ['test/unit/api/http/rateLimiter'],
	},
];
