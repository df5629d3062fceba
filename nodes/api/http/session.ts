import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { ServiceError } from './serviceError';
import type { ServiceContext } from './connection';

/** A session credential's data as n8n holds them; n8n logs in and stores the session when `sessionId` is empty. */
export type Session = ICredentialDataDecryptedObject;

/** The session as it is stored now; another execution may have renewed it. */
export async function readSession(context: ServiceContext): Promise<Session> {
	return { ...(await context.getCredentials('sheetRecordsSessionApi')) };
}

/**
 * The session to go on with after one has ended: the stored one when somebody has renewed it
 * meanwhile, else an empty one, which makes n8n log in and store the new session.
 *
 * Requests of one account take turns, so of several that fail together only the first logs in.
 *
 * @param ended the session that the failed request was sent with, as n8n left it
 */
export async function renewedSession(context: ServiceContext, ended: Session): Promise<Session> {
	const stored = await readSession(context);
	return stored.sessionId !== ended.sessionId ? stored : { ...stored, sessionId: '' };
}

/** Whether an answer means that the request came without a valid session (specification, "Authentication"). */
export function endsSession({ kind, details }: ServiceError): boolean {
	return kind === 'sessionExpired' || details.status === 401 || details.code === 105;
}
