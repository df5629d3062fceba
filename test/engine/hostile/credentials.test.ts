import type { INodeParameters } from 'n8n-workflow';
import { storedSession } from '../../../nodes/api/http/session';
import { amount } from '../../amount';
import type { SeenRequest } from '../../service';
import { timeLimit } from '../../timeLimit';
import { readOrder, session } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { runNode, type CredentialsByType } from '../runner';
import { expectCleanPrototypes } from './bombardment';
import { fewTexts, nastyKinds } from './corpus';

// One test runs hundreds of executions in long runs.
jest.setTimeout(timeLimit(amount(15, 120)));

const testbed = useRecordTestbed({ demoRecords: 20 });

/**
 * Texts for credentials: some of each kind, or all in long runs, because each text needs its own run. n8n itself rejects an empty
 * value, and evaluates a value that begins with an equals sign as an expression.
 */
const givenTexts = nastyKinds
	.flatMap((texts) => texts.filter((_, index) => index % amount(24, 4, 1) === 0))
	.concat(fewTexts)
	.filter((text) => text.trim() !== '' && !text.startsWith('='));

/** Returns whether the text has only visible ASCII characters, which a header sends unchanged. */
const isHeaderText = (text: string) => /^[\x21-\x7e]+$/.test(text);
/** Returns a session credential with a stored session ID. */
function inCookie(sessionId: string, overrides: INodeParameters = {}): CredentialsByType {
	const { sheetRecordsSessionApi: login } = testbed.sessionCredentials('member', overrides);
	const stored = { sessionIn: 'cookie', sessionId: storedSession(login, sessionId) };
	return { sheetRecordsSessionApi: { ...login, ...stored } };
}

interface Field {
	credentials: (text: string) => CredentialsByType;
	/** Returns whether the text is sent. If not, nothing is sent, and the error says why. */
	isSent: (text: string) => boolean;
	header: 'authorization' | 'cookie';
	value: (text: string) => string;
}

it.each<[what: string, field: Field]>([
	[
		'key',
		{
			credentials: (apiKey) => testbed.credentials('member', { apiKey }),
			isSent: (text) => isHeaderText(text.trim()),
			header: 'authorization',
			value: (text) => `Basic ${text.trim()}`,
		},
	],
	[
		'session',
		{
			credentials: (sessionId) => inCookie(sessionId),
			isSent: (text) => isHeaderText(text) && !text.includes(';'),
			header: 'cookie',
			value: (text) => `JSESSIONID=${text}`,
		},
	],
	[
		'name of the cookie',
		{
			credentials: (cookieName) => inCookie('a-session', { cookieName }),
			isSent: (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text),
			header: 'cookie',
			value: (text) => `${text}=a-session`,
		},
	],
])('the %s arrives in the header, or is rejected', async (_, field) => {
	const wrong: unknown[] = [];
	for (const text of givenTexts) {
		testbed.service.requests.clear();
		// Not run by the testbed, because it would find some of these secrets in the field names of the output.
		const result = await runNode({
			node: 'sheetRecords',
			parameters: {
				...{ resource: 'record', ...readOrder() },
				...(field.header === 'cookie' ? session : {}),
			},
			credentials: field.credentials(text),
		});
		// The first request shows the credential: an unknown session is renewed later.
		const [first]: SeenRequest[] = testbed.service.requests.all();
		const message = result.error?.message ?? '';
		const isTold = message !== '' && !/Maximum call stack|Cannot read|URI malformed/.test(message);
		const arrived = first?.path === '/acme/sales/orders/1/1' && first.headers[field.header];
		const isRight = field.isSent(text)
			? first === undefined
				? isTold
				: arrived === field.value(text)
			: first === undefined && isTold;
		if (!isRight) wrong.push([text.slice(0, 60), message, first?.rawUrl]);
	}
	expect(wrong).toEqual([]);
	expectCleanPrototypes();
});
