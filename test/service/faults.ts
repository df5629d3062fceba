import type { SeenRequest } from './requestLog';

export interface Fault {
	/**
	 * - `status`: answer this `status` (default 500), `headers` and `body` instead of doing the work;
	 * - `body`: the same with status 200: an HTML page, broken JSON, anything;
	 * - `redirect`: answer 302 (or `status`) to `location`;
	 * - `hang`: take the request and never answer;
	 * - `resetUnread`: cut the connection when the head of the request has come, its body unread;
	 * - `reset`: cut the connection before the work;
	 * - `resetAfterWork`: do the work, a write too, then cut the connection;
	 * - `deaf`: take the head of the request, read none of its body and never answer;
	 * - `truncate`: announce the full length, send half of the body, then cut the connection;
	 * - `stall`: announce the full length, send half of the body, then say no more;
	 * - `truncateSilently`: send half of the body as if it were all.
	 */
	kind:
		| 'status'
		| 'body'
		| 'redirect'
		| 'hang'
		| 'resetUnread'
		| 'reset'
		| 'resetAfterWork'
		| 'deaf'
		| 'truncate'
		| 'stall'
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
