import type { SeenRequest } from './requestLog';

export interface Fault {
	kind:
		/** Answers this `status` (default 500), `headers` and `body` instead of doing the work. */
		| 'status'
		/** The same with status 200: an HTML page, broken JSON, anything. */
		| 'body'
		/** Answers 302 (or `status`) to `location`. */
		| 'redirect'
		/** Takes the request and never answers; `deaf` takes its head alone. */
		| 'hang'
		| 'deaf'
		/** Cuts the connection when the head of the request has come, before the work, or after it. */
		| 'resetUnread'
		| 'reset'
		| 'resetAfterWork'
		/** Announces the full length, sends half of the body, then cuts the connection, or says no more. */
		| 'truncate'
		| 'stall'
		/** Sends half of the body as if it were all. */
		| 'truncateSilently';
	/** Which requests it strikes; all of them when not given. */
	when?: (request: SeenRequest) => boolean;
	/** How many requests it strikes; 1 when not given. */
	times?: number;
	status?: number;
	headers?: Record<string, string>;
	body?: string | Buffer;
	location?: string;
	/** A `status` or `body` is answered although the work was done, as by a gateway that gave up too soon. */
	afterWork?: boolean;
}

export class Faults {
	private waiting: Array<{ fault: Fault; left: number }> = [];

	inject(fault: Fault): void {
		this.waiting.push({ fault, left: fault.times ?? 1 });
	}

	clear(): void {
		this.waiting = [];
	}

	cutsUnread(request: SeenRequest): boolean {
		return this.take(request, ({ kind }) => kind === 'resetUnread') !== undefined;
	}

	isDeafTo(request: SeenRequest): boolean {
		return this.take(request, ({ kind }) => kind === 'deaf') !== undefined;
	}

	/** The fault that strikes this request, if there is one. Those injected first strike first. */
	strike(request: SeenRequest): Fault | undefined {
		return this.take(request, ({ kind }) => kind !== 'deaf' && kind !== 'resetUnread');
	}

	private take(request: SeenRequest, fits: (fault: Fault) => boolean): Fault | undefined {
		const next = this.waiting.find(
			({ fault, left }) =>
				left > 0 && fits(fault) && (fault.when === undefined || fault.when(request)),
		);
		if (next) next.left -= 1;
		return next?.fault;
	}
}
