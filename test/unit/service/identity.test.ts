import { connect } from 'node:net';
import { customers, invoices, orders, salaries } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();

const oneOrder = addressOf(orders, 1);
const unauthorized = { status: 401, text: 'Unauthorized' };

async function logIn(name: 'admin' | 'member' = 'member', query = ''): Promise<string> {
	const { email, password } = service().identities[name];
	const address = `/AUTH?u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}${query}`;
	return (await client().send('GET', address, undefined)).text;
}

describe('identity', () => {
	it('takes the raw key in the header', async () => {
		expect((await client().get(oneOrder)).ids()).toContain(1);
		expect(service().requests.all()[0]?.identity).toBe('member');
	});

	it('takes the key as a parameter on reads and writes', async () => {
		const key = `APIKey=${encodeURIComponent(service().identities.member.apiKey)}`;
		const read = await client().send('GET', addressOf(orders, 1, key), undefined);
		expect(read.json()).toHaveProperty('1');
		const deleted = await client().send('DELETE', addressOf(orders, 1, key), undefined);
		expect(deleted.json()).toEqual({ status: 'SUCCESS' });
	});

	it('takes a session id as a parameter or as a cookie', async () => {
		const sid = await logIn();
		const byParameter = await client().send('GET', addressOf(orders, 1, `sid=${sid}`), undefined);
		expect(byParameter.json()).toHaveProperty('1');
		const headers = { cookie: `other=1; JSESSIONID=${sid}` };
		const byCookie = await client().send('GET', oneOrder, undefined, { headers });
		expect(byCookie.json()).toHaveProperty('1');
	});

	it('answers 401 to nobody', async () => {
		expect(await client().send('GET', oneOrder, undefined)).toMatchObject(unauthorized);
	});

	it('takes a key encoded as user name and password for a guest', async () => {
		const key = Buffer.from(`${service().identities.admin.apiKey}:`).toString('base64');
		const headers = { authorization: `Basic ${key}` };
		const reply = await client().send('GET', oneOrder, undefined, { headers });
		expect(reply.status).toBe(200);
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 106 });
	});

	it.each([
		['status401', unauthorized],
		['code105', { status: 200, text: expect.stringContaining('"code":105') }],
		['code106', { status: 200, text: expect.stringContaining('"code":106') }],
		['code304', { status: 200, text: expect.stringContaining('"code":304') }],
	] as const)('answers a wrong key as the switch says: %s', async (answer, expected) => {
		service().switches.wrongKeyAnswer = answer;
		const headers = { authorization: 'Basic nobodysKey' };
		expect(await client().send('GET', oneOrder, undefined, { headers })).toMatchObject(expected);
	});

	it('refuses plain HTTP', async () => {
		const { port } = new URL(service().baseUrl);
		const received = await new Promise<string>((resolve) => {
			let text = '';
			const socket = connect(Number(port), 'localhost', () =>
				socket.write(`GET ${oneOrder} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
			);
			socket.on('data', (chunk) => (text += chunk.toString('latin1')));
			socket.on('error', () => undefined);
			socket.on('close', () => resolve(text));
		});
		expect(received).not.toContain('HTTP/1.1 200');
		expect(received).not.toContain('SO-00001');
		expect(service().requests.count).toBe(0);
	});
});

describe('sessions', () => {
	it.each([
		['code301', { status: 200, text: expect.stringContaining('"code":301') }],
		['code302', { status: 200, text: expect.stringContaining('"code":302') }],
		['status401', unauthorized],
	] as const)('expire, answering as the switch says: %s', async (answer, expected) => {
		const sid = await logIn();
		service().switches.expiredSessionAnswer = answer;
		service().expireSessions();
		const reply = await client().send('GET', addressOf(orders, 1, `sid=${sid}`), undefined);
		expect(reply).toMatchObject(expected);
	});

	it('can live for a number of requests', async () => {
		service().switches.sessionLifetimeRequests = 2;
		const address = addressOf(orders, 1, `sid=${await logIn()}`);
		const texts = [];
		for (let turn = 0; turn < 3; turn += 1) {
			texts.push((await client().send('GET', address, undefined)).text);
		}
		expect(texts[1]).toContain('SO-00001');
		expect(texts[2]).toContain('"code":302');
	});

	it('by cookie keep the naming that was asked for last', async () => {
		const headers = { cookie: `JSESSIONID=${await logIn()}` };
		const read = async (query: string) =>
			(await client().send('GET', addressOf(orders, 1, query), undefined, { headers })).text;
		expect(await read('')).toContain('"Order Number"');
		await read('naming=EID');
		expect(await read('')).toContain('"1000001"');
	});

	it('do not open the fixed filter, which takes an API key', async () => {
		const ask = async (identity: 'admin' | undefined, query: string) => {
			const caller = identity && service().identities[identity];
			const address = addressOf(invoices, undefined, `subtables=0&${query}`);
			return (await client().send('GET', address, caller)).ids().length;
		};
		expect(await ask('admin', '')).toBe(100);
		expect(await ask('admin', 'ignoreFixedFilter=true')).toBe(150);
		const sid = await logIn('admin');
		expect(await ask(undefined, `sid=${sid}&ignoreFixedFilter=true`)).toBe(100);
	});
});

describe('login', () => {
	it('answers -1 to a wrong password', async () => {
		const { email } = service().identities.member;
		const address = `/AUTH?u=${encodeURIComponent(email)}&p=wrong&json=1`;
		expect((await client().send('GET', address, undefined)).text).toBe('-1');
	});

	it.each([
		['without login_type', ''],
		['with login_type', '&login_type=sessionId'],
		['as an API request', '&api&login_type=sessionId'],
	])('answers the plain session id without json: %s', async (_, query) => {
		const sid = await logIn('member', query);
		expect(sid).toMatch(/^[0-9A-F]{32}$/);
		const read = await client().send('GET', addressOf(orders, 1, `sid=${sid}`), undefined);
		expect(read.json()).toHaveProperty('1');
	});

	it('with json, but without login_type, answers the same object', async () => {
		const { email } = service().identities.member;
		const sid = expect.stringMatching(/^[0-9A-F]{32}$/);
		expect(JSON.parse(await logIn('member', '&json=1'))).toMatchObject({ sid, email });
	});

	it.each([
		['plainText', /^[0-9A-F]{32}$/],
		[
			'accountsObject',
			/"accounts":\{"account":"acme","svcId":1,"external":false,"groups":\["Sales"\]\}/,
		],
		['accountsArray', /"status":"SUCCESS".*"accounts":\["acme"\]/],
	] as const)('with json answers as the switch says: %s', async (answer, expected) => {
		service().switches.loginAnswer = answer;
		expect(await logIn('member', '&json=1&login_type=sessionId')).toMatch(expected);
	});
});

describe('rights', () => {
	const attempt = async (
		name: 'member' | 'reader' | 'outsider',
		address: string,
		body?: object,
	) => {
		const reply = await client().send(
			body ? 'POST' : 'GET',
			address,
			service().identities[name],
			body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
		);
		return reply.text;
	};
	const noRight = '"code":106';

	it('let the reader read only', async () => {
		expect(await attempt('reader', oneOrder)).toContain('SO-00001');
		expect(await attempt('reader', oneOrder, { [orders.fields.remark]: 'x' })).toContain(noRight);
		expect(await attempt('reader', addressOf(orders, 1, 'lock'), {})).toContain(noRight);
	});

	it('let the outsider do nothing and the member not see salaries', async () => {
		expect(await attempt('outsider', oneOrder)).toContain(noRight);
		expect(await attempt('outsider', addressOf(customers), {})).toContain(noRight);
		expect(await attempt('member', addressOf(salaries))).toContain(noRight);
	});

	it('come from groups, which a test may change and a reset restores', async () => {
		const address = addressOf(orders, 1, 'ignoreMask=true');
		expect((await client().get(address)).text).toContain('****');
		service().identities.member.groups.push('Finance');
		expect((await client().get(address)).text).toContain('"Internal Margin":"11%"');
		service().reset();
		expect((await client().get(address)).text).toContain('****');
	});
});
