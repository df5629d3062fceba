import { firstDeletionCheck } from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import {
	loadState,
	parseState,
	stateText,
	type PollState,
} from '../../../nodes/SheetRecordsPollingTrigger/pollState';

const time = '2026/01/31 09:30:00';

/** A state that uses every member. */
const full: PollState = {
	source: 'source',
	selection: 'selection',
	settings: 'settings',
	cursor: {
		readFrom: time,
		latestTime: time,
		latestTimeReadAt: 1,
		emitted: new Map([
			['7', { time, values: 'abcdef' }],
			['5', { time, values: '' }],
		]),
		completeSince: '',
		comparedAt: 2,
		lateStates: [`7 ${time}abcdef`],
		setBackFrom: time,
		startedEmptyAt: 3,
		passedAt: 4,
		pass: { startedAt: 4, position: { count: 5, keys: [`7 ${time}`] } },
	},
	watched: { ids: ['1000001'], values: new Map([['7', { 1000001: '"open"' }]]) },
	deletions: {
		isListed: true,
		known: new Set(['7', '5', '1000000']),
		missing: new Set(['5']),
		unlisted: new Set(['7']),
		unlistedSince: 6,
		emptySince: 7,
		deleted: ['9'],
		checkedAt: 8,
	},
	remaining: 10,
	warnings: { setBack: 'A warning.' },
};

const sparse: PollState = {
	source: '',
	settings: '',
	deletions: firstDeletionCheck(),
	warnings: {},
};

it.each([
	{ what: 'with every member', state: full },
	{ what: 'without optional members', state: sparse },
])('a state $what is parsed as it was stored', ({ state }) => {
	const parsed = parseState(stateText(state));
	expect(parsed).toEqual(state);
	expect([...(parsed?.cursor?.emitted.keys() ?? [])]).toEqual([
		...(state.cursor?.emitted.keys() ?? []),
	]);
});

/** Returns the paths of all members of a stored state. */
function paths(value: unknown, path: readonly string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [[...path]];
	const below = Object.entries(value).flatMap(([key, member]) => paths(member, [...path, key]));
	return path.length > 0 ? [[...path], ...below] : below;
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
	if (key === undefined) return by;
	const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
	copy[key] = replaced(copy[key], rest, by);
	return copy;
}

const stored: unknown = JSON.parse(stateText(full));

it.each(paths(stored).map((path) => ({ path })))(
	'a stored state with another type at $path is damaged, or the member is left out',
	({ path }) => {
		for (const wrong of [{ wrong: 7 }, null, false]) {
			const parsed = parseState(JSON.stringify(replaced(stored, path, wrong)));
			if (parsed === undefined) continue;
			// Invalid warnings and values are dropped individually, and an invalid flag counts as false.
			expect(path.join('.')).toMatch(/^(warnings|watched\.values\.0\.1|deletions\.isListed)/);
			expect(JSON.stringify(parsed)).not.toContain('wrong');
		}
	},
);

it.each([
	{ path: ['cursor', 'readFrom'] },
	{ path: ['cursor', 'setBackFrom'] },
	{ path: ['cursor', 'emitted', '0', '1'] },
])('a stored state with an invalid time at $path is damaged', ({ path }) => {
	expect(parseState(JSON.stringify(replaced(stored, path, 'yesterday')))).toBeUndefined();
});

it.each([undefined, 7, '', '{', '[]', 'null', '{"source":"x"}'])(
	'%j is not a stored state',
	(text) => {
		expect(parseState(text)).toBeUndefined();
	},
);

/** A state as version 10 of the stored state (package 0.1.0) has it. */
const version10 = {
	version: 10,
	known:
		'{"source":"s","settings":"t","warnings":{},"remaining":3,"cursor":{"readFrom":"2026/01/31 09:30:00","latestTime":"2026/01/31 09:30:00","latestTimeReadAt":1,"emitted":[["7","2026/01/31 09:30:00abcdefghijkl"],["5","2026/01/31 09:29:00"]],"completeSince":"","comparedAt":2,"lateStates":[]},"watched":{"ids":["1000001"],"values":[["7",{"1000001":"\\"open\\""}]]},"deletions":{"isListed":true,"deleted":["9"],"checkedAt":8,"known":"7 5","missing":"","unlisted":""}}',
};

it('a state of version 10 is migrated', () => {
	const { state, isDamaged } = loadState({ state: version10 });
	expect(isDamaged).toBe(false);
	expect(state).toMatchObject({ source: 's', settings: 't', remaining: 3 });
	expect([...(state?.cursor?.emitted ?? [])]).toEqual([
		['7', { time, values: 'abcdefghijkl' }],
		['5', { time: '2026/01/31 09:29:00', values: '' }],
	]);
	expect(state?.deletions).toMatchObject({ known: new Set(['7', '5']), deleted: ['9'] });
	expect(state?.watched?.values.get('7')).toEqual({ 1000001: '"open"' });
});

it('a damaged state tells whether Start From was finished', () => {
	const state = { version: 11, known: '{', finishedSource: 's' };
	expect(loadState({ state })).toEqual({ state: undefined, isDamaged: true, finishedSource: 's' });
});
