/** One piece of work, ready to be done once it is measured. */
export interface Prepared {
	run: () => Promise<void>;
	/** Where deliveries are to be sent, for work that is done as they come; `run` ends with the last. */
	url?: string;
}
