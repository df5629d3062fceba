import {
	orders,
	recipes,
	salaries,
	siteVisits,
	type IdentityName,
	type SheetAddress,
} from '../../service';
import { until } from '../../until';
import { addressOf, fileAddressOf, refused, type Caller, type Part } from './client';
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

	const { photos, findings } = siteVisits.subtables;
	const { caption, photo } = photos.fields;
	const upload = async (id: number | undefined, ...parts: Part[]) =>
		(await client().postParts(addressOf(siteVisits, id), parts)).json();
	const rowsOf = (id: number, subtableId: string = photos.id) => [
		...service().data.record(siteVisits, id).rows(subtableId),
	];

	it('goes into a new row, with values and without, beside others', async () => {
		const before = rowsOf(1);
		const answer = await upload(
			1,
			[`${caption}_-1`, 'Door'],
			[`${photo}_-1`, 'first', 'door.jpg'],
			[`${photo}_-1`, 'second', 'door 2.jpg'],
			[`${photo}_-2`, 'third', 'wall.jpg'],
		);
		const [door, wall] = rowsOf(1).slice(before.length);
		expect(rowsOf(1)).toEqual([...before, door, wall]);
		expect(door?.[1].get(caption)).toBe('Door');
		expect(contentsOf(door?.[1].get(photo))).toEqual(['first', 'second']);
		expect(contentsOf(wall?.[1].get(photo))).toEqual(['third']);
		const stored = [
			'',
			expect.stringMatching(/@door\.jpg$/),
			expect.stringMatching(/@door 2\.jpg$/),
		];
		expect(answer).toMatchObject({
			data: {
				[`_subtable_${photos.id}`]: {
					[String(door?.[0])]: { [caption]: 'Door', [photo]: stored },
					[String(wall?.[0])]: { [caption]: '', [photo]: expect.stringMatching(/@wall\.jpg$/) },
				},
			},
		});
	});

	it('goes into the rows of a new record, of several subtables', async () => {
		const { evidence } = findings.fields;
		await upload(
			undefined,
			[siteVisits.fields.site, 'Bridge'],
			[`${photo}_-1`, 'photo', 'a.jpg'],
			[`${evidence}_-1`, 'evidence', 'b.jpg'],
		);
		const files = [rowsOf(13)[0]?.[1].get(photo), rowsOf(13, findings.id)[0]?.[1].get(evidence)];
		expect(files.map(contentsOf)).toEqual([['photo'], ['evidence']]);
	});

	it('goes beside those of a row that is there, and is taken away by an empty value', async () => {
		const [[rowId] = []] = rowsOf(2);
		await upload(2, [`${photo}_${rowId}`, 'old', 'a.jpg']);
		await upload(2, [`${photo}_${rowId}`, 'new', 'a.jpg']);
		expect(contentsOf(rowsOf(2)[0]?.[1].get(photo))).toEqual(['old', 'new']);
		const write = async (value: string) =>
			await save(
				siteVisits,
				{ [`_subtable_${photos.id}`]: { [`${rowId}`]: { [photo]: value } } },
				2,
			);
		expect(await write('x@new.jpg')).toEqual(refused(201));
		expect(await write('')).toMatchObject({ status: 'SUCCESS' });
		expect(rowsOf(2)[0]?.[1].get(photo)).toEqual([]);
		expect(rowsOf(2)[0]?.[1].get(caption)).toBe('Front');
	});

	it('lies on disk until the next reset', async () => {
		await client().postParts(addressOf(recipes, 0), [
			[recipes.fields.photos, 'a photo', 'dir/x@y "z".png'],
		]);
		const stored = [...service().data.files.values()].at(-1);
		expect(stored).toMatchObject({ name: 'dir/x@y %22z%22.png', size: 7 });
		expect((await client().get(fileAddressOf(stored?.value ?? ''))).text).toBe('a photo');
		service().reset();
		expect(() => stored?.content).toThrow('ENOENT');
	});

	it('is not taken by a service that is deaf', async () => {
		service().faults.inject({ kind: 'deaf' });
		const patience = new AbortController();
		const large: Part = [recipes.fields.photos, new Blob([Buffer.alloc(5_000_000)]), 'a.bin'];
		const address = addressOf(recipes, 0);
		const sending = client().postParts(address, [large], 'member', patience.signal);
		await until(() => service().requests.count === 1);
		patience.abort();
		await expect(sending).rejects.toThrow();
		expect(service().requests.all()[0]?.files).toEqual([]);
		expect(service().data.record(recipes, 0).value(recipes.fields.photos)).toBe('');
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

	it('of any size is made while it is read, and may stop in the middle', async () => {
		const address = fileAddressOf(service().data.generateFile('large.bin', 1_000_003));
		const { headers } = await client().get(address);
		expect(headers['content-length']).toBe('1000003');
		expect(headers['content-disposition']).toContain('large.bin');
		service().faults.inject({ kind: 'truncate' });
		await expect(client().get(address)).rejects.toThrow();
		service().faults.inject({ kind: 'truncateSilently' });
		expect((await client().get(address)).headers['content-length']).toBe('500001');
		service().faults.inject({ kind: 'stall' });
		service().requests.clear();
		const patience = new AbortController();
		const waiting = client().get(address, 'member', { signal: patience.signal });
		await until(() => service().requests.all()[0]?.status === 200);
		patience.abort();
		await expect(waiting).rejects.toThrow();
	});
});
