import fc from 'fast-check';
import { Matches } from '../../../nodes/service/matches';
import type { MatchKey } from '../../../nodes/service/matches';
import { FakeService } from './fakeService';
import type { FakeRequest } from './fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };

/** Field id → values asked for, as the service reads repeated `where` (filter rules 6 and 8). */
function conditionsOf({ url }: FakeRequest): Map<string, string[]> {
	const conditions = new Map<string, string[]>();
	for (const part of url.search.slice(1).split('&')) {
		const [, fieldId, value] = /^where=(\d+),eq,(.*)$/.exec(part) ?? [];
		if (fieldId === undefined || value === undefined) continue;
		conditions.set(fieldId, [...(conditions.get(fieldId) ?? []), valueOf(value)]);
	}
	return conditions;
}

/** Filter rules 4 and 5: what still looks encoded was encoded twice. */
function valueOf(encoded: string): string {
	const once = decodeURIComponent(encoded);
	return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
}

type Row = readonly [id: number, values: Readonly<Record<string, unknown>>];

interface Habits {
	/** What the service calls equal. */
	equal?: (left: string, right: string) => boolean;
	/** Sends no more than so many records at once; a function tells by the number of the page. */
	cap?: number | ((page: number) => number);
	ignoresOffset?: boolean;
}

function serviceWith(
	rows: readonly Row[],
	{ equal = Object.is, cap = 1000, ignoresOffset }: Habits = {},
) {
	const service: FakeService = new FakeService((asked) => {
		if (service.requests.length > 500) throw new Error('asked again and again');
		const conditions = [...conditionsOf(asked)];
		const found = rows.filter(([, values]) =>
			conditions.every(([fieldId, wanted]) =>
				wanted.some((value) => equal(String(values[fieldId] ?? ''), value)),
			),
		);
		const offset = ignoresOffset ? 0 : Number(asked.url.searchParams.get('offset'));
		const page = found.slice(
			offset,
			offset +
				Math.min(
					typeof cap === 'number' ? cap : cap(service.requests.length - 1),
					Number(asked.url.searchParams.get('limit')),
				),
		);
		return { body: `{${page.map(([id, values]) => `"${id}":${JSON.stringify(values)}`).join()}}` };
	});
	return service;
}

async function found(
	service: FakeService,
	fieldIds: string[],
	keys: MatchKey[],
): Promise<string[][]> {
	const matches = new Matches(await service.connect(), sheet, fieldIds, keys);
	const ids: string[][] = [];
	for (const key of keys) ids.push(await matches.recordIds(key));
	return ids;
}

const sameLetters = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
const sameNumber = (left: string, right: string) =>
	left === right || (left !== '' && right !== '' && Number(left) === Number(right));

const sameBases = (left: string, right: string) => baseLetters(left) === baseLetters(right);
const baseLetters = (text: string) => text.normalize('NFD').replace(/\p{Mark}/gu, '');

