import { FormData } from 'undici';
import { orders, recipes, salaries, type IdentityName } from '../../service';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { photos } = recipes.fields;

const recipe = () => service().data.record(recipes, 0);

async function upload(names: string[], texts: Array<[string, string]> = []) {
	const body = new FormData();
	for (const [name, value] of texts) body.append(name, value);
	for (const name of names) body.append(photos, new Blob([`content of ${name}`]), name);
	return await client().send('POST', addressOf(recipes, 0), service().identities.member, { body });
}

async function download(
	value: string,
	headers: Record<string, string> = {},
	name: IdentityName = 'member',
) {
	const address = `/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`;
	const identity = headers.cookie === undefined ? service().identities[name] : undefined;
	return await client().send('GET', address, identity, { headers });
}

describe('uploads', () => {
	it('add to a file field and give a stored value', async () => {
		const first = await upload(['süß, 50%.png'], [[recipes.fields.servings, '8']]);
		expect(first.json()).toMatchObject({
			status: 'SUCCESS',
			data: { [photos]: expect.stringMatching(/^[a-z0-9]{10}@süß, 50%\.png$/) },
		});
		expect(recipe().text(recipes.fields.servings)).toBe('8');
		await upload(['b@c.png', 'd.png']);
		const names = [...service().data.files.keys()].slice(-3).map((value) => value.slice(11));
		expect(names).toEqual(['süß, 50%.png', 'b@c.png', 'd.png']);
		expect(recipe().value(photos)).toHaveLength(3);
		expect(service().requests.all()[1]?.files).toMatchObject([
			{ fieldName: photos, fileName: 'b@c.png', size: 18 },
			{ fieldName: photos, fileName: 'd.png', size: 16 },
		]);
	});

	it('are cleared by an empty value, not by one beside an upload', async () => {
		await upload(['a.png']);
		await upload(['b.png'], [[photos, '']]);
		expect(recipe().value(photos)).toHaveLength(2);
		await client().postJson(addressOf(recipes, 0), { [photos]: '' });
		expect(recipe().value(photos)).toEqual([]);
	});

	it('are taken as multipart only', async () => {
		const reply = await client().postJson(addressOf(recipes, 0), { [photos]: 'x@new.png' });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
	});

	it('are refused by other fields', async () => {
		const body = new FormData();
		body.append(recipes.fields.title, new Blob(['x']), 'x.txt');
		const { member } = service().identities;
		const reply = await client().send('POST', addressOf(recipes, 0), member, { body });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
		expect(service().data.files.size).toBe(50);
	});

	it.each([
		['a value that the rules refuse', '', [[recipes.fields.title, '']], '"INVALID"'],
		['no time zone', '&tz=far', [], '"code":201'],
	] satisfies Array<[string, string, Array<[string, string]>, string]>)(
		'leave nothing behind when the write is refused: %s',
		async (_, query, texts, refusal) => {
			const body = new FormData();
			for (const [name, value] of texts) body.append(name, value);
			body.append(photos, new Blob(['x']), 'x.png');
			const { member } = service().identities;
			const before = recipe().updated;
			for (const address of [addressOf(recipes), addressOf(recipes, 0)]) {
				const reply = await client().send('POST', `${address}${query}`, member, { body });
				expect(reply.text).toContain(refusal);
			}
			expect(service().data.files.size).toBe(50);
			expect(service().data.sheet(recipes).records.size).toBe(4);
			expect(recipe().updated).toEqual(before);
		},
	);

	it('may be large', async () => {
		const body = new FormData();
		body.append(photos, new Blob([Buffer.alloc(20_000_000, 7)]), 'large.bin');
		await client().send('POST', addressOf(recipes, 0), service().identities.member, { body });
		expect(service().requests.all()[0]?.files[0]?.size).toBe(20_000_000);
	});
});

