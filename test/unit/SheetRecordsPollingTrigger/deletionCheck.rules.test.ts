import {
	checkDeletions,
	firstDeletionCheck,
	maxKnownRecords,
	noteExisting,
	type DeletionCheck,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { ServiceError, type FailureKind } from '../../../nodes/api/http/serviceError';
import type { SheetRecord } from '../../../nodes/api/read/record';

const minutes = (count: number) => 1_700_000_000_000 + count * 60_000;
const idsFrom = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => String(first + index));
const sorted = (ids: Iterable<string>) =>
	[...ids].sort((left, right) => Number(left) - Number(right));

/** Records and failures that the service shows at a check. */
interface Shown {
	existing: readonly string[];
	/** IDs in the list with the filters of the node. */
	listed?: readonly string[];
	/** Kind of failure of single reads, by record ID. */
	failing?: Readonly<Record<string, FailureKind>>;
	hasConditions?: boolean;
}

/** Returns a reader of these records, the IDs that it read one by one, and whether it listed all records. */
function readerOf({ existing, listed = existing, failing = {}, hasConditions = false }: Shown) {
	const recordOf = (id: string): SheetRecord => ({ id, content: new Map() });
	const asked = { reads: [] as string[], all: 0 };
	const reader = {
		hasConditions,
		async *fetchIds(onlyMatching: boolean) {
			if (!onlyMatching) asked.all++;
			yield [...(onlyMatching ? listed : existing)];
		},
		async fetchRecord(id: string) {
			asked.reads.push(id);
			const kind = failing[id];
			if (kind) throw new ServiceError({ kind, message: `Record ${id} failed` });
			return existing.includes(id) ? recordOf(id) : undefined;
		},
		fetchNewest: async () => existing.slice(0, 1).map(recordOf),
	};
	return { reader, asked };
}

/** Returns a check that has listed these records. */
async function begun(ids: readonly string[]): Promise<DeletionCheck> {
	const check = firstDeletionCheck();
	await checkDeletions(check, readerOf({ existing: ids }).reader, 1_000, minutes(0));
	return check;
}

/** Makes a check. Returns its result with sorted deletions, and the requests. */
async function checked(check: DeletionCheck, shown: Shown, minute = 1, maxDeletions = 1_000) {
	const { reader, asked } = readerOf(shown);
	const result = await checkDeletions(check, reader, maxDeletions, minutes(minute));
	return { ...result, deletedIds: sorted(result.deletedIds), asked };
}

describe('single reads that fail', () => {
	it.each(['authentication', 'sessionExpired', 'unsent', 'untrusted'] as const)(
		'a failure that may concern every request leaves the record for the next check: %s',
		async (kind) => {
			const check = await begun(['1', '2']);
			const result = await checked(check, { existing: ['1'], failing: { 2: kind } });
			expect(result.deletedIds).toEqual([]);
			expect(sorted(check.known)).toEqual(['1', '2']);
		},
	);

	it('an error that is not of the service ends the check', async () => {
		const check = await begun(['1', '2']);
		const { reader } = readerOf({ existing: ['1'] });
		const fault = new TypeError('fault');
		const broken = { ...reader, fetchRecord: async () => await Promise.reject(fault) };
		await expect(checkDeletions(check, broken, 10, minutes(1))).rejects.toBe(fault);
	});

	it('one that fails does not stop the others, and its record is told by the next check', async () => {
		const check = await begun(idsFrom(1, 5));
		const shown: Shown = { existing: ['1'], failing: { 2: 'server' } };
		const first = await checked(check, shown);
		expect(first).toMatchObject({ deletedIds: ['3', '4', '5'], heldBack: 0, isOtherSheet: false });
		expect(first.failure?.kind).toBe('server');
		expect((await checked(check, { existing: ['1'] }, 2)).deletedIds).toEqual(['2']);
	});

	it('after two failures no further record is read, and nothing is told of the unread ones', async () => {
		const check = await begun(idsFrom(1, 6));
		const failing = { 2: 'server', 3: 'server' } as const;
		const first = await checked(check, { existing: ['1'], failing });
		expect([first.asked.reads, first.deletedIds, first.heldBack]).toEqual([['2', '3'], [], 3]);
		// Records that failed are read after the others.
		const second = await checked(check, { existing: ['1'], failing }, 2);
		expect(second.asked.reads.slice(0, 3)).toEqual(['4', '5', '6']);
		expect(second.deletedIds).toEqual(['4', '5', '6']);
	});

	it('two failures and one missing record confirm nothing about unread ones', async () => {
		const check = await begun(idsFrom(1, 41));
		const existing = ['1'];
		await checked(check, { existing });
		const [first = '', ...others] = check.missing;
		const failing = Object.fromEntries(others.map((id) => [id, 'server' as const]));
		const failed = await checked(check, { existing, failing }, 2);
		expect([failed.deletedIds, failed.asked.reads.length]).toEqual([[first], 3]);
		expect((await checked(check, { existing }, 3)).deletedIds).toEqual(sorted(others));
	});

	it('as many failures as missing records confirm nothing about unread ones', async () => {
		const check = await begun(idsFrom(1, 41));
		const existing = ['1'];
		expect((await checked(check, { existing })).deletedIds).toHaveLength(10);
		const left = [...check.missing];
		const failing = Object.fromEntries(left.map((id) => [id, 'server' as const]));
		const failed = await checked(check, { existing, failing }, 2);
		expect([failed.deletedIds, failed.asked.reads.length]).toEqual([[], 2]);
		expect((await checked(check, { existing }, 3)).deletedIds).toEqual(sorted(left));
	});
});

