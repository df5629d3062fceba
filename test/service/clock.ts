import type { Switches } from './switches';

/** Clock for the timestamps of records. Follows the machine's clock until a test sets it. */
export class ServiceClock {
	private offsetMilliseconds = 0;

	private fixedTime: number | undefined;

	constructor(private readonly switches: Pick<Switches, 'storedTimes'>) {}

	now(): number {
		return this.fixedTime ?? Date.now() + this.offsetMilliseconds;
	}

	/** Current time in ms since 1970, with the precision in which records, comments and edits store it. */
	stamp(): number {
		const now = this.now();
		return this.switches.storedTimes === 'minutes' ? now - (now % 60_000) : now;
	}

	/** Stops the clock at this time: everything from now on happens in the same second. */
	set(milliseconds: number): void {
		this.fixedTime = milliseconds;
	}

	advance(milliseconds: number): void {
		if (this.fixedTime === undefined) this.offsetMilliseconds += milliseconds;
		else this.fixedTime += milliseconds;
	}

	reset(): void {
		this.offsetMilliseconds = 0;
		this.fixedTime = undefined;
	}
}
