import {
	sleep,
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
} from 'n8n-workflow';
import type { Host } from '../api/http/call';
import { Client } from '../api/http/client';
import type { CredentialType } from '../api/http/connection';

/** A credential as n8n evaluates its expressions for an item. */
export interface CredentialOfItem {
	itemIndex: number;
	data: ICredentialDataDecryptedObject;
}

/**
 * Returns a client for the node's credential, as evaluated for the given item, or for the first item. The client keeps the values
 * of the credential. Only a session is read again for each request. Throws InputError if the credential cannot be used.
 */
export async function connect(
	context: IAllExecuteFunctions,
	type: CredentialType,
	ofItem?: CredentialOfItem,
): Promise<Client> {
	const { itemIndex, data } = ofItem ?? { itemIndex: 0, data: await context.getCredentials(type) };
	const host: Host = {
		sleep,
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
		async credential() {
			if (type === 'sheetRecordsApi') return { ...data };
			// n8n stores the session of each login in the credential.
			const { sessionId = '' } = await context.getCredentials(type, itemIndex);
			return { ...data, sessionId };
		},
		async send(request, { isPublic, session }) {
			const cancellable = cancelledBy(context, request.abortSignal);
			const { httpRequest, httpRequestWithAuthentication } = cancellable.helpers;
			if (isPublic) return await httpRequest(request);
			// Pass the credential, because n8n would read it again, and evaluate its expressions for the first item.
			const credentialsDecrypted = { id: '', name: '', type, data: session ?? { ...data } };
			const options = { credentialsDecrypted };
			return await httpRequestWithAuthentication.call(cancellable, type, request, options);
		},
	};
	return await Client.connect(host, type);
}

/**
 * Returns the context with another cancel signal. n8n replaces the signal of a request with that of the context, so this is the
 * only way to end a request early. A login before the request does not use the signal.
 */
function cancelledBy(context: IAllExecuteFunctions, signal: AbortSignal): IAllExecuteFunctions {
	if (!('getExecutionCancelSignal' in context)) return context;
	return new Proxy(context, {
		get: (target, name) =>
			name === 'getExecutionCancelSignal' ? () => signal : Reflect.get(target, name),
	});
}
