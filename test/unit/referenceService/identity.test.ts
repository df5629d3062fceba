import { orders } from '../../service';
import { addressOf, refused } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

const oneOrder = addressOf(orders, 1);

async function logIn(query = ''): Promise<string> {
	const { email, password } = service().identities.member;
	const address = `/AUTH?u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}${query}`;
	return (await client().get(address, 'nobody')).text;
}

// The other answers to keys, logins and sessions, one for each position of a switch, are asked for by the probe.

it('a key encoded as user name and password is taken for a guest’s', async () => {
	const key = Buffer.from(`${service().identities.admin.apiKey}:`).toString('base64');
	const reply = await client().get(oneOrder, 'nobody', {
		headers: { authorization: `Basic ${key}` },
	});
	expect(reply.json()).toEqual(refused(106));
});

it('a session by cookie keeps the naming that was asked for last', async () => {
	const headers = { cookie: `other=1; JSESSIONID=${await logIn()}` };
	const read = async (query: string) =>
		(await client().get(addressOf(orders, 1, query), 'nobody', { headers })).text;
	expect(await read('')).toContain('"Order Number"');
	await read('naming=EID');
	expect(await read('')).toContain('"1000001"');
});

it('the sheets that the caller may not see are in no list of them', async () => {
	for (const address of ['/acme?api', '/api/http/integromatForms.jsp?n8n']) {
		expect((await client().get(address)).text).toContain('Orders');
		expect((await client().get(address)).text).not.toContain('Salaries');
		expect((await client().get(address, 'admin')).text).toContain('Salaries');
	}
	expect((await client().get('/acme?api', 'outsider')).json()).toEqual({ acme: { children: {} } });
});