it('of many missing records, those that are not read are told when the next list lacks them, too', async () => {
	const check = await begun(idsFrom(1, 41));
	const first = await checked(check, { existing: ['1'] });
	expect([first.deletedIds.length, first.heldBack]).toEqual([10, 30]);
	const second = await checked(check, { existing: ['1'] }, 2);
	expect([second.deletedIds.length, second.heldBack, check.missing.size]).toEqual([30, 0, 0]);
});

it('a list that newly lacks an existing record proves nothing about records that are not read', async () => {
	const check = await begun(idsFrom(1, 42));
	const existing = ['1', '42'];
	await checked(check, { existing });
	const wrong = await checked(check, { existing, listed: ['42'] }, 2);
	expect([wrong.deletedIds.length, wrong.heldBack]).toEqual([9, 21]);
	expect((await checked(check, { existing }, 3)).deletedIds).toHaveLength(21);
});

it('a check is listed from its first list on, also that of an empty sheet', async () => {
	const check = firstDeletionCheck();
	expect(check.isListed).toBe(false);
	await checked(check, { existing: [] });
	expect([check.isListed, check.emptySince]).toEqual([true, undefined]);
});

it('no more deletions than the maximum are told at once, and the rest by the next check', async () => {
	const check = await begun(idsFrom(1, 6));
	const numbers: number[] = [];
	for (let count = 1; count < 4; count++) {
		numbers.push((await checked(check, { existing: ['1'] }, count, 2)).deletedIds.length);
	}
	expect([numbers, sorted(check.known)]).toEqual([[2, 2, 1], ['1']]);
});

it.each([
	{ what: 'an empty sheet', shown: { existing: [] }, end: [2, 0] },
	{ what: 'a list without a record', shown: { existing: ['1', '2'], listed: ['2'] }, end: [0, 1] },
])(
	"$what counts after a quarter of an hour, also after this machine's clock was set back",
	async ({ shown, end }) => {
		const check = await begun(['1', '2']);
		const results: Array<[deleted: number, known: number]> = [];
		for (const minute of [100, 10, 24, 25]) {
			results.push([(await checked(check, shown, minute)).deletedIds.length, check.known.size]);
		}
		const waiting = [0, 2];
		expect(results).toEqual([waiting, waiting, waiting, end]);
	},
);

it('an empty sheet must stay empty for a quarter of an hour', async () => {
	const check = await begun(['1', '2']);
	const told: string[][] = [];
	for (const minute of [1, 2, 15, 16]) {
		told.push((await checked(check, { existing: [] }, minute)).deletedIds);
	}
	expect(told).toEqual([[], [], [], ['1', '2']]);
});

