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

// One test is hundreds of executions where time is given.
jest.setTimeout(timeLimit(amount(15, 120)));

const testbed = useRecordTestbed({ demoRecords: 20 });

/**
 * Each text is a run of its own: few of each kind, all of them where time is given. n8n asks for a value where there
 * is none, and takes what begins with an equals sign for an expression.
 */
const givenTexts = nastyKinds
	.flatMap((texts) => texts.filter((_, index) => index % amount(24, 1) === 0))
	.concat(fewTexts)
	.filter((text) => text.trim() !== '' && !text.startsWith('='));

/** Visible characters of ASCII: a header holds them as they are. */
const isHeaderText = (text: string) => /^[\x21-\x7e]+$/.test(text);
/** A credential with a session that its login is said to have opened. */
function inCookie(sessionId: string, more: INodeParameters = {}): CredentialsByType {
	const { sheetRecordsSessionApi: login } = testbed.sessionCredentials('member', more);
	const stored = { sessionIn: 'cookie', sessionId: storedSession(login, sessionId) };
	return { sheetRecordsSessionApi: { ...login, ...stored } };
}

interface Field {
	credentials: (text: string) => CredentialsByType;
	/** Whether the text is sent; otherwise nothing is, and the error says so. */
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
])('the %s arrives in the header, or is refused', async (_, field) => {
	const wrong: unknown[] = [];
	for (const text of givenTexts) {
		testbed.service.requests.clear();
		// Not by the testbed, which would find some of these secrets in the names of the output's fields.
		const result = await runNode({
			node: 'sheetRecords',
			parameters: {
				...{ resource: 'record', ...readOrder() },
				...(field.header === 'cookie' ? session : {}),
			},
			credentials: field.credentials(text),
		});
		// An unknown session is renewed: the first request tells.
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
