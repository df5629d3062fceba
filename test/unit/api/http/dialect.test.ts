import { connectionOf } from '../../../../nodes/api/http/connection';
import { detectDialect, dialectOf } from '../../../../nodes/api/http/dialect';
import { clearProcessState } from '../../../../nodes/api/http/processState';

beforeEach(() => clearProcessState('ragicAccounts'));

interface Credential {
	baseUrl?: string;
	account?: string;
	serviceDialect?: string;
	allowUnauthorizedCerts?: boolean;
}

const connection = ({
	baseUrl = 'https://sheets.example',
	account = 'acme',
	...more
}: Credential) => connectionOf('sheetRecordsApi', { baseUrl, account, apiKey: 'key', ...more });

it.each([
	{ baseUrl: 'https://www.ragic.com', serviceDialect: 'automatic', spelling: 'ragic' },
	{ baseUrl: 'https://AP5.Ragic.com:443', serviceDialect: undefined, spelling: 'ragic' },
	{ baseUrl: 'ragic.com/acme/sales/1', serviceDialect: '', spelling: 'ragic' },
	{ baseUrl: 'https://ragic.com.example', serviceDialect: 'automatic', spelling: 'standard' },
	{ baseUrl: 'https://notragic.com', serviceDialect: 'automatic', spelling: 'standard' },
	{ baseUrl: 'https://www.ragic.com', serviceDialect: 'standard', spelling: 'standard' },
	{ baseUrl: 'https://sheets.example', serviceDialect: 'ragic', spelling: 'ragic' },
])('the spelling for $baseUrl with Service Dialect $serviceDialect is $spelling', (row) => {
	expect(dialectOf(connection(row))).toBe(row.spelling);
});

it.each([
	{ text: '{"7":{"_ragicId":7}}', spelling: 'ragic' },
	{ text: '{"status":"SUCCESS","ragicId" : 7}', spelling: 'ragic' },
	{ text: '{"7":{"_svcId":7}}', spelling: 'standard' },
	{ text: '{"7":{"_svcId":7,"1000001":"\\"_ragicId\\":"}}', spelling: 'standard' },
	{ text: '{"7":{"1000001":"_ragicId"}}', spelling: 'standard' },
])('after the answer $text, the spelling is $spelling', ({ text, spelling }) => {
	detectDialect(connection({}), text);
	expect(dialectOf(connection({}))).toBe(spelling);
});

it('an answer counts for its account only, and never against the setting of a credential', () => {
	detectDialect(connection({ account: 'acme' }), '{"7":{"_ragicId":7}}');
	expect(dialectOf(connection({ account: 'ACME' }))).toBe('ragic');
	for (const other of [
		{ account: 'globex' },
		{ baseUrl: 'https://other.example' },
		{ serviceDialect: 'standard' },
		{ allowUnauthorizedCerts: true },
	]) {
		expect([other, dialectOf(connection(other))]).toEqual([other, 'standard']);
	}
});
