/** Of a byte seven bits are a number's; the eighth says that more of it follow. */
const radix = 128;

/** Whole numbers, from 0 on, as a text in which those below 128 take 4/3 of a character. */
export function packNumbers(numbers: Iterable<number>): string {
	const bytes: number[] = [];
	for (const number of numbers) {
		let rest = number;
		for (; rest >= radix; rest = Math.floor(rest / radix)) bytes.push((rest % radix) + radix);
		bytes.push(rest);
	}
	return Buffer.from(bytes).toString('base64');
}

/** The numbers that `packNumbers` made the text of. */
export function unpackNumbers(text: string): number[] {
	const numbers: number[] = [];
	let number = 0;
	let place = 1;
	for (const byte of Buffer.from(text, 'base64')) {
		number += (byte % radix) * place;
		place *= radix;
		if (byte >= radix) continue;
		numbers.push(number);
		number = 0;
		place = 1;
	}
	return numbers;
}

/**
 * Different ids of records as numbers that are small and few: how many runs of neighbours there are, then for
 * each the distance to the one before, and its length unless it is a single id.
 *
 * @param ids in rising order
 */
export function runsOf(ids: readonly number[]): number[] {
	const runs: number[] = [];
	let count = 0;
	let end = 0;
	for (let first = 0; first < ids.length; count++) {
		const start = ids[first] ?? 0;
		let length = 1;
		while (ids[first + length] === start + length) length++;
		runs.push((start - end) * 2 + (length > 1 ? 1 : 0));
		if (length > 1) runs.push(length);
		end = start + length;
		first += length;
	}
	return [count, ...runs];
}

/** Reads one after the other what stands in a list of numbers. */
export class NumberReader {
	private place = 0;

	constructor(private readonly numbers: readonly number[]) {}

	get isAtEnd(): boolean {
		return this.place >= this.numbers.length;
	}

	/** The next number; 0 when the list was cut. */
	next(): number {
		return this.numbers[this.place++] ?? 0;
	}

	/** The ids that `runsOf` made the next numbers of. */
	ids(): number[] {
		const ids: number[] = [];
		let end = 0;
		for (let count = this.next(); count > 0 && !this.isAtEnd; count--) {
			const step = this.next();
			const start = end + Math.floor(step / 2);
			const length = step % 2 === 1 ? this.next() : 1;
			for (let id = start; id < start + length; id++) ids.push(id);
			end = start + length;
		}
		return ids;
	}
}

/** Different ids of records, in any order, as a short text. */
export function packIds(ids: Iterable<number>): string {
	return packNumbers(runsOf([...ids].sort((left, right) => left - right)));
}

/** The ids that `packIds` made the text of, in rising order. */
export function unpackIds(text: string): number[] {
	return new NumberReader(unpackNumbers(text)).ids();
}
