import {
	LatestMap,
	StateCodec,
	parseMembers,
	parseNumber,
	parseText,
} from '../../../nodes/shared/storedState';

/** A state whose name was stored as `title` in version 2, and without a count in version 1. */
const codec = new StateCodec<{ name: string; count: number }>({
	version: 3,
	toStored: (state) => state,
	parse(stored) {
		const { name, count } = parseMembers(stored);
		return { name: parseText(name), count: parseNumber(count) };
	},
	migrations: {
		1: (stored) => ({ ...parseMembers(stored), count: 0 }),
		2(stored) {
			const { title, count } = parseMembers(stored);
			return { name: title, count };
		},
	},
});
const state = { name: 'orders', count: 7 };

it('a state is parsed as it was serialized', () => {
	expect(codec.parse(codec.serialize(state))).toEqual(state);
	expect(codec.parse(codec.serialize(state), 3)).toEqual(state);
});

it.each([
	{ version: 1, text: '{"title":"orders"}', count: 0 },
	{ version: 2, text: '{"title":"orders","count":7}', count: 7 },
])('a state of version $version is migrated', ({ version, text, count }) => {
	expect(codec.parse(text, version)).toEqual({ name: 'orders', count });
});

it.each([
	{ what: 'of a later version', text: '{"name":"orders","count":7}', version: 4 },
	{ what: 'of an unknown version', text: '{"title":"orders"}', version: 0 },
	{ what: 'without a version', text: '{"name":"orders","count":7}', version: null },
	{ what: 'that is cut', text: '{"name":"ord', version: 3 },
	{ what: 'with a member of another type', text: '{"name":"orders","count":"7"}', version: 3 },
	{ what: 'of an older version that is damaged', text: '[]', version: 1 },
	{ what: 'that is not a text', text: { name: 'orders', count: 7 }, version: 3 },
])('a stored state $what is not read', ({ text, version }) => {
	expect(codec.parse(text, version)).toBeUndefined();
});

it('a map of the latest entries drops the entry that was set longest ago', () => {
	const latest = new LatestMap(2, [
		['a', 1],
		['b', 2],
		['c', 3],
	]);
	expect([...latest]).toEqual([
		['b', 2],
		['c', 3],
	]);
	latest.set('b', 4).set('d', 5);
	expect([...latest.keys()]).toEqual(['b', 'd']);
});