it('a sheet that shows a record again is not empty, so its deletions are told at once', async () => {
	const check = await begun(['1', '2', '3']);
	await checked(check, { existing: [] });
	expect((await checked(check, { existing: ['1'] }, 2)).deletedIds).toEqual(['2', '3']);
	expect(check.emptySince).toBeUndefined();
	const emptyAgain = await checked(check, { existing: [] }, 16);
	expect(emptyAgain.deletedIds).toEqual([]);
});

describe('new IDs in a list', () => {
	const known = ['1', '2'];
	const listed = [...known, '100', '9', '101', '102', '103'];

	it.each([
		{ missing: '9', what: 'the lowest', isOther: true },
		{ missing: '101', what: 'the middle one', isOther: true },
		{ missing: '103', what: 'the highest', isOther: true },
		{ missing: '100', what: 'one between', isOther: false },
	])('make a list one of another sheet if $what does not exist: $isOther', async (row) => {
		const check = await begun(known);
		const existing = listed.filter((id) => id !== row.missing && id !== '2');
		const of = [...existing, row.missing].filter((id) => id !== '2');
		const result = await checked(check, { existing, listed: of });
		expect(result).toMatchObject({ isOtherSheet: row.isOther, restoredIds: [] });
		expect(result.deletedIds).toEqual(row.isOther ? [] : ['2']);
		expect(check.known.has('103')).toBe(!row.isOther);
		expect(check.checkedAt).toBe(minutes(1));
	});

	it('are accepted if one of them can be read, and not if none can', async () => {
		const failing = { 9: 'server', 101: 'server' } as const;
		const check = await begun(known);
		await checked(check, { existing: listed, failing });
		expect(check.known.size).toBe(listed.length);
		const all = { ...failing, 103: 'server' } as const;
		const other = await begun(known);
		await expect(checked(other, { existing: listed, failing: all })).rejects.toMatchObject({
			kind: 'server',
		});
		expect(sorted(other.known)).toEqual(known);
	});
});

describe('records that exist, although the list lacks them', () => {
	it.each([
		{ count: 10, hasConditions: true, all: 0, reads: 10 },
		{ count: 11, hasConditions: true, all: 1, reads: 0 },
		{ count: 11, hasConditions: false, all: 0, reads: 10 },
	])(
		'$count of them take $all lists of all records and $reads reads ($hasConditions)',
		async (row) => {
			const existing = idsFrom(1, 30);
			const check = await begun(existing);
			const { hasConditions, count } = row;
			const shown = { existing, listed: existing.slice(count), hasConditions };
			const { asked, deletedIds } = await checked(check, shown);
			expect([asked.all, asked.reads.length, deletedIds]).toEqual([row.all, row.reads, []]);
		},
	);

	it('a filtered list with deleted ones beside them tells only the deleted ones', async () => {
		const ids = idsFrom(1, 30);
		const check = await begun(ids);
		const existing = ids.filter((id) => id !== '3');
		const shown = { existing, listed: ids.slice(12), hasConditions: true };
		const { asked, deletedIds } = await checked(check, shown);
		expect([asked.reads, deletedIds]).toEqual([['3'], ['3']]);
	});

	it.each([
		{ hasConditions: true, lacking: 3, forgottenAfter: 15 },
		{ hasConditions: false, lacking: 2, forgottenAfter: 15 },
		{ hasConditions: false, lacking: 3, forgottenAfter: 24 * 60 },
	])(
		'$lacking of 4 (filtered: $hasConditions) are forgotten after $forgottenAfter minutes of such lists',
		async ({ hasConditions, lacking, forgottenAfter }) => {
			const existing = idsFrom(1, 4);
			const check = await begun(existing);
			const shown = { existing, listed: existing.slice(lacking), hasConditions };
			const sizes: number[] = [];
			for (const minute of [0, forgottenAfter - 1, forgottenAfter]) {
				expect((await checked(check, shown, minute)).deletedIds).toEqual([]);
				sizes.push(check.known.size);
			}
			expect(sizes).toEqual([4, 4, 4 - lacking]);
			expect(check.unlistedSince).toBeUndefined();
		},
	);

	it('after some are forgotten, the others are kept for as long again, so that their deletions are told', async () => {
		const existing = idsFrom(1, 8);
		const check = await begun(existing);
		const show = async (first: number, minute: number) =>
			await checked(check, { existing, listed: existing.slice(first) }, minute);
		await show(1, 0);
		await show(2, 15);
		expect(sorted(check.known)).toEqual(existing.slice(1));
		await show(2, 16);
		expect(sorted(check.known)).toEqual(existing.slice(1));
		const { deletedIds } = await checked(check, { existing: existing.slice(2) }, 17);
		expect(deletedIds).toEqual(['2']);
	});

	it('one whose read then fails is not told as deleted by a later list without many records', async () => {
		const ids = idsFrom(1, 42);
		const check = await begun(ids);
		const shown = { existing: ids, listed: ids.slice(0, -1) };
		await checked(check, shown);
		await checked(check, { ...shown, failing: { 42: 'server' } }, 2);
		const later = await checked(check, { existing: ['1', '42'], listed: ['1'] }, 3);
		expect([later.deletedIds.length, later.heldBack]).toEqual([10, 30]);
		expect(later.deletedIds).not.toContain('42');
	});

	it('a list with all of them starts the time again', async () => {
		const existing = idsFrom(1, 4);
		const check = await begun(existing);
		const shown = { existing, listed: existing.slice(1) };
		await checked(check, shown, 0);
		await checked(check, { existing }, 10);
		await checked(check, shown, 20);
		await checked(check, shown, 34);
		expect(check.known.size).toBe(4);
	});
});

