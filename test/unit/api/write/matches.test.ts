import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { InputError } from '../../../../nodes/api/values/inputError';
import { MatchLookUp, type MatchKey } from '../../../../nodes/api/write/match';
import { recordMemory } from '../../../../nodes/api/read/memory/recordMemory';
import { FakeService, type FakeAnswer } from '../http/fakeService';
import { passTime, withPassingTime } from '../passingTime';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const fields = [
	{ fieldId: 7, fieldName: 'Number' },
	{ fieldId: 8, fieldName: 'City' },
	{ fieldId: 9, fieldName: 'Code', type: 'maskedText' },
	{ fieldId: 10, fieldName: 'Tags', type: 'multipleSelection' },
	{ fieldId: 11, fieldName: 'Amount', type: 'number' },
];

interface Setup {
	keys?: MatchKey[];
	fieldIds?: string[];
	/** Content by record ID. Filters do not find the records in `unindexed`. */
	records?: Record<string, object>;
	unindexed?: string[];
	/** Overrides the answer to a look-up with these conditions. */
	lookUp?: (where: string[]) => FakeAnswer | undefined;
}

async function matchesOf(input: Setup = {}) {
	const { keys = [], fieldIds = ['7'], records = {}, unindexed = [], lookUp } = input;
	const service = new FakeService(({ url }) => {
		const id = /\/sales\/1\/(\d+)$/.exec(url.pathname)?.[1];
		if (url.pathname.endsWith('/schema')) return { body: { fields } };
		if (id !== undefined) return { body: records[id] ? { [id]: records[id] } : {} };
		const where = url.searchParams.getAll('where');
		const found = Object.entries(records).filter(([key]) => !unindexed.includes(key));
		return lookUp?.(where) ?? { body: Object.fromEntries(found) };
	});
	const client = await service.connect();
	const matches = new MatchLookUp(client, sheet, fieldIds);
	for (const key of keys) matches.add(key);
	const lookUps = () =>
		service.requests
			.map(({ url }) => url.searchParams.getAll('where'))
			.filter((where) => where.length > 0);
	return { client, matches, service, lookUps, records };
}

withPassingTime();

it('keys are looked up together, and each only once within a minute', async () => {
	const keys = [['a'], ['b'], ['a'], [' ']];
	const records = { 2: { 7: 'b' }, 10: { 7: 'a' }, 9: { 7: 'a' } };
	const { matches, lookUps } = await matchesOf({ keys, records });
	expect(await matches.recordIds(['a'])).toEqual(['9', '10']);
	expect(await matches.recordIds(['b'])).toEqual(['2']);
	expect(lookUps()).toEqual([['7,eq,a', '7,eq,b']]);
	passTime(60_000);
	expect(await matches.recordIds(['b'])).toEqual(['2']);
	expect(lookUps()).toEqual([['7,eq,a', '7,eq,b'], ['7,eq,b']]);
});

it('a key that was not announced is looked up separately', async () => {
	const { matches, lookUps } = await matchesOf({ keys: [['a']], records: { 2: { 7: 'b' } } });
	expect(await matches.recordIds(['b'])).toEqual(['2']);
	expect(lookUps()).toEqual([['7,eq,b']]);
});

it('conditions of more than 7,000 characters are split into several look-ups', async () => {
	const keys = Array.from({ length: 8 }, (_, index) => [`${index}${'x'.repeat(999)}`]);
	const { matches, lookUps } = await matchesOf({ keys });
	for (const key of keys) expect(await matches.recordIds(key)).toEqual([]);
	expect(lookUps().map((where) => where.length)).toEqual([6, 2]);
});

it.each([
	{ key: ['', 'b'], name: 'Number' },
	{ key: ['a', ' '], name: 'City' },
	{ key: ['a'], name: 'City' },
])('an empty value of $name is rejected with advice', async ({ key, name }) => {
	const { matches, lookUps } = await matchesOf({ fieldIds: ['7', '8'] });
	await expect(matches.recordIds(key)).rejects.toMatchObject({
		message: `The field '${name}' to match on has no value in this item`,
		description: 'Give each item a value for every field to match on.',
	});
	expect(lookUps()).toEqual([]);
});

