import { orders, recipes, salaries, type IdentityName, type SheetAddress } from '../../service';
import { addressOf, fileAddressOf, type Caller, type Part } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

async function save(sheet: SheetAddress, values: unknown, id: number) {
	return (await client().postJson(addressOf(sheet, id), values)).json();
}

describe('an upload', () => {
	/** What the files of a value hold. */
	const contentsOf = (value: unknown) =>
		[value].flat().map((text) => service().data.files.get(String(text))?.content.toString());

	it('is added to those of its field, and given a stored value', async () => {
		const { photos, servings } = recipes.fields;
		const upload = async (...parts: Part[]) =>
			(await client().postParts(addressOf(recipes, 0), parts)).json();
		expect(await upload([photos, 'first', 'süß, 50%.png'], [servings, '8'])).toMatchObject({
			status: 'SUCCESS',
			data: { [photos]: expect.stringMatching(/^[a-z0-9]{10}@süß, 50%\.png$/), [servings]: '8' },
		});
		// An empty value beside an upload clears nothing.
		await upload([photos, ''], [photos, 'second', 'b@c.png'], [photos, 'third', 'd.png']);
		const recipe = service().data.record(recipes, 0);
		expect(contentsOf(recipe.value(photos))).toEqual(['first', 'second', 'third']);
		expect(service().requests.all()[1]?.files).toMatchObject([
			{ fieldName: photos, fileName: 'b@c.png', size: 6 },
			{ fieldName: photos, fileName: 'd.png', size: 5 },
		]);
		await save(recipes, { [photos]: '' }, 0);
		expect(recipe.value(photos)).toEqual([]);
	});
});

describe('a download', () => {
	const contract = () => service().data.record(orders, 50).text(orders.fields.contract);
	const text = async (value: string, caller?: Caller, cookie = '') =>
		(await client().get(fileAddressOf(value), caller, { headers: { cookie } })).text;
	const noRight = expect.stringContaining('"code":106');
	const noSession = expect.stringContaining('"code":105');
	const given = expect.stringContaining('%PDF-1.4\n% Contract of order 50');

	it('is for those who may read a sheet that holds the file in a field, a row or a comment', async () => {
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

	it('may need the session that reading with the key opens: no other user’s, no ended one', async () => {
		service().switches.filesNeedSession = true;
		const cookieOf = async (name: IdentityName) => {
			const { headers } = await client().get(addressOf(orders, 50), name);
			return String(headers['set-cookie']).split(';')[0] ?? '';
		};
		const cookie = await cookieOf('member');
		expect(await text(contract())).toEqual(noSession);
		expect(await text(contract(), 'nobody', cookie)).toEqual(given);
		expect(await text(contract(), 'member', cookie)).toEqual(given);
		expect(await text(contract(), 'member', await cookieOf('reader'))).toEqual(noSession);
		service().switches.filesNeedSession = 'besideKey';
		expect(await text(contract(), 'nobody', cookie)).toEqual(noSession);
		service().expireSessions();
		expect(await text(contract(), 'member', cookie)).toEqual(noSession);
		const read = await client().get(addressOf(orders, 50), 'member', { headers: { cookie } });
		expect(read.ids()).toContain(50);
	});
});
