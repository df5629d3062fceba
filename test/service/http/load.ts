import type { RequestLog, SeenRequest } from '../requestLog';
import type { Switches } from '../switches';
import { textAnswer, type Answer } from './answer';
import type { Proof } from './authentication';
import { ServiceError } from './serviceError';

/** Limits of parallel requests (specification, "Limits"). */
export class Load {
	private requestsWithKey = 0;

	constructor(
		private readonly log: RequestLog,
		private readonly switches: Switches,
	) {}

	/** Returns or throws the error if the request exceeds the limit. Returns undefined otherwise. */
	admit(request: SeenRequest): Answer | undefined {
		const open = [...this.log.openRequests].filter(({ method }) => method === 'GET').length;
		const queueIsFull = request.method === 'GET' && open > this.switches.queueLength;
		return queueIsFull ? this.refuse() : undefined;
	}

	/** Returns whether this request with a valid key must be treated as a guest's. */
	mistakesForGuest({ byApiKey }: Proof): boolean {
		const { goodKeyRefusedEvery } = this.switches;
		if (!byApiKey || goodKeyRefusedEvery === undefined) return false;
		this.requestsWithKey += 1;
		return this.requestsWithKey % goodKeyRefusedEvery === 0;
	}

	clear(): void {
		this.requestsWithKey = 0;
	}

	private refuse(): Answer {
		const { overloadAnswer } = this.switches;
		if (overloadAnswer === 'code204') throw new ServiceError('frequencyTooHigh');
		return overloadAnswer === 'status429'
			? textAnswer('Too Many Requests', 429)
			: textAnswer('Service Unavailable', 503);
	}
}
