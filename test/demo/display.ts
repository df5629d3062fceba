export function print(line = ''): void {
	process.stdout.write(`${line}\n`);
}

/** Prints a table with a bold heading. Columns of numbers are aligned to the right. */
export function printTable(heading: string[], rows: string[][]): void {
	const widths = heading.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const isNumeric = heading.map((_, column) => rows.every((row) => /^\d/.test(row[column] ?? '')));
	const line = (cells: string[]) =>
		cells
			.map((cell, column) => {
				const width = widths[column] ?? 0;
				return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
			})
			.join('  ')
			.trimEnd();
	print(emphasised(line(heading)));
	for (const row of rows) print(line(row));
}

export function emphasised(text: string): string {
	return styled('1', text);
}

export function refused(text: string): string {
	return styled('31', text);
}

function styled(code: string, text: string): string {
	return process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text;
}
