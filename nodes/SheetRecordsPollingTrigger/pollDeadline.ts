import { InputError } from '../api/values/inputError';

/** The deadline of a poll, by the time limit that n8n sets. */
export class PollDeadline {
	/** Aborted when the time limit is reached. */
	readonly signal: AbortSignal;

	constructor(private readonly milliseconds: number) {
		this.signal = AbortSignal.timeout(milliseconds);
	}

	/** Returns the error, or an InputError with the time limit if that was reached. */
	failureOf(thrown: unknown): unknown {
		if (!this.signal.aborted) return thrown;
		const seconds = Math.round(this.milliseconds / 1_000);
		return new InputError(
			`The service did not answer within the ${seconds} seconds that n8n gives a poll`,
			"Narrow 'Filters', or set 'Subtables' to off, so that less has to be read.",
			undefined,
			true,
		);
	}
}
