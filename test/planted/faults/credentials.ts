import type { Fault } from '../faults';

export const credentialFaults: readonly Fault[] = [
	{
		name: 'The key stands in a header that n8n hands on to other hosts.',
		file: 'nodes/api/http/authentication.ts',
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
];
