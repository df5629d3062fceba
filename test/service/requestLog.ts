/** One request as the service saw it, with all that was sent. */
export interface SeenRequest {
	method: string;
	/** The path with its percent-encoding, without the query. */
	path: string;
	/** Path and query, exactly the text from the socket. */
	rawUrl: string;
	query: Array<[name: string, value: string]>;
	headers: Record<string, string | string[] | undefined>;
	/** A JSON body as an object, a form body as its fields. */
	body: Record<string, unknown> | Array<[name: string, value: string]> | undefined;
	files: Array<{ fieldName: string; fileName: string; mimeType: string; size: number }>;
	/** The name of the identity that the request proved, if any. */
	identity: string | undefined;
	/** The HTTP status that was answered; 0 while there is none, or when the connection was cut. */
	status: number;
	/** How many characters or bytes were answered; 0 while there are none. */
	answered: number;
	/** When the request came in, in milliseconds since 1970. */
	at: number;
	durationMs: number;
	/** How many other requests were open when this one came in. */
	inFlightAtStart: number;
}

/** Every request since the last `clear()`, in order of arrival. */
export class RequestLog {
	private seen: SeenRequest[] = [];

	private readonly open = new Set<SeenRequest>();

	all(): SeenRequest[] {
		return [...this.seen];
	}

	clear(): void {
		this.seen = [];
	}

	/** Clears the log and no longer counts requests as open that a test has left hanging. */
	forget(): void {
		this.clear();
		this.open.clear();
	}

	get count(): number {
		return this.seen.length;
	}

	/** The requests that have come in and have not been answered yet. */
	get openRequests(): ReadonlySet<SeenRequest> {
		return this.open;
	}

	begin(request: SeenRequest): void {
		this.seen.push(request);
		this.open.add(request);
	}

	/** Called just before the last byte leaves: who then asks again has only one request open. */
	end(request: SeenRequest, status: number): void {
		if (!this.open.delete(request)) return;
		request.status = status;
		request.durationMs = steadyTime() - request.at;
	}
}

/** Milliseconds since 1970 by a clock that is never set, and that tests may let go faster. */
export function steadyTime(): number {
	return performance.timeOrigin + performance.now();
}