it('a key is described by its values and the names of their fields', async () => {
	const { matches } = await matchesOf({ fieldIds: ['7', '8'] });
	expect(await matches.describe(['a', 'b'])).toBe("'a' in 'Number' and 'b' in 'City'");
});

describe('a hidden field', () => {
	it.each([
		{ title: 'masked', content: { 7: '***' } },
		{ title: 'missing', content: { 8: 'a' } },
	])('is rejected with advice: $title', async ({ content }) => {
		const { matches } = await matchesOf({ records: { 2: content } });
		await expect(matches.recordIds(['a'])).rejects.toMatchObject({
			message:
				"The service does not show the field 'Number' to this user, so it cannot be used to match records",
			description: 'Match on another field, or use a credential whose user may see this one.',
		});
	});

	it('is also one whose mask shows a part of the value', async () => {
		const records = { 2: { 7: '12***89', 9: '12***89' } };
		const { matches } = await matchesOf({ fieldIds: ['9'], records });
		await expect(matches.recordIds(['1234589'])).rejects.toThrow("does not show the field 'Code'");
		const { matches: ofText } = await matchesOf({ records });
		expect(await ofText.recordIds(['1234589'])).toEqual([]);
		const { matches: ofStars } = await matchesOf({ fieldIds: ['9'], records });
		expect(await ofStars.recordIds(['12***89'])).toEqual(['2']);
	});

	it('may have asterisks as its value', async () => {
		const { matches } = await matchesOf({ records: { 2: { 7: '***' } } });
		expect(await matches.recordIds(['***'])).toEqual(['2']);
	});
});

describe('a record that this process has written', () => {
	it('is found although filters do not find it yet', async () => {
		const { client, matches } = await matchesOf({ records: { 5: { 7: 'a' } }, unindexed: ['5'] });
		recordMemory(client, sheet).wrote('5', [['7', 'a']]);
		expect(await matches.recordIds(['a'])).toEqual(['5']);
		expect(await matches.recordIds(['b'])).toEqual([]);
	});

	it('is not found by its previous value', async () => {
		const { client, matches, records } = await matchesOf({ records: { 5: { 7: 'a' } } });
		const ids = matches.recordIds.bind(matches);
		expect(await ids(['a'])).toEqual(['5']);
		recordMemory(client, sheet).wrote('5', [['7', 'b']]);
		records[5] = { 7: 'b' };
		expect(await ids(['a'])).toEqual([]);
		expect(await ids(['b'])).toEqual(['5']);
	});

	it('is not found after its deletion, unless it was restored', async () => {
		const { client, matches, records } = await matchesOf({ records: { 5: { 7: 'a' } } });
		await matches.recordIds(['a']);
		recordMemory(client, sheet).deleted('5');
		const content = records[5];
		delete records[5];
		expect(await matches.recordIds(['a'])).toEqual([]);
		expect(recordMemory(client, sheet).mayBeGone('5')).toBe(true);
		records[5] = content ?? {};
		expect(await matches.recordIds(['a'])).toEqual(['5']);
	});
});

describe('a record that is created for a key', () => {
	const saved = { recordId: '12' };

	it('is found without another look-up', async () => {
		const { matches, lookUps } = await matchesOf({ records: {} });
		expect(await matches.create(['a'], async () => saved)).toBe(saved);
		expect(await matches.recordIds(['a'])).toEqual(['12']);
		expect(lookUps()).toEqual([]);
	});

	it('is looked up if the creation failed', async () => {
		const { matches, lookUps } = await matchesOf({ records: { 5: { 7: 'a' } } });
		await matches.recordIds(['a']);
		const failing = matches.create(['a'], async () => await Promise.reject(new Error('broken')));
		await expect(failing).rejects.toThrow('broken');
		expect(await matches.recordIds(['a'])).toEqual(['5']);
		expect(lookUps()).toHaveLength(2);
	});
});