describe('restored records', () => {
	it('are returned at most as often as allowed, and the others stay deleted', async () => {
		const check = await begun(idsFrom(1, 5));
		await checked(check, { existing: ['1'] });
		const restored = await checked(check, { existing: idsFrom(1, 4) }, 2, 2);
		expect([restored.restoredIds.length, check.deleted.length, check.known.size]).toEqual([
			2, 2, 3,
		]);
		const others = await checked(check, { existing: idsFrom(1, 4) }, 3, 2);
		expect([others.restoredIds.length, check.deleted]).toEqual([1, ['5']]);
	});

	it('are not returned if they are listed, but do not exist', async () => {
		const check = await begun(idsFrom(1, 3));
		await checked(check, { existing: ['1'] });
		const outdated = await checked(check, { existing: ['1'], listed: idsFrom(1, 3) }, 2);
		expect([outdated.restoredIds, outdated.isOtherSheet, sorted(check.known)]).toEqual([
			[],
			false,
			['1'],
		]);
	});

	it('leave less room for deletions', async () => {
		const check = await begun(idsFrom(1, 5));
		await checked(check, { existing: ['1', '3', '4', '5'] });
		const both = await checked(check, { existing: ['1', '2'] }, 2, 3);
		expect([both.restoredIds, both.deletedIds.length]).toEqual([['2'], 2]);
	});
});

it('a record that changed is known, and no more deleted or missing', async () => {
	const check = await begun(['1', '2', '3']);
	await checked(check, { existing: ['1'] });
	expect([noteExisting(check, '2'), noteExisting(check, '2'), noteExisting(check, '9')]).toEqual([
		true,
		false,
		false,
	]);
	expect([sorted(check.known), check.deleted]).toEqual([['1', '2', '9'], ['3']]);
	check.missing.add('9');
	noteExisting(check, '9');
	expect([...check.missing]).toEqual([]);
});

it('more records than can be known are an error, and no further ones are remembered', async () => {
	const check = firstDeletionCheck();
	const ids = idsFrom(1, maxKnownRecords);
	await checked(check, { existing: ids });
	noteExisting(check, '0');
	expect(check.known.size).toBe(maxKnownRecords);
	const more = checked(check, { existing: [...ids, '0'] });
	await expect(more).rejects.toThrow('More than 50,000 records match');
});
