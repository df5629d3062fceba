/** Measured clients: the node, a plain loop over n8n's HTTP helper, and a plain client that keeps its connections open. */
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

/** Works of the node alone, with more and more items. */
export const grownWorks = [
	'create',
	'update',
	'upsert',
	'sync',
	'rowSync',
	'ifExists',
	'getByMatch',
	'count',
	'massLock',
	'addRows',
	'wideItems',
	'manyFields',
	'rowItems',
] as const;
export type Work = (typeof works)[number] | (typeof grownWorks)[number];

/** A request for the other clients to send: recorded from the node, or written for clients without the node. */
export interface ScriptedRequest {
	method: string;
	/** Path and query. */
	address: string;
	/** JSON. */
	body?: string;
}

/** Task of a child process. Each task has its own process, so that its memory can be measured. */
export interface Task {
	measuredClient: MeasuredClient;
	work: Work;
	/** Records, items, or bytes of the file. */
	amount: number;
	/** Number of items, or of other clients' requests, before the measurement. */
	warmUpItems: number;
	baseUrl: string;
	account: string;
	apiKey: string;
	/** `folder/sub/3` */
	sheetPath: string;
	/** Requests for the other clients to send; empty for the node. */
	script: ScriptedRequest[];
	/** Stored values of a small and of the large file. */
	smallFile: string;
	largeFile: string;
	/** Public key (PEM) that verifies deliveries. */
	publicKey: string;
}

export interface Report {
	/** Number of received records, bytes or deliveries. */
	count: number;
	milliseconds: number;
	/** Processor time of the process. */
	processorMilliseconds: number;
	/** Memory growth of the process after the warm-up. */
	growthMegabytes: number;
	/** Longest time for which the event loop was blocked. */
	blockMilliseconds: number;
}

/** A task after its warm-up, ready to be measured. */
export interface Prepared {
	/** Resolves with the number of received records, bytes or deliveries, because reads leave no trace in the service. */
	run: () => Promise<number>;
	/** Address for deliveries, if the task receives them. `run` ends after the last delivery. */
	url?: string;
}

/** A message of the child process. The first message says that the process is ready; the second contains its report. */
export interface FromProcess {
	/** Address for deliveries. */
	url?: string;
	report?: Report;
}