it('after a rejected creation, a key is looked up again', async () => {
	const { matches, records, lookUps } = await matchesOf({ records: {} });
	expect(await matches.recordIds(['a'])).toEqual([]);
	const rejection = new ServiceError({ kind: 'rejected', message: 'It exists already.' });
	const creation = matches.create(['a'], async () => await Promise.reject(rejection));
	await expect(creation).rejects.toBe(rejection);
	// Somebody else has created the record.
	Object.assign(records, { 5: { 7: 'a' } });
	expect(await matches.recordIds(['a'])).toEqual(['5']);
	expect(lookUps()).toHaveLength(2);
});

describe('a look-up that the service rejects', () => {
	const refusing = (answer: FakeAnswer) => (where: string[]) =>
		where.some((condition) => condition.endsWith('bad')) ? answer : undefined;
	const keys = [['good'], ['bad'], ['fine']];
	const records = { 1: { 7: 'good' }, 2: { 7: 'fine' } };

	it.each<{ title: string; answer: FakeAnswer }>([
		{ title: 'code 201', answer: { body: { status: 'ERROR', code: 201, msg: 'No' } } },
		{ title: 'code 202', answer: { body: { status: 'ERROR', code: 202, msg: 'No' } } },
		{ title: 'no code', answer: { status: 400 } },
		{ title: 'invalid', answer: { body: { status: 'INVALID', msg: 'No' } } },
	])('for one value fails for that value only: $title', async ({ answer }) => {
		const { matches } = await matchesOf({ keys, records, lookUp: refusing(answer) });
		expect(await matches.recordIds(['good'])).toEqual(['1']);
		await expect(matches.recordIds(['bad'])).rejects.toBeDefined();
		expect(await matches.recordIds(['fine'])).toEqual(['2']);
	});

	it.each([
		{ count: 1, batch: [['bad']], failing: ['bad'], found: {} },
		{ count: 2, batch: [['good'], ['bad']], failing: ['bad'], found: { good: ['1'] } },
		{ count: 2, batch: [['bad'], ['fine']], failing: ['bad'], found: { fine: ['2'] } },
	])('for one value of $count fails for that value only: $batch', async (row) => {
		const body = { status: 'INVALID', msg: 'No' };
		const setup = { keys: row.batch, records, lookUp: refusing({ body }) };
		const { matches } = await matchesOf(setup);
		for (const [key, ids] of Object.entries(row.found)) {
			expect(await matches.recordIds([key])).toEqual(ids);
		}
		for (const key of row.failing) await expect(matches.recordIds([key])).rejects.toBeDefined();
	});

	it.each<{ title: string; answer: FakeAnswer }>([
		{ title: 'code 101', answer: { body: { status: 'ERROR', code: 101, msg: 'No' } } },
		{ title: 'no right', answer: { status: 403 } },
	])('for another reason fails for all values: $title', async ({ answer }) => {
		const { matches, lookUps } = await matchesOf({ keys, records, lookUp: refusing(answer) });
		await expect(matches.recordIds(['good'])).rejects.toBeDefined();
		expect(new Set(lookUps().map((where) => where.length))).toEqual(new Set([3]));
	});
});

it('equal keys wait for each other, different keys do not', async () => {
	const { matches } = await matchesOf();
	const events: string[] = [];
	let end = () => {};
	const first = matches.whileLocked(['5.0'], async () => {
		events.push('first begins');
		await new Promise<void>((resolve) => (end = resolve));
		events.push('first ends');
	});
	const second = matches.whileLocked(['5'], async () => void events.push('second'));
	await matches.whileLocked(['6'], async () => void events.push('other'));
	end();
	await Promise.all([first, second]);
	expect(events).toEqual(['first begins', 'other', 'first ends', 'second']);
	const failing = matches.whileLocked(['6'], async () => await Promise.reject(new Error('broken')));
	await expect(failing).rejects.toThrow('broken');
	expect(await matches.whileLocked(['6'], async () => 'again')).toBe('again');
});

