/** A position of every factor, counted from 0, which stands beside everything. */
export type Chosen = readonly number[];

/**
 * Rows in which every position of every factor that is allowed at all stands once, as many in a row as may stand
 * together. The same arguments give the same rows.
 *
 * @param sizes how many positions each factor has
 */
export function coveringRows(
	sizes: readonly number[],
	allowed: (chosen: Chosen) => boolean,
): Chosen[] {
	const left = sizes.map((size) => Array.from({ length: size - 1 }, (_, index) => index + 1));
	const rows: Chosen[] = [];
	for (;;) {
		let row: Chosen = sizes.map(() => 0);
		for (const [factor, positions] of left.entries()) {
			const found = positions.find((position) => allowed(withPosition(row, factor, position)));
			if (found === undefined) continue;
			row = withPosition(row, factor, found);
			positions.splice(positions.indexOf(found), 1);
		}
		if (row.every((position) => position === 0)) return rows;
		rows.push(row);
	}
}

/** Rows of positions that are drawn, each taken where it may stand beside those before it. */
export function randomRows(
	sizes: readonly number[],
	allowed: (chosen: Chosen) => boolean,
	count: number,
): Chosen[] {
	let last = 7;
	const draw = (size: number) => (last = (last * 16_807) % 2_147_483_647) % size;
	return Array.from({ length: count }, () => {
		let row: Chosen = sizes.map(() => 0);
		for (const [factor, size] of sizes.entries()) {
			const tried = withPosition(row, factor, draw(size));
			if (allowed(tried)) row = tried;
		}
		return row;
	});
}

function withPosition(row: Chosen, factor: number, position: number): Chosen {
	return row.map((other, index) => (index === factor ? position : other));
}
