import { InputError } from '../api/values/inputError';

/** The time that n8n gives a poll. */
export class PollTime {
	/** Aborted when the time is over. */
	readonly signal: AbortSignal;

	constructor(private readonly milliseconds: number) {
		this.signal = AbortSignal.timeout(milliseconds);
	}

	/** Returns the error, or an InputError that names the time if that is over. */
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
