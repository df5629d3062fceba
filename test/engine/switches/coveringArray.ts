/** A position of every factor, counted from 0. */
export type Row = readonly number[];

/** The same while it is being made. */
type Unfinished = ReadonlyArray<number | undefined>;

/**
 * Whether what is chosen so far may stand together; undefined where nothing is chosen yet. The position 0 of
 * a factor may stand beside everything.
 */
export type Allowed = (chosen: Unfinished) => boolean;

/**
 * Few rows in which every two positions of different factors that may stand together do so at least once.
 * Each row begins with a pair that none before it has, and takes the positions that bring most others. The
 * same arguments give the same rows.
 *
 * @param sizes how many positions each factor has
 */
export function coveringRows(sizes: readonly number[], allowed: Allowed): Row[] {
	const open = new Map([...pairsOf(sizes)].filter(([, pair]) => allowed(pair)));
	const rows: Row[] = [];
	for (let [next] = open; next !== undefined; [next] = open) {
		const row = completed(next[1], sizes, open, allowed);
		for (const covered of pairsIn(row)) open.delete(covered);
		rows.push(row);
	}
	return rows;
}

/** Every pair of positions, as the only things chosen, by its key. */
export function pairsOf(sizes: readonly number[]): Map<string, Unfinished> {
	const pairs = new Map<string, Unfinished>();
	for (const [factor, size] of sizes.entries()) {
		for (const [other, otherSize] of sizes.slice(0, factor).entries()) {
			for (const position of range(size)) {
				for (const otherPosition of range(otherSize)) {
					const pair = sizes.map((_, index) => {
						if (index === factor) return position;
						return index === other ? otherPosition : undefined;
					});
					for (const key of pairsIn(pair)) pairs.set(key, pair);
				}
			}
		}
	}
	return pairs;
}

/** The keys of the pairs in a row. */
export function pairsIn(row: Unfinished): string[] {
	return row.flatMap((_, factor) => pairsWith(factor, row));
}

/** The keys of the pairs of a factor with those before it, or with some of them. */
function pairsWith(factor: number, row: Unfinished, from = 0, to = factor): string[] {
	const position = row[factor];
	if (position === undefined) return [];
	return row
		.slice(from, to)
		.flatMap((other, index) =>
			other === undefined ? [] : [[from + index, other, factor, position].join(' ')],
		);
}

function completed(
	pair: Unfinished,
	sizes: readonly number[],
	open: ReadonlyMap<string, unknown>,
	allowed: Allowed,
): Row {
	const row = [...pair];
	const largestFirst = [...sizes.entries()].sort(([, one], [, other]) => other - one);
	for (const [factor, size] of largestFirst) {
		if (row[factor] !== undefined) continue;
		const gains = range(size).map((position) => {
			const tried = row.map((other, index) => (index === factor ? position : other));
			if (!allowed(tried)) return -1;
			const behind = row.flatMap((_, later) =>
				later > factor ? pairsWith(later, tried, factor, factor + 1) : [],
			);
			return [...pairsWith(factor, tried), ...behind].filter((key) => open.has(key)).length;
		});
		row[factor] = gains.indexOf(Math.max(...gains));
	}
	return row.map((position) => position ?? 0);
}

function range(size: number): number[] {
	return Array.from({ length: size }, (_, index) => index);
}
