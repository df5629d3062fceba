import type { Cursor, RecordState } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import {
	firstDeletionCheck,
	type DeletionCheck,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import {
	loadState,
	parseState,
	stateText,
	type PollState,
} from '../../../nodes/SheetRecordsPollingTrigger/pollState';

const time = '2026/01/31 09:30:00';

const latest: Required<RecordState> = { time, created: time, values: 'abcdef', fields: 'abcdef' };

/** A state that uses every member. Its type fails if a later member is left out. */
const full = {
	source: 'source',
	selection: 'selection',
	settings: 'settings',
	reading: 'reading',
	cursor: {
		readFrom: time,
		latestTime: time,
		latestTimeReadAt: 1,
		emitted: new Map<string, RecordState>([
			['7', latest],
			['5', { time, values: '' }],
		]),
		completeSince: '',
		comparedAt: 2,
		lateStates: [`7 ${time}abcdef`],
		setBackFrom: time,
		startedEmptyAt: 3,
		undated: ['12'],
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
} satisfies Required<PollState> & { cursor: Required<Cursor>; deletions: Required<DeletionCheck> };

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

/** A state of version 11, as a node for all events with two watched fields stored it. */
const version11 = {
	version: 11,
	known:
		'{"source":"xYGc+dpETvShQxQY4iaorr","selection":"wTdyg4xnuXxdKR+MvwLWGg","settings":"DRB7FuLRuwRn0n+Q12EXH8","reading":"6HD41LErdSgzW25z3cMB6x","warnings":{},"cursor":{"readFrom":"2026/01/31 09:28:00","latestTime":"2026/01/31 09:33:00","latestTimeReadAt":1769765580000,"emitted":[["4","c08sw0,0,RePnvqVDxvNO,kiK+ra4ZVgPnG/WXDA/DPVeQcb+D457aP9HJcauBH1kg5PlLEzEveGybPvolVyossvMLMU+o2NoEq4zf0Eq4hb5NekpvWEq4Um49OIqfBEq4S2aNKNT56Eq4"],["1","dm3bro,1lv7vo,dEkVpEAtMopg,kiKMz24ZVb9IG/WLFn/DPvAOcb+d9C7aP9HJcaudnRkg5+caEzEX22ybPRNaVyossvMLM1qR2NoEq4zf0Eq4hb5NekpvWEq4Um4Eq4qfBEq4S2ad99T56Eq4/zjQ94cA6uarjt5xLLwoEgtl5nszkU"],["2","dm3btc,1luzlc,ogqruob99tRz,kiKqsq4ZV5GQG/W2DQ/DPqxfcb+32o7aP9HJcauncVkg5CRCEzE8utybP5+RVyossvMLMVK+2NoEq4zf0Eq4hb5NekpvWEq4Um4Eq4qfBEq4S2ajcjT56Eq4/zjPoYcA6T4gjt50B9woE4I05nsI75"],["3","dm3bv0,1lurb0,ElmzCp6E78QY,kiK7md4ZV5YsG/WYLu/DPf7Hcb+gvQ7aP9HJcauclDkg5WBiEzET1PybP95RVyossvMLMfaD2NoEq4zf0Eq4hb5NekpvWEq4Um4Eq4qfBEq4S2aup9T56Eq4/zjDXHcA6tC/jt5HhewoE0g+5nsVBR"]],"completeSince":"","comparedAt":1769765400000,"lateStates":[],"passedAt":1769765580000},"watched":{"ids":["1000007","1000011"],"values":[["4",{"1000007":"\\"Open\\"","1000011":"\\"First line\\\\nSecond line\\""}],["1",{"1000007":"\\"Confirmed\\"","1000011":"\\"changed 1\\""}],["2",{"1000007":"\\"Shipped\\"","1000011":"\\"changed 2\\""}],["3",{"1000007":"\\"Cancelled\\"","1000011":"\\"changed 3\\""}]]},"deletions":{"isListed":true,"deleted":["2"],"checkedAt":1769765580000,"known":"4 3 1","missing":"","unlisted":""}}',
	finishedSource: 'xYGc+dpETvShQxQY4iaorr',
};

it('a state of version 11 is read as it was stored', () => {
	const { state, isDamaged, finishedSource } = loadState({ state: version11 });
	expect(isDamaged).toBe(false);
	expect(finishedSource).toBe(state?.source);
	expect(state?.deletions).toMatchObject({ known: new Set(['4', '3', '1']), deleted: ['2'] });
	expect(state?.cursor?.emitted.get('3')).toMatchObject({
		time: '2026/01/31 09:33:00',
		created: '2023/01/02 17:00:00',
	});
	expect(state && stateText(state)).toBe(version11.known);
});

it('a damaged state tells whether Start From was finished', () => {
	const state = { version: 11, known: '{', finishedSource: 's' };
	expect(loadState({ state })).toEqual({ state: undefined, isDamaged: true, finishedSource: 's' });
});
