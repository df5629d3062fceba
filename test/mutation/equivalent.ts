/** Changes that no test can notice, since what the code does stays the same. They do not count. */
export interface Equivalent {
	file: string;
	/** The line in which the change begins, without its indentation. */
	line: string;
	/** What takes the place of some part of it. */
	replacements: string[];
	reason: string;
}

export const equivalents: readonly Equivalent[] = [];
