import fc from 'fast-check';
import { Matches } from '../../../../nodes/api/write/match';
import type { MatchKey } from '../../../../nodes/api/write/match';
import { normalForm } from '../../../../nodes/api/values/normalForm';
import { amount } from '../../../amount';
import { conditionsOf, found, serviceWith, sheet } from './matchService';
import type { Row } from './matchService';

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

	it('may hold their value as a number, a flag or a selection of one', async () => {
		const service = serviceWith([
			[1, { 7: 5 }],
			[2, { 7: true }],
			[3, { 7: ['a'] }],
		]);
		expect(await found(service, ['7'], [['5'], ['true'], ['a']])).toEqual([['1'], ['2'], ['3']]);
	});

	it('are not those that the service calls equal by a rule of its own', async () => {
		const service = serviceWith([[1, { 7: 'Hauptstrasse' }]], {
			equal: (left, right) => left.replace('ß', 'ss') === right.replace('ß', 'ss'),
		});
		expect(await found(service, ['7'], [['x'], ['Hauptstraße'], ['y']])).toEqual([[], [], []]);
	});

	it('are found behind a silent cap', async () => {
		const rows = Array.from({ length: 2_500 }, (_, index): Row => [index, { 7: 'a' }]);
		const [ids] = await found(serviceWith(rows, { cap: 1_000 }), ['7'], [['a']]);
		expect(ids).toEqual(rows.map(([id]) => String(id)));
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
