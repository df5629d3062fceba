/** A received request with everything that was sent. */
export interface SeenRequest {
	method: string;
	/** Percent-encoded path, without the query. */
	path: string;
	/** Path and query, unchanged from the socket. */
	rawUrl: string;
	query: Array<[name: string, value: string]>;
	headers: Record<string, string | string[] | undefined>;
	/** A JSON body as an object, or a form body as its fields. */
	body: Record<string, unknown> | Array<[name: string, value: string]> | undefined;
	files: Array<{ fieldName: string; fileName: string; mimeType: string; size: number }>;
	/** Name of the authenticated identity, if any. */
	identity: string | undefined;
	/** HTTP status of the answer. 0 before the answer, or if the connection was cut. */
	status: number;
	/** Length of the answer in characters or bytes. 0 before the answer. */
	answered: number;
	/** Time of arrival, in ms since 1970. */
	at: number;
	durationMs: number;
	/** Number of other open requests at the time of arrival. */
	inFlightAtStart: number;
}

/** All requests since the last `clear()`, in order of arrival. */
export class RequestLog {
	private seen: SeenRequest[] = [];

	private readonly open = new Set<SeenRequest>();

	all(): SeenRequest[] {
		return [...this.seen];
	}

	clear(): void {
		this.seen = [];
	}

	/** Clears the log, and no longer counts requests as open that a test has left unanswered. */
	forget(): void {
		this.clear();
		this.open.clear();
	}

	get count(): number {
		return this.seen.length;
	}

	/** Requests that have not been answered yet. */
	get openRequests(): ReadonlySet<SeenRequest> {
		return this.open;
	}

	begin(request: SeenRequest): void {
		this.seen.push(request);
		this.open.add(request);
	}

	/**
	 * Marks the request as answered. Called just before the last byte is sent, so that the client's next request does not
	 * count as parallel to this one.
	 */
	end(request: SeenRequest, status: number): void {
		if (!this.open.delete(request)) return;
		request.status = status;
		request.durationMs = steadyTime() - request.at;
	}
}

/** Milliseconds since 1970 by a monotonic clock, which tests may speed up. */
export function steadyTime(): number {
	return performance.timeOrigin + performance.now();
}
