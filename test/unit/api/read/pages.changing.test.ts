import fc from 'fast-check';
import { readAfter, type ListPosition } from '../../../../nodes/api/read/pages';
import { listPage, recordsIn, type PageRange } from '../../../../nodes/api/read/records';
import { runs } from '../../../amount';
import { FakeService } from '../http/fakeService';
import { idsRead, listing, pageAsked, recordsText, request, upTo } from './listedPages';

/** A change of the list at a position. */
type Change = Readonly<{ kind: 'add' | 'remove' | 'hide' | 'show' | 'move'; at: number }>;

/** A list that changes while it is read: one change is made before each request. */
class ChangingList {
	/** All records in the order of the list, including records that do not match at the moment. */
	private entries: Array<{ id: number; matches: boolean }>;

	private nextId: number;

	/** Records that existed and matched at every request so far. */
	kept: number[] | undefined;

	readonly service = new FakeService((asked) => {
		for (const change of this.changes[this.service.requests.length - 1] ?? []) this.make(change);
		const listed = this.listed;
		this.kept = (this.kept ?? listed).filter((id) => listed.includes(id));
		const { offset, limit } = pageAsked(asked);
		return { body: recordsText(listed.slice(offset, offset + limit)) };
	});

	constructor(
		count: number,
		private readonly changes: ReadonlyArray<readonly Change[]>,
	) {
		// The IDs are in descending order. A JavaScript object would sort them.
		this.entries = upTo(count).map((id) => ({ id, matches: true }));
		this.nextId = count + 1;
	}

	get listed(): number[] {
		return this.entries.flatMap(({ id, matches }) => (matches ? [id] : []));
	}

	private make({ kind, at }: Change): void {
		const place = Math.floor(at * this.entries.length);
		const entry = this.entries[place];
		if (kind === 'add') this.entries.splice(place, 0, { id: this.nextId++, matches: true });
		else if (kind === 'remove') this.entries.splice(place, 1);
		else if (kind === 'move') this.entries.push(...this.entries.splice(place, 1));
		else if (entry) entry.matches = kind === 'show';
	}
}

const places = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const changesOf = (...kinds: Array<Change['kind']>) =>
	fc.array(fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: places }), { maxLength: 4 }), {
		maxLength: 12,
	});

/** Reads the IDs of a list in parts, as a pick list does. */
async function idsInBits({ service }: ChangingList, size: number): Promise<number[]> {
	const client = await service.connect();
	const readPage = async (range: PageRange) => await listPage(client, request, range, recordsIn);
	const ids: number[] = [];
	let position: ListPosition | undefined;
	do {
		const bit = await readAfter(readPage, size, position);
		ids.push(...bit.records.map(({ id }) => Number(id)));
		({ position } = bit);
	} while (position);
	return ids;
}

const isRepeated = (id: number, index: number, ids: readonly number[]) => ids.indexOf(id) !== index;

describe('a list that changes while it is read', () => {
	const counts = fc.nat({ max: 24 });
	const sizes = fc.integer({ min: 1, max: 9 });

	it('a list that changes yields every record that was always there once, in order, up to the limit', async () => {
		const changes = changesOf('add', 'remove', 'hide', 'show');
		const limits = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 20 }));
		await fc.assert(
			fc.asyncProperty(counts, changes, sizes, limits, async (count, made, size, limit) => {
				const list = new ChangingList(count, made);
				const ids = await idsRead(list.service, limit, size);
				expect(ids.filter(isRepeated)).toEqual([]);
				expect(ids.length).toBeLessThanOrEqual(limit);
				const kept = list.kept ?? [];
				const found = ids.filter((id) => kept.includes(id));
				expect(found).toEqual(ids.length < limit ? kept : kept.slice(0, found.length));
			}),
			{ numRuns: runs(200, 1500) },
		);
	});

	it('a list that changes yields every record that was always there when it is read in parts', async () => {
		const changes = changesOf('add', 'remove', 'hide', 'show');
		await fc.assert(
			fc.asyncProperty(counts, changes, sizes, async (count, made, size) => {
				const list = new ChangingList(count, made);
				const ids = await idsInBits(list, size);
				expect([...new Set(ids)].filter((id) => list.kept?.includes(id))).toEqual(list.kept);
			}),
			{ numRuns: runs(80, 500) },
		);
	});

	it('a record that leaves the list costs one more request', async () => {
		const list = new ChangingList(2000, [[], [{ kind: 'remove', at: 0 }]]);
		expect(await idsRead(list.service, Infinity, 1000)).toEqual(upTo(2000));
		const offsets = list.service.requests.map(({ url }) => url.searchParams.get('offset'));
		expect(offsets).toEqual(['0', '999', '499', '1498']);
	});
});

it('a record that moved to the place of the last one does not hide the records that moved up', async () => {
	const before = upTo(30);
	const [first, ...others] = before;
	// Records 21 to 25 leave the list, and its first record moves to the tenth place.
	const left = others.filter((id) => id < 21 || id > 25);
	const after = [...left.slice(0, 9), first ?? 0, ...left.slice(9)];
	const service: FakeService = new FakeService((asked) =>
		listing(service.requests.length <= 1 ? before : after)(asked),
	);
	const ids = await idsRead(service, Infinity, 10);
	expect(left.filter((id) => !ids.includes(id))).toEqual([]);
});

it('a long list goes on after most of the read records have left it', async () => {
	const before = upTo(100_000);
	const after = before.slice(39_000);
	const service: FakeService = new FakeService((asked) =>
		listing(service.requests.length <= 40 ? before : after)(asked),
	);
	expect(await idsRead(service, 41_000, 1_000)).toEqual(before.slice(0, 41_000));
});
