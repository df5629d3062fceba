import { InputError } from '../api/values/inputError';

/** The deadline of a poll, by the time limit that n8n sets, or of a part of a poll. */
export class PollDeadline {
	/** Aborted when the time limit is reached. */
	readonly signal: AbortSignal;

	/** @param what words after the time limit, as in "within the 45 seconds that n8n gives a poll" */
	constructor(
		private readonly milliseconds: number,
		private readonly what = 'that n8n gives a poll',
	) {
		this.signal = AbortSignal.timeout(milliseconds);
	}

	/** Returns a deadline in half of the time, for a part of the poll that must leave time for the rest. */
	half(what: string): PollDeadline {
		return new PollDeadline(this.milliseconds / 2, what);
	}

	/** Returns the error, or an InputError with the time limit if that was reached. */
	failureOf(thrown: unknown): unknown {
		if (!this.signal.aborted) return thrown;
		const seconds = Math.round(this.milliseconds / 1_000);
		return new InputError(
			`The service did not answer within the ${seconds} seconds ${this.what}`,
			"Narrow 'Filters', or set 'Subtables' to off, so that less has to be read.",
			undefined,
			true,
		);
	}
}
