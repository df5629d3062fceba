import type { INodeParameters } from 'n8n-workflow';

import { amount } from '../../amount';
import type { SeenRequest } from '../../service';
import { readOrder, session } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { runNode, type RunNodeOptions } from '../runner';
import { expectCleanPrototypes } from './bombardment';
import { fewTexts, holdsHalfPair, nastyKinds } from './corpus';
import { rawParameter } from './rawRequest';
import { changesSince, stateOf } from './state';

jest.setTimeout(300_000);

const testbed = useRecordTestbed({ demoRecords: 20 });

interface Field {
	credentials: (text: string) => Pick<RunNodeOptions, 'credentials'>;
	/** Whether another field is sent in the same way and is given all texts: a few are enough. */
	isLikeAnother?: boolean;
	parameters?: INodeParameters;
	/** Whether the text is sent; otherwise nothing is, and the error says so. */
	isSent: (text: string) => boolean;
	/** What is wrong with a request for this text. */
	wrongIn: (request: SeenRequest, text: string) => boolean;
}

/**
 * Each text is a run of its own: few of each kind, all of them where time is given. n8n asks for a value where there
 * is none, and takes what begins with an equals sign for an expression.
 */
const givenTexts = nastyKinds
	.flatMap((texts) => texts.filter((_, index) => index % amount(24, 1) === 0))
	.concat(fewTexts)
	.filter((text) => text.trim() !== '' && !text.startsWith('='));

async function expectVerbatim(field: Field) {
	const { credentials, isLikeAnother = false, parameters, isSent, wrongIn } = field;
	const before = stateOf(testbed.service);
	const wrong: unknown[] = [];
	for (const text of isLikeAnother ? fewTexts : givenTexts) {
		testbed.service.requests.clear();
		// Not by the testbed, which would find some of these secrets in the names of the output's fields.
		const result = await runNode({
			node: 'sheetRecords',
			parameters: { resource: 'record', ...readOrder(), ...parameters },
			...credentials(text),
		});
		const requests = testbed.service.requests.all();
		const message = result.error?.message ?? '';
		const isTold = message !== '' && !/Maximum call stack|Cannot read|URI malformed/.test(message);
		const isRight = isSent(text)
			? requests.every((request) => !wrongIn(request, text)) && (requests.length > 0 || isTold)
			: requests.length === 0 && isTold;
		if (!isRight) wrong.push([text.slice(0, 60), message, requests.map(({ rawUrl }) => rawUrl)]);
	}
	expect(wrong).toEqual([]);
	expect(changesSince(before, stateOf(testbed.service)).size).toBe(0);
	expectCleanPrototypes();
}

const withKey = (more: INodeParameters) => ({ credentials: testbed.credentials('member', more) });
const withSession = (more: INodeParameters) => ({
	credentials: testbed.sessionCredentials('member', more),
});
const orderPath = '/acme/sales/orders/1/1';

/** Visible characters of ASCII: a header holds them as they are. */
const isHeaderText = (text: string) => /^[\x21-\x7e]+$/.test(text);

describe('the key', () => {
	it('arrives in the header, or is refused', async () => {
		await expectVerbatim({
			credentials: (apiKey) => withKey({ apiKey }),
			isSent: (text) => isHeaderText(text.trim()),
			wrongIn: ({ path, headers }, text) =>
				path !== orderPath || headers.authorization !== `Basic ${text.trim()}`,
		});
	});

	it('arrives in the query, or is refused', async () => {
		await expectVerbatim({
			credentials: (apiKey) => withKey({ apiKey, apiKeyIn: 'query' }),
			isLikeAnother: true,
			isSent: (text) => !holdsHalfPair(text),
			wrongIn: (request, text) =>
				request.path !== orderPath || rawParameter(request, 'APIKey') !== text.trim(),
		});
	});
});

it('the account arrives as the first name of the path, or is refused', async () => {
	const nameIn = (text: string) => text.trim().replace(/^\/{1,600}|\/{1,600}$/g, '');
	await expectVerbatim({
		credentials: (account) => withKey({ account }),
		isSent: (text) =>
			!holdsHalfPair(text) &&
			!['', '.', '..'].includes(nameIn(text)) &&
			!nameIn(text).includes('/'),
		wrongIn: ({ path }, text) => {
			const [empty, account = '', ...rest] = path.split('/');
			return (
				empty !== '' ||
				decodeURIComponent(account) !== nameIn(text) ||
				rest.join('/') !== 'sales/orders/1/1'
			);
		},
	});
});

describe('the base URL', () => {
	it('leads to the service and nowhere else, whatever is behind it', async () => {
		await expectVerbatim({
			credentials: (text) => withKey({ baseUrl: `${testbed.service.baseUrl}${text}` }),
			// The address of a sheet may be pasted: its origin counts.
			isSent: (text) => /^\/\S*$/.test(text.trimEnd()),
			wrongIn: ({ path }) => path !== orderPath,
		});
	});
});

describe('the session', () => {
	const isOther = ({ path }: SeenRequest) => path !== orderPath;
	/** An unknown session is renewed: the first request tells. */
	const isFirst = (request: SeenRequest) => request === testbed.service.requests.all()[0];

	it('arrives in a cookie, or is refused', async () => {
		await expectVerbatim({
			credentials: (sessionId) => withSession({ sessionId, sessionIn: 'cookie' }),
			parameters: session,
			isLikeAnother: true,
			isSent: (text) => isHeaderText(text) && !text.includes(';'),
			wrongIn: (request, text) =>
				isFirst(request) && (isOther(request) || request.headers.cookie !== `JSESSIONID=${text}`),
		});
	});

	it('goes in no other cookie than the one that is named', async () => {
		await expectVerbatim({
			credentials: (cookieName) =>
				withSession({ cookieName, sessionIn: 'cookie', sessionId: 'a-session' }),
			parameters: session,
			isSent: (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text),
			wrongIn: (request, text) =>
				isFirst(request) && (isOther(request) || request.headers.cookie !== `${text}=a-session`),
		});
	});
});