describe('downloads', () => {
	const contract = () => service().data.record(orders, 50).text(orders.fields.contract);

	it('give the stored file', async () => {
		const reply = await download(contract());
		expect(reply.headers).toMatchObject({
			'content-type': 'application/pdf',
			'content-disposition': expect.stringContaining('contract%2050%40acme.pdf'),
		});
		expect(reply.text).toContain('%PDF-1.4\n% Contract of order 50');
	});

	it('are for those who may read a sheet that holds the file', async () => {
		const noRight = expect.stringContaining('"code":106');
		expect((await download(contract(), {}, 'reader')).text).toContain('%PDF');
		expect((await download(contract(), {}, 'outsider')).text).toEqual(noRight);
		const { data } = service();
		const secret = data.storeFile('pay@2024.txt', 'text/plain', Buffer.from('pay slip'));
		const inRow = new Map([[orders.subtables.lines.fields.article, secret]]);
		const holders = [
			() => data.record(salaries, 1).set(salaries.fields.person, secret),
			() => data.record(salaries, 1).rows('1').set(1, inRow),
			() =>
				data
					.record(salaries, 1)
					.comments.push({ id: 1, author: '', text: '', attachment: secret, at: 0 }),
		];
		for (const hold of holders) {
			expect((await download(secret)).text).toBe('pay slip');
			hold();
			expect((await download(secret)).text).toEqual(noRight);
			expect((await download(secret, {}, 'admin')).text).toBe('pay slip');
			data.record(salaries, 1).set(salaries.fields.person, '').subtables.clear();
		}
		data.record(orders, 1).set(orders.fields.contract, [secret]);
		expect((await download(secret)).text).toBe('pay slip');
	});

	it('of a missing file are as the switch says', async () => {
		expect((await download('x@y')).status).toBe(404);
		service().switches.missingFile = 'text';
		expect(await download('x@y')).toMatchObject({ status: 200, text: 'File not found.' });
		service().switches.missingFile = 'blankImage';
		expect((await download('x@y')).headers['content-type']).toBe('image/gif');
	});

	it('may need a session, which reading with the key opens', async () => {
		service().switches.filesNeedSession = true;
		expect((await download(contract())).text).toContain('"code":105');
		const read = await client().get(addressOf(orders, 50));
		const cookie = String(read.headers['set-cookie']).split(';')[0] ?? '';
		expect((await download(contract(), { cookie })).text).toContain('%PDF');
	});

	it('take the session beside the key, but no other user’s and no ended one', async () => {
		service().switches.filesNeedSession = true;
		const address = `/sims/file.jsp?a=acme&f=${encodeURIComponent(contract())}`;
		const cookieOf = async (name: IdentityName) => {
			const read = await client().send('GET', addressOf(orders, 50), service().identities[name]);
			return String(read.headers['set-cookie']).split(';')[0] ?? '';
		};
		const { member } = service().identities;
		const headers = { cookie: await cookieOf('member') };
		const key = `&APIKey=${encodeURIComponent(member.apiKey)}`;
		const withKey = async (cookie: string) =>
			(await client().send('GET', address, member, { headers: { cookie } })).text;
		expect(await withKey(headers.cookie)).toContain('%PDF');
		const inQuery = await client().send('GET', address + key, undefined, { headers });
		expect(inQuery.text).toContain('%PDF');
		expect(await withKey(await cookieOf('reader'))).toContain('"code":105');
		service().expireSessions();
		expect(await withKey(headers.cookie)).toContain('"code":105');
		const read = await client().send('GET', addressOf(orders, 50), member, { headers });
		expect(read.ids()).toContain(50);
	});
});

describe('comments', () => {
	it('are added with an attachment and read as a subtable', async () => {
		const body = new FormData();
		body.append('c', 'Looks good, 100%');
		body.append('at', new Blob(['x']), 'proof@home.txt');
		const { member } = service().identities;
		const added = await client().send('POST', addressOf(orders, 1), member, { body });
		expect(added.json()).toEqual({
			'61': expect.stringMatching(/^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/),
			'65': 'max.member@acme.example',
			'66': 'Looks good, 100%',
			'67': 'proof@home.txt',
			'73': expect.stringMatching(/^\d{13}$/),
		});
		const read = await client().get(addressOf(orders, 1, 'comment=true'));
		expect(read.json()).toMatchObject({ '1': { _subtable_61: { '3': added.json() } } });
	});

	it.each([
		['without the text', '', ['at']],
		['with an empty text', '', ['c', 'at']],
		['with a parameter that comments do not have', 'tz=3', ['c=x', 'at']],
	])('are refused %s, and leave nothing behind', async (_, query, parts) => {
		const body = new FormData();
		for (const part of parts) {
			const [name = '', text = ''] = part.split('=');
			if (name === 'at') body.append(name, new Blob(['x']), 'x.txt');
			else body.append(name, text);
		}
		const { member } = service().identities;
		const reply = await client().send('POST', addressOf(orders, 2, query), member, { body });
		expect(reply.json()).toMatchObject({ status: 'ERROR', code: 201 });
		expect(service().data.record(orders, 2).comments).toEqual([]);
		expect(service().data.files.size).toBe(50);
	});

	it('without an attachment have an empty file name', async () => {
		const body = new FormData();
		body.append('c', 'Only words');
		const { member } = service().identities;
		const added = await client().send('POST', addressOf(orders, 2), member, { body });
		expect(added.json()).toMatchObject({ '66': 'Only words', '67': '' });
	});
});
