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

function withPosition(row: Chosen, factor: number, position: number): Chosen {
	return row.map((other, index) => (index === factor ? position : other));
}
