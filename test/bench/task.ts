/** Who does the work: the node, a bare loop over n8n's HTTP helper, or a client with open connections. */
export const measuredClients = ['node', 'helper', 'client'] as const;
export type MeasuredClient = (typeof measuredClients)[number];

export const works = [
	'read',
	'wideRead',
	'create',
	'upsert',
	'sync',
	'rowSync',
	'massLock',
	'download',
	'upload',
	'verify',
] as const;
export type Work = (typeof works)[number];

/** A request for the others to send: as the node sent it, or as they would without the node. */
export interface ScriptedRequest {
	method: string;
	/** Path and query. */
	address: string;
	/** JSON. */
	body?: string;
}

/** What a process of its own is to do, so that its memory is its own and nobody else's. */
export interface Task {
	measuredClient: MeasuredClient;
	work: Work;
	/** Records, items, or bytes of the file. */
	amount: number;
	baseUrl: string;
	account: string;
	apiKey: string;
	/** `folder/sub/3` */
	sheetPath: string;
	/** What the others send; empty for the node itself. */
	script: ScriptedRequest[];
	/** Stored values of a small and of the large file. */
	smallFile: string;
	largeFile: string;
	/** PEM, with which deliveries are signed. */
	publicKey: string;
}

export interface Report {
	/** How many records, bytes or deliveries came. */
	came: number;
	milliseconds: number;
	/** How far the memory of the process grew above what it was when it was warm. */
	growthMegabytes: number;
	/** The longest time for which the event loop stood still. */
	blockMilliseconds: number;
}

/** One piece of work, ready to be done once it is measured. */
export interface Prepared {
	/** Resolves with how many records, bytes or deliveries came, for work that leaves no trace at the service. */
	run: () => Promise<number>;
	/** Where deliveries are to be sent, for work that is done as they come; `run` ends with the last. */
	url?: string;
}

/** What the process tells its parent: that it is ready, and afterwards what it has done. */
export interface FromProcess {
	/** Where deliveries are to be sent. */
	url?: string;
	report?: Report;
}
