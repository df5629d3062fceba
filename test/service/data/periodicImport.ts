/** The periodic import from a URL of one sheet; it is turned on in the interface. */
export interface PeriodicImport {
	enabled: boolean;
	/** One of the account's import sources. */
	url: string;
}
