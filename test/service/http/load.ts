import type { RequestLog, SeenRequest } from '../requestLog';
import type { Switches } from '../switches';
import { textAnswer, type Answer } from './answer';
import type { Proof } from './authentication';
import { ServiceError } from './serviceError';

const second = 1000;

/** The limits on how much may be asked at once (specification, "Limits"). */
export class Load {
	private arrivals: number[] = [];

	private requestsWithKey = 0;

	constructor(
		private readonly log: RequestLog,
		private readonly switches: Switches,
	) {}

	/** Counts a request; gives the refusal, or throws it, when it is one too many. */
	admit(request: SeenRequest): Answer | undefined {
		this.arrivals = this.arrivals.filter((at) => at > request.at - second);
		this.arrivals.push(request.at);
		const { maximumRequestsPerSecond = Infinity, queueLength } = this.switches;
		const open = [...this.log.openRequests].filter(({ method }) => method === 'GET').length;
		const tooFast = this.arrivals.length > maximumRequestsPerSecond;
		const queueIsFull = request.method === 'GET' && open > queueLength;
		return tooFast || queueIsFull ? this.refuse() : undefined;
	}

	/** Whether this request with a good key is the one that is taken for a guest's. */
	mistakesForGuest({ byApiKey }: Proof): boolean {
		const { goodKeyRefusedEvery } = this.switches;
		if (!byApiKey || goodKeyRefusedEvery === undefined) return false;
		this.requestsWithKey += 1;
		return this.requestsWithKey % goodKeyRefusedEvery === 0;
	}

	clear(): void {
		this.requestsWithKey = 0;
		this.arrivals = [];
	}

	private refuse(): Answer {
		const { overloadAnswer, retryAfter } = this.switches;
		if (overloadAnswer === 'code204') {
			throw new ServiceError('frequencyTooHigh');
		}
		const answer =
			overloadAnswer === 'status429'
				? textAnswer('Too Many Requests', 429)
				: textAnswer('Service Unavailable', 503);
		if (retryAfter !== undefined) answer.headers['retry-after'] = retryAfter;
		return answer;
	}
}
