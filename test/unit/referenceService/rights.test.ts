import { orders, salaries } from '../../service';
import { addressOf, refused, type Caller } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

it('a key encoded as user name and password is taken for a guest’s', async () => {
	const key = Buffer.from(`${service().identities.admin.apiKey}:`).toString('base64');
	const reply = await client().get(addressOf(orders, 1), 'nobody', {
		headers: { authorization: `Basic ${key}` },
	});
	expect(reply.json()).toEqual(refused(106));
});

it('the sheets that the caller may not see are in no list of them', async () => {
	for (const address of ['/acme?api', '/api/http/integromatForms.jsp?n8n']) {
		expect((await client().get(address)).text).toContain('Orders');
		expect((await client().get(address)).text).not.toContain('Salaries');
		expect((await client().get(address, 'admin')).text).toContain('Salaries');
	}
	expect((await client().get('/acme?api', 'outsider')).json()).toEqual({ acme: { children: {} } });
});

it('a download is for those who may read a sheet that holds the file in a field, a row or a comment', async () => {
	const contract = () => service().data.record(orders, 50).text(orders.fields.contract);
	const text = async (value: string, caller?: Caller) =>
		(await client().get(`/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`, caller)).text;
	const noRight = expect.stringContaining('"code":106');
	const given = expect.stringContaining('%PDF-1.4\n% Contract of order 50');
	expect(await text(contract(), 'reader')).toEqual(given);
	expect(await text(contract(), 'outsider')).toEqual(noRight);
	const { data } = service();
	const secret = data.storeFile('pay@2024.txt', 'text/plain', Buffer.from('pay slip'));
	const salary = () => data.record(salaries, 1);
	const holders = [
		() => salary().set(salaries.fields.person, secret),
		() =>
			salary()
				.rows('1')
				.set(1, new Map([['1', secret]])),
		() => salary().comments.push({ id: 1, author: '', text: '', attachment: secret, at: 0 }),
	];
	for (const hold of holders) {
		expect(await text(secret)).toBe('pay slip');
		hold();
		expect(await text(secret)).toEqual(noRight);
		expect(await text(secret, 'admin')).toBe('pay slip');
		salary().set(salaries.fields.person, '').subtables.clear();
	}
	data.record(orders, 1).set(orders.fields.contract, [secret]);
	expect(await text(secret)).toBe('pay slip');
});
