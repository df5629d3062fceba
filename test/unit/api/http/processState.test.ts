import { ProcessCache } from '../../../../nodes/api/http/processState';
import { getOrInsert } from '../../../../nodes/api/json/objects';

let now = 0;
beforeEach(() => {
	now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const rules = { maxEntries: 2, maxAge: 100 };

it.each([
	{ readingRenews: false, atAge150: undefined, kept: [undefined, 2, 3] },
	{ readingRenews: true, atAge150: 1, kept: [1, undefined, 3] },
])(
	'an entry is renewed by reading, also with getOrInsert: $readingRenews',
	({ readingRenews, atAge150, kept }) => {
		const aged = new ProcessCache<number>({ ...rules, readingRenews });
		aged.set('a', 1);
		now = 90;
		expect(getOrInsert(aged, 'a', () => 9)).toBe(1);
		now = 150;
		expect(aged.get('a')).toBe(atAge150);

		const full = new ProcessCache<number>({ ...rules, readingRenews });
		full.set('a', 1);
		full.set('b', 2);
		expect(full.get('a')).toBe(1);
		full.set('c', 3);
		expect(['a', 'b', 'c'].map((key) => full.get(key))).toEqual(kept);
	},
);

it('asking for the age of an entry does not renew it', () => {
	const cache = new ProcessCache<number>({ ...rules, readingRenews: true });
	cache.set('a', 1);
	now = 60;
	expect(cache.ageOf('a')).toBe(60);
	expect(cache.ageOf('b')).toBe(Infinity);
	now = 100;
	expect(cache.get('a')).toBeUndefined();
});

it('an entry can have a shorter maximum age than its cache', () => {
	const cache = new ProcessCache<number>({ ...rules, readingRenews: false });
	cache.set('a', 1, 10);
	now = 10;
	expect(cache.get('a')).toBeUndefined();
});

it('all values of a cache are returned, also those that are too old', () => {
	const cache = new ProcessCache<number>({ ...rules, readingRenews: false });
	cache.set('a', 1, 10);
	cache.set('b', 2);
	now = 10;
	expect(cache.values()).toEqual([1, 2]);
});

it('a cache frees expired values, and the expired parts of the others, without renewing any', () => {
	const cache = new ProcessCache<{ dropExpired?: () => void }>({ ...rules, readingRenews: true });
	const dropExpired = jest.fn();
	cache.set('a', { dropExpired }, 10);
	cache.set('b', { dropExpired });
	now = 10;
	cache.dropExpired();
	expect(cache.values()).toEqual([{ dropExpired }]);
	expect(dropExpired).toHaveBeenCalledTimes(1);
	expect(cache.ageOf('b')).toBe(10);
});
