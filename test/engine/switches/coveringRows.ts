/** Index of the chosen position of each factor. Position 0 can be combined with every other position. */
export type Chosen = readonly number[];

/**
 * Returns rows that contain every allowed position of every factor once, with as many positions per row as can be
 * combined. The result is deterministic.
 *
 * @param sizes number of positions of each factor
 */
export function coveringRows(
	sizes: readonly number[],
	allowed: (chosen: Chosen) => boolean,
): Chosen[] {
	const remaining = sizes.map((size) => Array.from({ length: size - 1 }, (_, index) => index + 1));
	const rows: Chosen[] = [];
	for (;;) {
		let row: Chosen = sizes.map(() => 0);
		for (const [factor, positions] of remaining.entries()) {
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
