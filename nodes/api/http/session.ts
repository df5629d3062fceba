import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Send } from './call';
import type { ServiceContext } from './connection';
import { failureOf } from './failure';
import type { ServiceError } from './serviceError';

/**
 * Renews a session that has ended, and repeats the request once: without authentication it did nothing. n8n logs in
 * and stores the session when the credential's `sessionId` is empty.
 */
export function renewSession<T>(next: Send<T>): Send<T> {
	return async (call) => {
		const { connection, context, request } = call;
		if (request.isPublic || connection.credentialType !== 'sheetRecordsSessionApi') {
			return await next(call);
		}
		const session = await readSession(context);
		try {
			return await next({ ...call, session });
		} catch (thrown) {
			const failure = failureOf(thrown);
			// Still without a session: it was the login that failed, and repeating it may lock the account.
			if (!session.sessionId || !endsSession(failure)) throw failure;
		}
		// Requests of one account hold its mutex, so of several that fail together only the first logs in.
		const stored = await readSession(context);
		const isRenewed = stored.sessionId !== session.sessionId;
		return await next({ ...call, session: isRenewed ? stored : { ...stored, sessionId: '' } });
	};
}

/** The session as it is stored now; another execution may have renewed it. */
async function readSession(context: ServiceContext): Promise<ICredentialDataDecryptedObject> {
	return { ...(await context.getCredentials('sheetRecordsSessionApi')) };
}

/** Whether an answer means that the request came without a valid session (specification, "Authentication"). */
function endsSession({ kind, details }: ServiceError): boolean {
	return kind === 'sessionExpired' || details.status === 401 || details.code === 105;
}
