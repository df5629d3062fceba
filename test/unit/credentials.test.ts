import { SheetRecordsApi } from '../../credentials/SheetRecordsApi.credentials';
import { SheetRecordsSessionApi } from '../../credentials/SheetRecordsSessionApi.credentials';

it.each([
	{ credential: new SheetRecordsApi(), secrets: ['apiKey'] },
	{ credential: new SheetRecordsSessionApi(), secrets: ['password', 'sessionId'] },
])(
	'n8n shows nobody the secrets of the credential $credential.displayName: $secrets',
	({ credential, secrets }) => {
		const hidden = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(secrets);
	},
);
