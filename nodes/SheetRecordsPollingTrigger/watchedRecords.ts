import { isObject } from '../api/json/objects';
import { packIds, unpackIds } from '../api/values/packedNumbers';

const digestLength = 6;
/** Twice as many are remembered at most: those that were seen last. */
const mostYoung = 3_000;

/**
 * What watched fields last held, by record: those that were seen of late, and those seen before them, which are
 * forgotten together when there are too many. A record that is not known counts as changed.
 */
export class WatchedRecords {
	private constructor(
		private young: Map<string, string>,
		private old: Map<string, string>,
	) {}

	/** Whether the fields surely hold what they held; from now on they are known to hold this. */
	isUnchanged(id: string, digest: string): boolean {
		const short = digest.slice(0, digestLength);
		const before = this.young.get(id) ?? this.old.get(id);
		this.young.set(id, short);
		if (this.young.size >= mostYoung) {
			this.old = this.young;
			this.young = new Map();
		}
		return before === short;
	}

	store(): { young: Stored; old: Stored } {
		return { young: stored(this.young), old: stored(this.old) };
	}

	static load(from: unknown): WatchedRecords {
		const { young, old } = isObject(from) ? from : {};
		return new WatchedRecords(loaded(young), loaded(old));
	}
}

interface Stored {
	ids: string;
	digests: string;
}

function stored(digests: ReadonlyMap<string, string>): Stored {
	const ids = packIds([...digests.keys()].map(Number));
	const inOrder = unpackIds(ids).map((id) => digests.get(String(id)) ?? '');
	return { ids, digests: inOrder.join('') };
}

function loaded(from: unknown): Map<string, string> {
	if (!isObject(from)) return new Map();
	const digests = String(from.digests ?? '');
	return new Map(
		unpackIds(String(from.ids ?? '')).map((id, place) => {
			const start = place * digestLength;
			return [String(id), digests.slice(start, start + digestLength)];
		}),
	);
}
