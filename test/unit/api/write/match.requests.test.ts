import fc from 'fast-check';
import { Matches } from '../../../../nodes/api/write/match';
import type { MatchKey } from '../../../../nodes/api/write/match';
import { FakeService } from '../http/fakeService';
import { conditionsOf, found, serviceWith, sheet } from './matchService';
import type { Row } from './matchService';

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
	const nothing = { recordId: '5', answer: new Map() };

	it('is a match, although the filters of the service do not find it yet', async () => {
		const service = serviceWith([]);
		const matches = new Matches(await service.connect(), sheet, ['7'], [['a'], ['b']]);
		expect(await matches.recordIds(['a'])).toEqual([]);
		await matches.created(['a'], async () => nothing);
		expect(await matches.recordIds(['a'])).toEqual(['5']);
		expect(await matches.recordIds(['b'])).toEqual([]);
		expect(service.requests).toHaveLength(1);
	});

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
