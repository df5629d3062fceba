import type { ICredentialType } from 'n8n-workflow';

/** A credential with a session: logs in for a token, which goes into a header. */
export const echoCredential: ICredentialType = {
	name: 'echoApi',
	displayName: 'Echo API',
	properties: [
		{ displayName: 'URL', name: 'url', type: 'string', default: '' },
		{ displayName: 'User', name: 'user', type: 'string', default: 'guest' },
		{
			displayName: 'Token',
			name: 'token',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	],
	async preAuthentication({ user, url }) {
		return await this.helpers.httpRequest({
			method: 'POST',
			url: `${String(url)}/login`,
			body: { user },
			json: true,
		});
	},
	async authenticate({ token }, request) {
		return { ...request, headers: { ...request.headers, 'x-token': token } };
	},
};
