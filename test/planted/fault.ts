/** A mistake that somebody could make, as a replacement of text in one source of the package. */
export interface Fault {
	/** What is wrong, in one sentence. */
	name: string;
	/** The source, from the root of the checkout. */
	file: string;
	/** Text that stands exactly once in the source. */
	find: string;
	replace: string;
	/** Jest's path patterns: the few files of tests that stand nearest. */
	area: string[];
}
