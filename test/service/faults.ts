import type { SeenRequest } from './requestLog';

export interface Fault {
	kind:
		/** Answers with this `status` (default 500), `headers` and `body` instead of doing the work. */
		| 'status'
		/** Answers with status 200 and this `body`: an HTML page, broken JSON, anything. */
		| 'body'
		/** Answers 302 (or `status`) with a redirect to `location`. */
		| 'redirect'
		/** Never answers. `hang` reads the whole request, `deaf` only its head. */
		| 'hang'
		| 'deaf'
		/** Cuts the connection after the head of the request, before the work, or after the work. */
		| 'resetUnread'
		| 'reset'
		| 'resetAfterWork'
		/** Announces the full length and sends half of the body. Then cuts the connection, or sends nothing more. */
		| 'truncate'
		| 'stall'
		/** Sends half of the body as if it were the whole body. */
		| 'truncateSilently';
	/** Selects the requests that fail. Default: all requests. */
	when?: (request: SeenRequest) => boolean;
	/** Number of requests that fail. Default: 1. */
	times?: number;
	status?: number;
	headers?: Record<string, string>;
	body?: string | Buffer;
	location?: string;
	/** Sends the `status` or `body` after the work was done, like a gateway that times out too early. */
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

	/** Returns the fault for this request, or undefined. Faults are used in order of injection. */
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
