export const owner = {
	email: 'owner@sheet-records.example',
	firstName: 'Olive',
	lastName: 'Owner',
	password: 'Only-for-tests-1',
};

const browserId = 'end-to-end-tests';
const pushRef = 'end-to-end-tests';

export class OwnersSession {
	private cookie = '';

	constructor(readonly url: string) {}

	async setUpOwner(): Promise<void> {
		await this.call('POST', '/owner/setup', owner);
	}

	async enter(): Promise<void> {
		const { userManagement } = await this.call<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) await this.setUpOwner();
		await this.logIn();
	}

	private async logIn(): Promise<void> {
		await this.call('POST', '/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
	}

	async file(path: string): Promise<Response> {
		return await fetch(`${this.url}${path}`, { headers: { cookie: this.cookie } });
	}

	protected async call<T>(method: string, path: string, body?: object): Promise<T> {
		const answer = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': browserId,
				'push-ref': pushRef,
				cookie: this.cookie,
			},
			body: body && JSON.stringify(body),
		});
		for (const cookie of answer.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.cookie = cookie.split(';')[0] ?? '';
		}
		const text = await answer.text();
		if (!answer.ok)
			throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
		const { data }: { data: T } = JSON.parse(text);
		return data;
	}
}
