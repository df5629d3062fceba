import fc from 'fast-check';

import { Matches, type MatchKey } from '../../../../nodes/api/write/match';
import { normalForm } from '../../../../nodes/api/values/normalForm';
import { amount } from '../../../amount';
import { FakeService, type FakeRequest } from '../http/fakeService';

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
	/** Refuses a look-up that holds such a value. */
	refuses?: (value: string) => boolean;
}

/** Answers look-ups over these records, with habits of its own. */
function serviceWith(
	rows: readonly Row[],
	{ equal = Object.is, refuses = () => false }: Habits = {},
) {
	const service: FakeService = new FakeService((asked) => {
		if (service.requests.length > 500) throw new Error('asked again and again');
		const conditions = [...conditionsOf(asked)];
		const wrong = conditions.flatMap(([, wanted]) => wanted).find(refuses);
		if (wrong !== undefined) return { body: { status: 'ERROR', code: 201, msg: `${wrong}?` } };
		const found = rows.filter(([, values]) =>
			conditions.every(([fieldId, wanted]) =>
				wanted.some((value) => equal(String(values[fieldId] ?? ''), value)),
			),
		);
		const offset = Number(asked.url.searchParams.get('offset'));
		const page = found.slice(offset, offset + Number(asked.url.searchParams.get('limit')));
		return { body: `{${page.map(([id, values]) => `"${id}":${JSON.stringify(values)}`).join()}}` };
	});
	return service;
}

/** The ids for each key, asked for one after the other. */
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
const sameTime = (left: string, right: string) => seconds(left) === seconds(right);
const seconds = (text: string) =>
	text.replace(/^([\d/]{10})$/, '$1 00:00').replace(/( \d\d:\d\d)$/, '$1:00');
const baseLetters = (text: string) =>
	text
		.normalize('NFD')
		.replace(/\p{Mark}/gu, '')
		.toLowerCase();

describe('records that match', () => {
	const filled = fc.constantFrom(
		...['a', 'b', 'A', 'B', 'ä', 'a,b', '50%25', '5', '5.0', '05'],
		...['2026/01/02', '2026/01/02 00:00', '2026/01/02 00:00:00'],
	);
	const values = fc.oneof(filled, fc.constant(''));
	const rows = fc
		.array(fc.record({ 7: values, 8: values }), { maxLength: 12 })
		.map((list) => list.map((row, index): Row => [100 - index, row]));
	const keys = fc.array(fc.tuple(filled, filled), { minLength: 1, maxLength: 8 });

	it.each<[habit: string, equal: (left: string, right: string) => boolean]>([
		['to the letter', Object.is],
		['whatever the capitals', sameLetters],
		['as numbers', sameNumber],
		['whatever their accents and capitals', sameBases],
		['as times', sameTime],
		['not at all', () => true],
	])(
		'are those that a look-up of each key alone would find and that hold it, when values are compared %s',
		async (_, equal) => {
			const idsWhere = (list: readonly Row[], [first, second]: MatchKey, same: typeof equal) =>
				list
					.filter(
						([, row]) => same(String(row[7]), first ?? '') && same(String(row[8]), second ?? ''),
					)
					.map(([id]) => String(id));
			const equalInForm = (left: string, right: string) =>
				equal(left, right) && normalForm(left) === normalForm(right);
			await fc.assert(
				fc.asyncProperty(rows, keys, async (list, wanted) => {
					const expected = wanted.map((key) => {
						const exact = idsWhere(list, key, Object.is);
						return exact.length > 0 ? exact : idsWhere(list, key, equalInForm);
					});
					expect(await found(serviceWith(list, { equal }), ['7', '8'], wanted)).toEqual(expected);
				}),
				{ numRuns: amount(150, 500) },
			);
		},
	);

	it.each(['', ' ', '\t\n', '\u00a0'])(
		'are none for the value %j, which the service takes for empty fields',
		async (blank) => {
			const service = serviceWith([[1, { 7: '', 8: 'a' }]], {
				equal: (left, right) => left.trim() === right.trim(),
			});
			const keys = [[blank, 'a'] as const, ['b', 'a'] as const];
			const matches = new Matches(await service.connect(), sheet, ['7', '8'], keys);
			await expect(matches.recordIds([blank, 'a'])).rejects.toMatchObject({
				name: 'InputError',
				message: 'The field 7 to match on has no value in this item',
			});
			expect(service.requests).toHaveLength(0);
			expect(await matches.recordIds(['b', 'a'])).toEqual([]);
			for (const request of service.requests) {
				expect(conditionsOf(request).get('7')).toEqual(['b']);
			}
		},
	);
});

describe('requests', () => {
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
});

describe('a value that the service does not take', () => {
	const isWrong = (value: string) => value.startsWith('wrong');

	it('fails alone, and each key is asked for once more at most', async () => {
		const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'wrong', 'wrong 2'), {
			minLength: 1,
		});
		await fc.assert(
			fc.asyncProperty(keys, async (values) => {
				const service = serviceWith([[1, { 7: 'a' }]], { refuses: isWrong });
				const wanted = values.map((value): MatchKey => [value]);
				const matches = new Matches(await service.connect(), sheet, ['7'], wanted);
				for (const key of [...wanted, ...wanted]) {
					const [value = ''] = key;
					const ids = matches.recordIds(key);
					if (isWrong(value)) await expect(ids).rejects.toMatchObject({ details: { code: 201 } });
					else expect(await ids).toEqual(value === 'a' ? ['1'] : []);
				}
				const lookUps = service.requests.filter(
					({ url }) => url.searchParams.get('offset') === '0',
				);
				expect(lookUps.length).toBeLessThanOrEqual(1 + values.length);
			}),
			{ numRuns: 30 },
		);
	});
});

describe('a record that was created since', () => {
	it('is looked for when nobody knows whether it was', async () => {
		const rows: Row[] = [];
		const matches = new Matches(await serviceWith(rows).connect(), sheet, ['7'], [['a']]);
		expect(await matches.recordIds(['a'])).toEqual([]);
		const create = async () => {
			rows.push([5, { 7: 'a' }]);
			throw new Error('lost');
		};
		await expect(matches.created(['a'], create)).rejects.toThrow('lost');
		expect(await matches.recordIds(['a'])).toEqual(['5']);
	});
});
