import type { Fault } from '../fault';

/** Faults of the client of the API. */
export const serviceFaults: readonly Fault[] = [
	{
		name: 'A download whose body stands still goes on when the execution is cancelled.',
		file: 'nodes/api/files/download.ts',
		find: "client.signal?.addEventListener('abort', breakOff, { signal: finished.signal });",
		replace: 'void breakOff;',
		area: ['test/unit/api/files/download'],
	},
	{
		name: 'A stored file stays open when its upload ends early.',
		file: 'nodes/SheetRecords/filePart.ts',
		find: 'open.forEach((stored) => stored.destroy())',
		replace: 'open.clear()',
		area: ['test/engine/file/transfer'],
	},
	{
		name: 'The cookie of a session for files is not taken out of messages.',
		file: 'nodes/api/http/client.ts',
		find: 'await this.secrets(request.cookie)',
		replace: 'await this.secrets()',
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
		name: 'Whoever is cancelled while waiting lets the next request overtake those before.',
		file: 'nodes/api/http/mutex.ts',
		find: 'const last = previous.then(() => ended);',
		replace: 'const last = ended;',
		area: ['test/unit/api/http/rateLimiter'],
	},
	{
		name: 'The pace is counted from one request too late, so the service sees more of them.',
		file: 'nodes/api/http/rateLimiter.ts',
		find: 'endOf(own.most) + own.milliseconds',
		replace: 'endOf(own.most + 1) + own.milliseconds',
		area: ['test/unit/api/http/rateLimiter'],
	},
	{
		name: 'A write is sent again after a lost connection, although it may have been carried out.',
		file: 'nodes/api/http/retry.ts',
		find: "const surelyNotCarriedOut: ReadonlySet<FailureKind> = new Set<FailureKind>([\n\t'tooFrequent',",
		replace:
			"const surelyNotCarriedOut: ReadonlySet<FailureKind> = new Set<FailureKind>([\n\t'connectionLost',\n\t'tooFrequent',",
		area: ['test/unit/api/http/retry'],
	},
	{
		name: 'A write fails when the names of its fields cannot be learnt.',
		file: 'nodes/api/schema/requestFieldNames.ts',
		find: 'fieldsAsRead(inTime, sheet).catch(none)',
		replace: 'fieldsAsRead(inTime, sheet)',
		area: ['test/engine/names/learning'],
	},
	{
		name: 'The list of fields that was learnt once never goes out of date.',
		file: 'nodes/api/http/processState.ts',
		find: 'performance.now() - entry.at < this.limits.ttl',
		replace: 'entry.at - performance.now() < this.limits.ttl',
		area: ['test/engine/pickLists.fresh'],
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
		name: 'A record that was created a moment ago is not found again by a key in other capitals.',
		file: 'nodes/api/write/match.ts',
		find: "normalForm(key[index] ?? '')]).sort()",
		replace: "key[index] ?? '']).sort()",
		area: ['test/unit/api/write/match', 'test/engine/record/upsert'],
	},
	{
		name: 'Whether the service lists a webhook that it confirmed is not looked up.',
		file: 'nodes/api/http/client.ts',
		find: 'return confirmation === undefined || (await isDone());',
		replace: 'return true;',
		area: ['test/unit/api/webhooks/subscription'],
	},
	{
		name: 'A redirect to another port of the host is followed, with the identity.',
		file: 'nodes/api/http/redirect.ts',
		find: 'target?.origin !== new URL(url).origin',
		replace: 'target?.hostname !== new URL(url).hostname',
		area: ['test/unit/api/http/redirect'],
	},
	{
		name: 'An attempt is not waited for where its failure is caught, so nothing is tried again.',
		file: 'nodes/api/http/client.ts',
		find: 'const value = await this.attempt(request, decode);',
		replace: 'const value = this.attempt(request, decode);',
		area: ['test/unit/api/http/retry'],
	},
	{
		name: 'Any failure to read a record passes for a record that is not there.',
		file: 'nodes/api/read/records.ts',
		find: "read.catch(fallbackTo(undefined, 'notFound'))",
		replace: 'read.catch(fallbackTo(undefined))',
		area: ['test/engine/record/get.failures'],
	},
];
