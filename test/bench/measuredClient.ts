/** One piece of work, ready to be done once it is measured. */
export interface Prepared {
	/** Resolves with how many records, bytes or deliveries came, for work that leaves no trace at the service. */
	run: () => Promise<number>;
	/** Where deliveries are to be sent, for work that is done as they come; `run` ends with the last. */
	url?: string;
}
