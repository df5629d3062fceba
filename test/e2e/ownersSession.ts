import { WebSocket } from 'undici';
import { until } from './until';

export const owner = {
	email: 'owner@sheet-records.example',
	firstName: 'Olive',
	lastName: 'Owner',
	password: 'Only-for-tests-1',
};

export interface Messages {
	readonly printedLines: readonly string[];
	close(): void;
}

const browserId = 'end-to-end-tests';
const pushRef = 'end-to-end-tests';
/** A connection for one request. n8n may close an idle one at the moment of the next request. */
const newConnection = { connection: 'close' };
/** Maximum time for which n8n may refuse requests, in seconds. */
const maxBusySeconds = 30;

export class OwnersSession {
	private cookie = '';

	constructor(readonly url: string) {}

	async setUpOwner(): Promise<void> {
		await this.call('POST', '/owner/setup', owner);
	}

	async enter(): Promise<void> {
		// n8n 2.0.0 may accept requests before its database is ready.
		await until(async () => (await this.file('/rest/settings')).status !== 503);
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

	/** Records all push messages that n8n sends to the editor about its executions from now on, as texts. */
	async listen(): Promise<Messages> {
		const address = `${this.url.replace('http', 'ws')}/rest/push?pushRef=${pushRef}`;
		const socket = new WebSocket(address, {
			headers: { cookie: this.cookie, origin: this.url, 'browser-id': browserId },
		});
		const printedLines: string[] = [];
		socket.addEventListener('message', ({ data }) => printedLines.push(String(data)));
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve, { once: true });
			socket.addEventListener('error', ({ error }) => reject(error), { once: true });
		});
		return { printedLines, close: () => socket.close() };
	}

	async file(path: string): Promise<Response> {
		const headers = { ...newConnection, cookie: this.cookie };
		return await fetch(`${this.url}${path}`, { headers });
	}

	protected async call<T>(method: string, path: string, body?: object): Promise<T> {
		const send = async () =>
			await fetch(`${this.url}/rest${path}`, {
				method,
				headers: {
					...newConnection,
					'content-type': 'application/json',
					'browser-id': browserId,
					'push-ref': pushRef,
					cookie: this.cookie,
				},
				body: body && JSON.stringify(body),
			});
		let answer = await send();
		// n8n refuses all requests while its database is late with the answer to a ping, for example on a machine that stood still.
		for (let seconds = 0; answer.status === 503 && seconds < maxBusySeconds; seconds++) {
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			answer = await send();
		}
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
