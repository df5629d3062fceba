import { sleep, type IAllExecuteFunctions } from 'n8n-workflow';
import type { Host } from '../api/http/call';
import { Client } from '../api/http/client';
import type { CredentialType } from '../api/http/connection';

/** Returns a client that sends with the node's credential. Throws InputError when the credential cannot be used. */
export async function connect(context: IAllExecuteFunctions, type: CredentialType) {
	const host: Host = {
		sleep,
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
		credential: async () => ({ ...(await context.getCredentials(type)) }),
		async send(request, { isPublic, session: data }) {
			const endable = cancelledBy(context, request.abortSignal);
			const { httpRequest, httpRequestWithAuthentication } = endable.helpers;
			if (isPublic) return await httpRequest(request);
			const credentialsDecrypted = data && { id: '', name: '', type, data };
			const more = credentialsDecrypted && { credentialsDecrypted };
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