describe('records that match', () => {
	const filled = fc.constantFrom('a', 'b', 'A', 'B', 'ä', 'a,b', '50%25', '5', '5.0', '05');
	const values = fc.oneof(filled, fc.constant(''));
	const rows = fc
		.array(fc.record({ 7: values, 8: values }), { maxLength: 12 })
		.map((list) => list.map((row, index): Row => [100 - index, row]));
	const keys = fc.array(fc.tuple(filled, filled), { minLength: 1, maxLength: 8 });

	it.each<[habit: string, equal: (left: string, right: string) => boolean]>([
		['to the letter', Object.is],
		['whatever the capitals', sameLetters],
		['as numbers', sameNumber],
		['without their accents', sameBases],
	])(
		'are those that a look-up of each key alone would find, when values are compared %s',
		async (_, equal) => {
			const idsWhere = (list: readonly Row[], [first, second]: MatchKey, same: typeof equal) =>
				list
					.filter(
						([, row]) => same(String(row[7]), first ?? '') && same(String(row[8]), second ?? ''),
					)
					.map(([id]) => String(id));
			await fc.assert(
				fc.asyncProperty(rows, keys, async (list, wanted) => {
					const expected = wanted.map((key) => {
						const exact = idsWhere(list, key, Object.is);
						return exact.length > 0 ? exact : idsWhere(list, key, equal);
					});
					expect(await found(serviceWith(list, { equal }), ['7', '8'], wanted)).toEqual(expected);
				}),
				{ numRuns: 500 },
			);
		},
	);

	it('come in the order of the service', async () => {
		const service = serviceWith([
			[9, { 7: 'a' }],
			[3, { 7: 'b' }],
			[1, { 7: 'a' }],
		]);
		expect(await found(service, ['7'], [['a'], ['b'], ['c']])).toEqual([['9', '1'], ['3'], []]);
	});

	it('are not those that hold the values of different keys', async () => {
		const service = serviceWith([
			[1, { 7: 'a', 8: 'y' }],
			[2, { 7: 'b', 8: 'y' }],
		]);
		expect(
			await found(
				service,
				['7', '8'],
				[
					['a', 'x'],
					['b', 'y'],
				],
			),
		).toEqual([[], ['2']]);
	});

	it('may hold their value as a number, a flag or a selection of one', async () => {
		const service = serviceWith([
			[1, { 7: 5 }],
			[2, { 7: true }],
			[3, { 7: ['a'] }],
		]);
		expect(await found(service, ['7'], [['5'], ['true'], ['a']])).toEqual([['1'], ['2'], ['3']]);
	});

	it('equal to the letter are preferred to what else the service calls equal', async () => {
		const rows: Row[] = [
			[1, { 7: 'ULM' }],
			[2, { 7: 'Ulm' }],
			[3, { 7: 'BONN' }],
		];
		const service = serviceWith(rows, { equal: sameLetters });
		expect(await found(service, ['7'], [['Ulm'], ['Bonn'], ['Köln']])).toEqual([['2'], ['3'], []]);
	});

	it('that the service calls equal count whatever other keys are asked for', async () => {
		const service = serviceWith([[1, { 7: 'ULM' }]], { equal: sameLetters });
		expect(await found(service, ['7'], [['Ulm'], ['ULM'], ['x']])).toEqual([['1'], ['1'], []]);
	});

	it('that the service calls equal by a rule of its own are asked for alone', async () => {
		const service = serviceWith([[1, { 7: 'Hauptstrasse' }]], {
			equal: (left, right) => left.replace('ß', 'ss') === right.replace('ß', 'ss'),
		});
		expect(await found(service, ['7'], [['x'], ['Hauptstraße'], ['y']])).toEqual([[], ['1'], []]);
	});

	it('are found behind a silent cap', async () => {
		const rows = Array.from({ length: 2500 }, (_, index): Row => [index, { 7: 'a' }]);
		const [ids] = await found(serviceWith(rows, { cap: 1000 }), ['7'], [['a']]);
		expect(ids).toEqual(rows.map(([id]) => String(id)));
	});

	it('are all found when the service caps pages by their size: a shorter one of 1000 is not the last', async () => {
		const caps = [1000, 1007, 1001, 1300];
		const rows = Array.from({ length: 3900 }, (_, index): Row => [index, { 7: 'a' }]);
		const service = serviceWith(rows, { cap: (page) => caps[page % caps.length] ?? 1000 });
		expect(await found(service, ['7'], [['a']])).toEqual([rows.map(([id]) => String(id))]);
		expect(service.requests).toHaveLength(4);
	});

	it.each(['', ' ', '\t\n', '\u00a0'])(
		'are none for the value %j, which the service takes for empty fields',
		async (blank) => {
			const service = serviceWith([[1, { 7: '', 8: 'a' }]], {
				equal: (left, right) => left.trim() === right.trim(),
			});
			const keys = [[blank, 'a'] as const, ['b', 'a'] as const];
			const matches = new Matches(await service.connect(), sheet, ['7', '8'], keys);
			await expect(matches.recordIds([blank, 'a'])).rejects.toMatchObject({
				kind: 'input',
				message: 'The field 7 to match on has no value in this item',
			});
			expect(service.requests).toHaveLength(0);
			expect(await matches.recordIds(['b', 'a'])).toEqual([]);
			for (const request of service.requests) {
				expect(conditionsOf(request).get('7')).toEqual(['b']);
			}
		},
	);

	it('are none that are empty for a value of which nothing is left in its normal form', async () => {
		const service = serviceWith([[1, { 7: '' }]], { equal: sameBases });
		expect(await found(service, ['7'], [['\u0301']])).toEqual([[]]);
		expect(await found(service, ['7'], [['\u0301'], ['a']])).toEqual([[], []]);
	});

	it('are found once when the service always sends the first page', async () => {
		const service = serviceWith([[1, { 7: 'a' }]], { ignoresOffset: true });
		expect(await found(service, ['7'], [['a']])).toEqual([['1']]);
	});
});

describe('requests', () => {
	it('are few: one for a batch', async () => {
		const keys = Array.from({ length: 50 }, (_, index): MatchKey => [`key ${index}`]);
		const service = serviceWith([[1, { 7: 'key 7' }]]);
		await found(service, ['7'], [...keys, ...keys]);
		expect(service.requests).toHaveLength(1);
		for (const { url } of service.requests) {
			expect(url.searchParams.get('naming')).toBe('EID');
			expect(url.searchParams.get('subtables')).toBe('0');
		}
	});

	it('have addresses that every server accepts, however long the values are', async () => {
		const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(lengths, async (list) => {
				const keys = list.map((length, index): MatchKey => [`${index} ${'é'.repeat(length)}`]);
				const service = serviceWith([]);
				await found(service, ['7'], keys);
				const asked = service.requests.flatMap((request) => conditionsOf(request).get('7') ?? []);
				expect(asked).toEqual(keys.map(([value]) => value));
				for (const { url } of service.requests) expect(url.href.length).toBeLessThan(8000);
			}),
			{ numRuns: 50 },
		);
	});

	it('are not made for batches that nobody asks for', async () => {
		const keys = Array.from({ length: 20 }, (_, index): MatchKey => [
			`${index}${'x'.repeat(2000)}`,
		]);
		const service = serviceWith([]);
		const matches = new Matches(await service.connect(), sheet, ['7'], keys);
		await matches.recordIds(keys[0] ?? []);
		expect(service.requests).toHaveLength(1);
	});

	it('that fail are told to each who asks', async () => {
		const service = new FakeService(() => ({ body: { status: 'ERROR', code: 106, msg: 'No' } }));
		const matches = new Matches(await service.connect(), sheet, ['7'], [['a'], ['b']]);
		for (const key of [['a'], ['b']]) {
			await expect(matches.recordIds(key)).rejects.toMatchObject({ kind: 'noAccess' });
		}
	});
});

describe('a record that was created since', () => {
	it('is a match, although the filters of the service do not find it yet', async () => {
		const matches = new Matches(await serviceWith([]).connect(), sheet, ['7'], [['a'], ['b']]);
		expect(await matches.recordIds(['a'])).toEqual([]);
		matches.beginCreation(['a']);
		matches.addCreated(['a'], '5');
		matches.addCreated(['a'], '6');
		expect(await matches.recordIds(['a'])).toEqual(['5', '6']);
		expect(await matches.recordIds(['b'])).toEqual([]);
	});
});
