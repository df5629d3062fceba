import type { Fault } from '../fault';

/** Faults of the two credentials and their check. */
export const credentialFaults: readonly Fault[] = [
	{
		name: 'The key stands in a header that n8n hands on to other hosts.',
		file: 'credentials/SheetRecordsApi.credentials.ts',
		find: 'authorization: `Basic',
		replace: 'Authorization: `Basic',
		area: ['test/engine/identity/otherNode'],
	},
	{
		name: 'What the service says of a login that failed may hold the password.',
		file: 'credentials/SheetRecordsSessionApi.credentials.ts',
		find: "throw finalFailure(failure, 'read', 1, [String(password)]);",
		replace: "throw finalFailure(failure, 'read', 1, []);",
		area: ['test/engine/identity/connectionTest'],
	},
	{
		name: 'The connection test passes when the code of a refusal is written as a text.',
		file: 'credentials/checkConnection.ts',
		find: '[code, String(code)].map(',
		replace: '[code].map(',
		area: ['test/engine/identity/connectionTest'],
	},
];
