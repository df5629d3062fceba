/** A position of every factor, counted from 0; undefined where nothing is chosen. */
export type Chosen = ReadonlyArray<number | undefined>;

/** Whether what is chosen so far may stand together. The position 0 of a factor may stand beside everything. */
export type Allowed = (chosen: Chosen) => boolean;

/** How many positions have to stand together: each alone, or every two of different factors. */
export type Together = 1 | 2;

/**
 * Few rows in which, together with the row of zeros, all that has to stand together and may does so at least once.
 * Each row begins with what none before it has, and takes the positions that bring most others. The same arguments
 * give the same rows.
 *
 * @param sizes how many positions each factor has
 */
export function coveringRows(
	sizes: readonly number[],
	allowed: Allowed,
	together: Together,
): Chosen[] {
	const rows: Chosen[] = [];
	const open = uncovered(rows, sizes, allowed, together);
	for (let [next] = open; next !== undefined; [next] = open) {
		const row = [...next[1]];
		const largestFirst = [...sizes.entries()].sort(([, one], [, other]) => other - one);
		for (const [factor, size] of largestFirst) {
			if (row[factor] !== undefined) continue;
			const gains = range(size).map((position) => {
				const tried = chosenToo(row, factor, position);
				if (!allowed(tried)) return -1;
				return keysWith(factor, tried, together).filter((key) => open.has(key)).length;
			});
			row[factor] = gains.indexOf(Math.max(...gains));
		}
		for (const key of keysIn(row, together)) open.delete(key);
		rows.push(row);
	}
	return rows;
}

/** What has to stand together, and does so in none of the rows, by its key. */
export function uncovered(
	rows: readonly Chosen[],
	sizes: readonly number[],
	allowed: Allowed,
	together: Together,
): Map<string, Chosen> {
	const zeros = sizes.map(() => 0);
	const covered = new Set([zeros, ...rows].flatMap((row) => keysIn(row, together)));
	const nothing: Chosen = sizes.map(() => undefined);
	const alone = withEachPosition(nothing, sizes, 0);
	const all =
		together === 1 ? alone : alone.flatMap((one) => withEachPosition(one, sizes, lastOf(one) + 1));
	const open = all
		.filter(allowed)
		.map((chosen) => [keysIn(chosen, together)[0] ?? '', chosen] as const);
	return new Map(open.filter(([key]) => !covered.has(key)));
}

/** What is chosen and, beside it, each position of each factor from one on. */
function withEachPosition(chosen: Chosen, sizes: readonly number[], from: number): Chosen[] {
	return sizes.flatMap((size, factor) =>
		factor < from ? [] : range(size).map((position) => chosenToo(chosen, factor, position)),
	);
}

function keysIn(chosen: Chosen, together: Together): string[] {
	return chosen.flatMap((_, factor) => keysWith(factor, chosen.slice(0, factor + 1), together));
}

/** The keys of what stands together with the position of a factor. */
function keysWith(factor: number, chosen: Chosen, together: Together): string[] {
	const own = `${factor}:${chosen[factor]}`;
	if (chosen[factor] === undefined) return [];
	if (together === 1) return [own];
	return chosen.flatMap((position, other) => {
		if (position === undefined || other === factor) return [];
		const pair = [`${other}:${position}`, own];
		return [(other < factor ? pair : pair.reverse()).join(' ')];
	});
}

function chosenToo(chosen: Chosen, factor: number, position: number): Chosen {
	return chosen.map((other, index) => (index === factor ? position : other));
}

function lastOf(chosen: Chosen): number {
	return chosen.findIndex((position) => position !== undefined);
}

function range(size: number): number[] {
	return Array.from({ length: size }, (_, index) => index);
}