it('a key whose record may have been created in the meantime is looked up again', async () => {
	const { client, matches, records, lookUps } = await matchesOf({ keys: [['a'], ['b']] });
	expect(await matches.recordIds(['a'])).toEqual([]);
	const lost = new ServiceError({ kind: 'connectionLost', message: 'It broke off.' });
	const ofOtherRun = new MatchLookUp(client, sheet, ['7']);
	const creation = ofOtherRun.create(['b'], async () => await Promise.reject(lost));
	await expect(creation).rejects.toBe(lost);
	Object.assign(records, { 2: { 7: 'b' } });
	expect(await matches.recordIds(['b'])).toEqual(['2']);
	expect(lookUps()).toEqual([['7,eq,a', '7,eq,b'], ['7,eq,b']]);
});

describe('a matched record', () => {
	const setup = () => ({
		keys: [['a'], ['a'], ['b']],
		records: { 5: { 7: 'a' }, 10: { 7: 'a' } },
	});

	it('still matches as long as the stored value does, and is looked up again after a minute', async () => {
		const { client, matches, records, lookUps } = await matchesOf(setup());
		await matches.recordIds(['a']);
		expect(await matches.stillMatches(['a'], '5')).toBe(true);
		expect(await matches.stillMatches(['a'], '6')).toBe(false);
		expect(lookUps()).toHaveLength(1);
		passTime(60_000);
		records[5] = { 7: 'b' };
		recordMemory(client, sheet).wrote('5', [['7', 'b']]);
		expect(await matches.stillMatches(['a'], '5')).toBe(false);
		expect(await matches.stillMatches(['a'], '10')).toBe(true);
		expect(lookUps()).toHaveLength(2);
	});

	it('still matches although filters do not find it any more', async () => {
		const unindexed: string[] = [];
		const { matches, lookUps } = await matchesOf({ ...setup(), unindexed });
		await matches.recordIds(['a']);
		passTime(60_000);
		unindexed.push('5');
		expect(await matches.stillMatches(['a'], '5')).toBe(true);
		expect(lookUps()).toHaveLength(2);
	});

	it('may match although no look-up came before', async () => {
		const { matches, lookUps } = await matchesOf(setup());
		expect(await matches.stillMatches(['b'], '5')).toBe(false);
		expect(lookUps()).toHaveLength(1);
	});

	it('is not needed any more after the last item with its key', async () => {
		const { matches } = await matchesOf(setup());
		await matches.recordIds(['a']);
		expect(matches.finish(['a'])).toEqual([]);
		expect(matches.finish(['a'])).toEqual(['5', '10']);
		expect(matches.finish(['a'])).toEqual([]);
		expect(matches.finish(['b'])).toEqual([]);
		expect(matches.finish(['c'])).toEqual([]);
	});

	it('is gone if its write fails and a single read does not find it, which is remembered', async () => {
		const { client, matches } = await matchesOf(setup());
		const notFound = new ServiceError({ kind: 'notFound', message: 'No row 7' });
		const failing = async () => await Promise.reject(notFound);
		await expect(matches.unlessGone('5', failing())).rejects.toBe(notFound);
		expect(await matches.unlessGone('6', failing())).toBeUndefined();
		const memory = recordMemory(client, sheet);
		expect([memory.mayBeGone('5'), memory.mayBeGone('6')]).toEqual([false, true]);
	});

	it('is not read after a write that succeeds or fails for another reason', async () => {
		const { matches, service } = await matchesOf(setup());
		const before = service.requests.length;
		const rejected = new ServiceError({ kind: 'rejected', message: 'Unique' });
		await expect(matches.unlessGone('6', Promise.reject(rejected))).rejects.toBe(rejected);
		expect(await matches.unlessGone('6', Promise.resolve('saved'))).toBe('saved');
		expect(service.requests).toHaveLength(before);
	});

	it('matches in another spelling if the kind of the field is loaded for it', async () => {
		const { matches, service } = await matchesOf({
			fieldIds: ['11'],
			records: { 5: { 11: '5.0' } },
		});
		expect(await matches.recordIds(['5'])).toEqual(['5']);
		expect(service.requests.some(({ url }) => url.pathname.endsWith('/schema'))).toBe(true);
	});

	it('is remembered with the values of the match fields that a single read returns', async () => {
		const records = { 5: { 7: 'a', 8: 'b' } };
		const { client, matches } = await matchesOf({ records, unindexed: ['5'] });
		const memory = recordMemory(client, sheet);
		memory.wrote('5', [['7', 'a']]);
		await matches.recordIds(['a']);
		records[5] = { 7: 'c', 8: 'd' };
		const failing = Promise.reject(new ServiceError({ kind: 'notFound', message: 'No row 7' }));
		await matches.unlessGone('5', failing).catch(() => {});
		expect([memory.writtenForms('5', '7'), memory.writtenForms('5', '8')]).toEqual([
			['c'],
			undefined,
		]);
	});
});

