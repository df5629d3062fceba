import fc from 'fast-check';
import { MatchLookUp, type MatchKey } from '../../../../nodes/api/write/match';
import { runs } from '../../../amount';
import { FakeService, type FakeRequest } from '../http/fakeService';
import { spyOnYields } from '../http/yields';

const sheet = { folders: ['sales'], sheetIndex: 1 };

/**
 * Returns the requested values by field ID. The service combines repeated `where` parameters like this (filter rules 6 and
 * 8).
 */
function conditionsOf({ url }: FakeRequest): Map<string, string[]> {
	const conditions = new Map<string, string[]>();
	for (const part of url.search.slice(1).split('&')) {
		const [, fieldId, value] = /^where=(\d+),eq,(.*)$/.exec(part) ?? [];
		if (fieldId === undefined || value === undefined) continue;
		conditions.set(fieldId, [...(conditions.get(fieldId) ?? []), decodeURIComponent(value)]);
	}
	return conditions;
}

type Row = readonly [id: number, values: Readonly<Record<string, unknown>>];
type Equal = (left: string, right: string) => boolean;

interface Habits {
	/** Returns whether the service treats two values as equal. */
	equal?: Equal;
	/** Type of the fields 7 and 8. */
	type?: string;
}

/** Returns a service that answers look-ups in these records, with the given rules of comparison. */
function serviceWith(rows: readonly Row[], habits: Habits = {}) {
	const { equal = Object.is, type } = habits;
	const fields = [7, 8].map((fieldId) => ({ fieldId, fieldName: `F${fieldId}`, type }));
	return new FakeService((asked) => {
		if (asked.url.pathname.endsWith('/metadata/schema')) return { body: { fields } };
		const conditions = [...conditionsOf(asked)];
		// Reads without conditions return no records, so types cannot be inferred from values.
		if (conditions.length === 0) return { body: '{}' };
		const found = rows.filter(([, values]) =>
			conditions.every(([fieldId, value]) =>
				value.some((value) => equal(String(values[fieldId] ?? ''), value)),
			),
		);
		const offset = Number(asked.url.searchParams.get('offset'));
		const page = found.slice(offset, offset + Number(asked.url.searchParams.get('limit')));
		return { body: `{${page.map(([id, values]) => `"${id}":${JSON.stringify(values)}`).join()}}` };
	});
}

/** Looks up the keys in sequence. Returns the record IDs for each key. */
async function found(service: FakeService, fieldIds: string[], keys: MatchKey[]) {
	const matches = new MatchLookUp(await service.connect(), sheet, fieldIds);
	for (const key of keys) matches.add(key);
	const ids: string[][] = [];
	for (const key of keys) ids.push(await matches.recordIds(key));
	return ids;
}

const sameNumber: Equal = (left, right) =>
	left === right || (left !== '' && right !== '' && Number(left) === Number(right));
const seconds = (text: string) =>
	text.replace(/^([\d/]{10})$/, '$1 00:00').replace(/( \d\d:\d\d)$/, '$1:00');
const sameTime: Equal = (left, right) => seconds(left) === seconds(right);
const anything: Equal = () => true;

describe('records that match', () => {
	const filled = fc.constantFrom(
		...['a', 'b', 'A', 'ä', 'a,b', '5', '5.0', '05'],
		...['2026/01/02', '2026/01/02 00:00', '2026/01/02 00:00:00'],
	);
	const values = fc.oneof(filled, fc.constant(''));
	const rows = fc
		.array(fc.record({ 7: values, 8: values }), { maxLength: 12 })
		.map((list) => list.map((row, index): Row => [100 - index, row]));
	const keys = fc.array(fc.tuple(filled, filled), { minLength: 1, maxLength: 8 });

	it.each<[type: string | undefined, finds: Equal, same: Equal]>([
		['text', anything, Object.is],
		[undefined, anything, Object.is],
		['number', anything, sameNumber],
		['dateTime', anything, sameTime],
	])(
		'in fields of type %s are the records with equal values, lowest ID first, even if the filter finds others, too',
		async (type, equal, same) => {
			await fc.assert(
				fc.asyncProperty(rows, keys, async (list, keysToMatch) => {
					const expected = keysToMatch.map(([first, second]) =>
						list
							.filter(([, row]) => same(String(row[7]), first) && same(String(row[8]), second))
							.map(([id]) => String(id))
							.reverse(),
					);
					expect(await found(serviceWith(list, { equal, type }), ['7', '8'], keysToMatch)).toEqual(
						expected,
					);
				}),
				{ numRuns: runs(100, 500) },
			);
		},
	);
});

it.each([',', '","', ' ', '\n', ''])(
	'two keys whose values make the same text with %j between them find their own records',
	async (between) => {
		const rows: Row[] = [
			[5, { 7: `a${between}b`, 8: 'c' }],
			[6, { 7: 'a', 8: `b${between}c` }],
		];
		const keys = rows.map(([, values]): MatchKey => [String(values[7]), String(values[8])]);
		expect(await found(serviceWith(rows), ['7', '8'], keys)).toEqual([['5'], ['6']]);
	},
);

it('the keys of many items are put into batches with turns of the event loop in between', async () => {
	const keys = Array.from({ length: 3_000 }, (_, index) => [`key ${index}`]);
	const service = serviceWith([[5, { 7: 'key 1' }]]);
	const matches = new MatchLookUp(await service.connect(), sheet, ['7']);
	for (const key of keys) matches.add(key);
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 20));
	const yields = spyOnYields();
	const ids = await matches.recordIds(['key 1']);
	const turns = yields.mock.calls.length;
	jest.restoreAllMocks();
	expect(ids).toEqual(['5']);
	expect(turns).toBeGreaterThanOrEqual(keys.length);
});
