import type { ICredentialTestRequest } from 'n8n-workflow';

const wrongIdentity = 'The service does not accept this key, or e-mail and password';

/** The codes by which the service refuses an identity or an account inside an HTTP 200. */
const refusals: Array<[code: number, message: string]> = [
	[101, "The service does not know this account. Check 'Account'"],
	[105, wrongIdentity],
	[106, `${wrongIdentity}, or its user has no access to this account`],
	[301, 'The session has ended. Try again'],
	[302, 'The session has ended. Try again'],
	[303, 'The account has expired'],
	[304, wrongIdentity],
];

/** Asks for the account's menu, as every user may. */
export const checkConnection: ICredentialTestRequest = {
	request: {
		baseURL: "={{ $credentials.baseUrl.trim().replace(/[/]+$/, '') }}",
		// As the node reads it: without blanks and slashes around.
		url: "=/{{ encodeURIComponent($credentials.account.trim().replace(/^[/]+|[/]+$/g, '')) }}?api",
	},
	rules: refusals.flatMap(([code, message]) =>
		['code', 'errorCode'].flatMap((key) =>
			// The service may write a number as a text.
			[code, String(code)].map((value) => ({
				type: 'responseSuccessBody' as const,
				properties: { key, value, message },
			})),
		),
	),
};