describe('a creation with an unknown outcome', () => {
	const key = ['a, b'];

	it.each<{ title: string; error: Error; isUncertain: boolean }>([
		{
			title: 'a lost connection',
			error: new ServiceError({ kind: 'connectionLost', message: 'It broke off.' }),
			isUncertain: true,
		},
		{
			title: 'a rejection',
			error: new ServiceError({ kind: 'rejected', message: 'No' }),
			isUncertain: false,
		},
		{ title: 'an invalid input', error: new InputError('No', 'Change it.'), isUncertain: false },
		{ title: 'an unexpected error', error: new Error('broken'), isUncertain: true },
	])('is one that failed by $title: $isUncertain', async ({ error, isUncertain }) => {
		const { matches } = await matchesOf();
		await matches.requireCertainty(key);
		await matches.create(key, async () => await Promise.reject(error)).catch(() => undefined);
		const result = await matches.requireCertainty(key).catch((thrown: unknown) => thrown);
		if (!isUncertain) expect(result).toBeUndefined();
		else {
			expect(result).toMatchObject({
				message:
					"It is unknown whether an earlier write created the record with 'a, b' in 'Number', so it is not created again",
				description: expect.stringMatching(
					/^Look for the record on the sheet, and run this again in 10 minutes\. By then, /,
				),
			});
		}
	});

	it('is certain again when the record is found', async () => {
		const { matches, records } = await matchesOf();
		const lost = new ServiceError({ kind: 'connectionLost', message: 'It broke off.' });
		await matches.create(['a'], async () => await Promise.reject(lost)).catch(() => undefined);
		await expect(matches.requireCertainty(['a'])).rejects.toThrow('It is unknown');
		Object.assign(records, { 2: { 7: 'a' } });
		expect(await matches.recordIds(['a'])).toEqual(['2']);
		await matches.requireCertainty(['a']);
	});
});

it('several choices match a record that stores them as one text', async () => {
	for (const stored of ['a,b', 'a, b']) {
		const { matches } = await matchesOf({ fieldIds: ['10'], records: { 5: { 10: stored } } });
		expect([stored, await matches.recordIds([['a', 'b']])]).toEqual([stored, ['5']]);
	}
	const { matches } = await matchesOf();
	expect(await matches.describe([['a', 'b']])).toBe("'a, b' in 'Number'");
});

it('a record that was created for several choices is found by them', async () => {
	const saved = { recordId: '12' };
	const { matches } = await matchesOf();
	await matches.create([['a', 'b']], async () => saved);
	expect(await matches.recordIds([['a', 'b']])).toEqual(['12']);
});

it('records are in ascending order of their numbers, also written ones', async () => {
	const records = { 10: { 7: 'a' }, 9: { 7: 'a' }, 100: { 7: 'a' } };
	const { client, matches } = await matchesOf({ records, unindexed: ['9'] });
	recordMemory(client, sheet).wrote('9', [['7', 'a']]);
	expect(await matches.recordIds(['a'])).toEqual(['9', '10', '100']);
});
