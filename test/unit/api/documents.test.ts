import { customPrintError, documentRequest } from '../../../nodes/api/documents';
import { Client } from '../../../nodes/api/http/client';
import { ServiceError, type FailureKind } from '../../../nodes/api/http/serviceError';

async function clientOf(baseUrl: string, serviceDialect = 'automatic'): Promise<Client> {
	const credential = { baseUrl, account: 'documents', apiKey: 'key', serviceDialect };
	const host = {
		credential: async () => credential,
		send: async () => ({}),
		sleep: async () => {},
	};
	return await Client.connect(host, 'sheetRecordsApi');
}

const record = { sheet: { folders: ['sales'], sheetIndex: 1 }, recordId: '5' };
const report = { format: 'customPrint', templateId: '12', fileFormat: 'pdf' } as const;
const errorOf = (kind: FailureKind) => new ServiceError({ kind, message: 'No' });

it.each([
	{ baseUrl: 'https://www.ragic.com', set: 'automatic', suffix: 'carbone', spelling: 'Ragic' },
	{
		baseUrl: 'https://www.ragic.com',
		set: 'standard',
		suffix: 'customprint',
		spelling: 'Standard',
	},
	{ baseUrl: 'https://host', set: 'automatic', suffix: 'customprint', spelling: 'Standard' },
	{ baseUrl: 'https://host', set: 'ragic', suffix: 'carbone', spelling: 'Ragic' },
])(
	'the error of a report from $baseUrl with Service Dialect $set names the spelling of its request: $spelling',
	async ({ baseUrl, set, suffix, spelling }) => {
		const client = await clientOf(baseUrl, set);
		expect(documentRequest(client, record, report).path).toBe(`/documents/sales/1/5.${suffix}`);
		expect(customPrintError(client, errorOf('notFound'))).toMatchObject({
			details: { message: 'No', remedy: `check${spelling}Spelling` },
		});
	},
);

it.each<{ kind: FailureKind; hasAdvice: boolean }>([
	{ kind: 'malformed', hasAdvice: true },
	{ kind: 'redirected', hasAdvice: true },
	{ kind: 'refused', hasAdvice: true },
	{ kind: 'unexpected', hasAdvice: true },
	{ kind: 'webPage', hasAdvice: true },
	{ kind: 'authentication', hasAdvice: false },
	{ kind: 'noAccess', hasAdvice: false },
	{ kind: 'tooFrequent', hasAdvice: false },
	{ kind: 'server', hasAdvice: false },
	{ kind: 'unreachable', hasAdvice: false },
	{ kind: 'notStored', hasAdvice: false },
])(
	'the error of a report of the kind $kind has advice on the spelling: $hasAdvice',
	async (row) => {
		const error = errorOf(row.kind);
		const visible = customPrintError(await clientOf('https://host'), error);
		expect(visible).toMatchObject({ message: 'No' });
		expect(visible === error).toBe(!row.hasAdvice);
	},
);
