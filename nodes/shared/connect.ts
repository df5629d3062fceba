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
 * Returns a client that sends with the node's credential: with that of an item if one is named, else with that of the
 * first item. Its values stay the same as long as the client lives, but for its session. Throws InputError if the
 * credential cannot be used.
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
			const endable = cancelledBy(context, request.abortSignal);
			const { httpRequest, httpRequestWithAuthentication } = endable.helpers;
			if (isPublic) return await httpRequest(request);
			// Without this, n8n would read the credential again, and evaluate its expressions for the first item.
			const credentialsDecrypted = { id: '', name: '', type, data: session ?? { ...data } };
			const more = { credentialsDecrypted };
			return await httpRequestWithAuthentication.call(endable, type, request, more);
		},
	};
	return await Client.connect(host, type);
}

/** n8n puts the signal of the context in place of a request's; not for a login, which may come first: nobody waits for its end. */
function cancelledBy(context: IAllExecuteFunctions, signal: AbortSignal): IAllExecuteFunctions {
	if (!('getExecutionCancelSignal' in context)) return context;
	return new Proxy(context, {
		get: (target, name) =>
			name === 'getExecutionCancelSignal' ? () => signal : Reflect.get(target, name),
	});
}
