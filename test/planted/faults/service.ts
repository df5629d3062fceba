import type { Fault } from '../faults';

export const serviceFaults: readonly Fault[] = [
	{
		name: 'The cookie of a session for files is not taken out of messages.',
		file: 'nodes/api/http/retry.ts',
		find: 'await secretsOf(host, connection, request.cookie)',
		replace: 'await secretsOf(host, connection)',
		area: ['test/engine/file/session'],
	},
	{
		name: 'A long page that is shorter than asked for ends the list, though the service may cap pages.',
		file: 'nodes/api/read/pages.ts',
		find: 'page.length < Math.min(limit, firstPageSize)',
		replace: 'page.length < limit',
		area: ['test/unit/api/read/pages'],
	},
	{
		name: 'The rate limit is counted from one request too late, so the service sees more of them.',
		file: 'nodes/api/http/rateLimiter.ts',
		find: 'ended.at(-mostAtOnce(allowed))',
		replace: 'ended.at(-mostAtOnce(allowed) - 1)',
		area: ['test/unit/api/http/rateLimiter'],
	},
	{
		name: 'A write is sent again after a lost connection, although it may have been carried out.',
		file: 'nodes/api/http/serviceError.ts',
		find: 'connectionLost: { reads: 5,',
		replace: 'connectionLost: { reads: 5, writes: 5,',
		area: ['test/unit/api/http/retry'],
	},
	{
		name: 'The fields that one user may see are shown to another of the same credential type.',
		file: 'nodes/api/http/runCache.ts',
		find: 'const { account, credentialType, user } = connection;\n\tconst path = sheetPath(account, sheet);\n\treturn textDigest([serviceOf(connection), path, credentialType, user, ...fieldIds]',
		replace:
			'const { account, credentialType } = connection;\n\tconst path = sheetPath(account, sheet);\n\treturn textDigest([serviceOf(connection), path, credentialType, ...fieldIds]',
		area: ['test/engine/pickLists.fields'],
	},
	{
		name: 'A record that was created a moment ago is not found again by another spelling of its number.',
		file: 'nodes/api/write/writtenRecords.ts',
		find: "return [normalForm(String(value ?? '').slice(0, longestForm))];",
		replace: "return [String(value ?? '').slice(0, longestForm)];",
		area: ['test/unit/api/write/match', 'test/engine/record/upsert'],
	},
	{
		name: 'A redirect to another port of the host is followed, with the identity.',
		file: 'nodes/api/http/redirect.ts',
		find: 'target?.origin !== new URL(url).origin',
		replace: 'target?.hostname !== new URL(url).hostname',
		area: ['test/unit/api/http/redirect'],
	},
	{
		name: 'Any failure to read a record passes for a record that is not there.',
		file: 'nodes/api/read/records.ts',
		find: "read.catch(fallbackTo(undefined, 'notFound'))",
		replace: 'read.catch(fallbackTo(undefined))',
		area: ['test/engine/record/get.failures'],
	},
];
