import { codeOf, inWords, isObject, isPage, jsonOf, recordsOf } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { judged, question } from './question';

const firstRecord = 'api&naming=EID&limit=1';

/** Questions about authentication and its errors. */
export const identityQuestions = [
	question('wrongKeyAnswer', 'A key that nobody has', async ({ client, path }) => {
		const answer = await client.get(path, firstRecord, 'wrongKey');
		const code = codeOf(answer);
		return judged(
			answer,
			[code === 105, 'code105'],
			[code === 106, 'code106'],
			[code === 304, 'code304'],
			[answer.status === 401, 'status401'],
		);
	}),
	question('apiFlag', 'A read with a key, but without the mark `api`', async ({ client, path }) => {
		const answer = await client.get(path, 'naming=EID&limit=1');
		const isAnswered = recordsOf(answer) !== undefined;
		return judged(answer, [isAnswered, 'notWithKey', 'answered'], [isPage(answer), 'alwaysNeeded']);
	}),
	question('keyReadsOpenSession', 'Cookies of a read with a key', async ({ client, path }) => {
		const { cookieNames } = await client.get(path, firstRecord);
		if (cookieNames.length === 0) return { seen: 'none', standsFor: false };
		return { seen: `it sets ${cookieNames.join(', ')}`, standsFor: true };
	}),
	question('loginAnswer', 'The answer to a login with `json=1`', async (sheet) => {
		const value = jsonOf(await logIn(sheet).then(({ answer }) => answer));
		if (!isObject(value)) return { seen: 'the session id as plain text', standsFor: 'plainText' };
		const { accounts } = value;
		if (Array.isArray(accounts)) {
			return { seen: '`accounts` is an array', standsFor: 'accountsArray' };
		}
		return isObject(accounts)
			? { seen: '`accounts` is an object', standsFor: 'accountsObject' }
			: { seen: `JSON with the keys ${Object.keys(value).join(', ')}` };
	}),
	question('cookieName', 'The name of the session cookie', async (sheet) => {
		const { ownCookie } = await logIn(sheet);
		if (ownCookie === undefined) return { seen: 'the login sets no cookie with the session id' };
		return { seen: ownCookie, standsFor: ownCookie };
	}),
	question('expiredSessionAnswer', 'A session that is not there (any more)', async (sheet) => {
		const answer = await sheet.client.get(sheet.path, firstRecord, 'unknownSession');
		const seen = `asked with one that never was: ${inWords(answer)}`;
		const code = codeOf(answer);
		if (code === 301) return { seen, standsFor: 'code301' };
		if (code === 302) return { seen, standsFor: 'code302' };
		return answer.status === 401 ? { seen, standsFor: 'status401' } : { seen };
	}),
];

async function logIn({ client }: ScratchSheet): ReturnType<typeof client.logIn> {
	if (!client.hasLogin) {
		throw new NotAsked('it needs SHEET_RECORDS_EMAIL and SHEET_RECORDS_PASSWORD');
	}
	const result = await client.logIn();
	if (result.isAccepted) return result;
	throw new NotAsked(`the login was refused: ${inWords(result.answer)}`);
}
