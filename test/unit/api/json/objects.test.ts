import {
	getOrInsert,
	getOrLoad,
	isObject,
	scalarText,
	textMembers,
	withoutTrailing,
} from '../../../../nodes/api/json/objects';

it('isObject accepts objects only: no list, no text, no null', () => {
	expect([{}, { a: 1 }, new Map(), new Date(0)].map(isObject)).toEqual([true, true, true, true]);
	expect([null, undefined, [], 'text', 7, true, () => 0].some(isObject)).toBe(false);
});

it('getOrInsert neither creates nor replaces an existing value', () => {
	const entries = new Map([['a', 0]]);
	const set = jest.spyOn(entries, 'set');
	const make = jest.fn(() => 7);
	expect([getOrInsert(entries, 'a', make), getOrInsert(entries, 'b', make)]).toEqual([0, 7]);
	expect(getOrInsert(entries, 'b', make)).toBe(7);
	expect(make).toHaveBeenCalledTimes(1);
	expect(set.mock.calls).toEqual([['b', 7]]);
});

describe('a loaded value', () => {
	it('getOrLoad loads a value once, also while it is being loaded', async () => {
		const entries = new Map<string, Promise<number>>();
		const load = jest.fn(async () => 7);
		const loads = [getOrLoad(entries, 'a', load), getOrLoad(entries, 'a', load)];
		expect(await Promise.all(loads)).toEqual([7, 7]);
		expect(await getOrLoad(entries, 'a', load)).toBe(7);
		expect(load).toHaveBeenCalledTimes(1);
	});

	it('getOrLoad loads again after a failure, and throws the failure unchanged', async () => {
		const entries = new Map<string, Promise<number>>();
		const failure = new Error('broken');
		await expect(getOrLoad(entries, 'a', async () => await Promise.reject(failure))).rejects.toBe(
			failure,
		);
		expect(entries.size).toBe(0);
		expect(await getOrLoad(entries, 'a', async () => 7)).toBe(7);
	});

	it('getOrLoad keeps a newer value if an older load fails', async () => {
		const entries = new Map<string, Promise<number>>();
		const late = getOrLoad(entries, 'a', async () => await Promise.reject(new Error('broken')));
		const fresh = Promise.resolve(7);
		entries.set('a', fresh);
		await expect(late).rejects.toThrow('broken');
		expect(entries.get('a')).toBe(fresh);
	});
});

it('scalarText returns texts and numbers as text, and undefined for any other value', () => {
	expect(['a', '', 0, 1.5].map(scalarText)).toEqual(['a', '', '0', '1.5']);
	expect([null, undefined, true, [], {}, new Map()].map(scalarText)).toEqual(
		Array(6).fill(undefined),
	);
});

it.each([
	{ text: 'a//', left: 'a' },
	{ text: '/a/b/', left: '/a/b' },
	{ text: 'a', left: 'a' },
	{ text: '///', left: '' },
	{ text: '', left: '' },
])('$text without trailing slashes is $left', ({ text, left }) => {
	expect(withoutTrailing(text, '/')).toBe(left);
});

it('textMembers returns only the members that are texts', () => {
	expect(textMembers({ a: 'x', b: 1, c: null, d: ['y'], e: '' })).toEqual({ a: 'x', e: '' });
	expect([undefined, null, 'text', ['x']].map(textMembers)).toEqual([{}, {}, {}, {}]);
});
