import type { Switches } from './switches';

/** The clock that dates what the service keeps. It goes like the machine's until a test sets it. */
export class ServiceClock {
	private aheadMilliseconds = 0;

	private standsAt: number | undefined;

	constructor(private readonly switches: Pick<Switches, 'storedTimes'>) {}

	now(): number {
		return this.standsAt ?? Date.now() + this.aheadMilliseconds;
	}

	/** The time as records, comments and edits keep it, in milliseconds since 1970. */
	stamp(): number {
		const now = this.now();
		return this.switches.storedTimes === 'minutes' ? now - (now % 60_000) : now;
	}

	/** Stands still at a time: everything from now on happens in the same second. */
	set(milliseconds: number): void {
		this.standsAt = milliseconds;
	}

	advance(milliseconds: number): void {
		if (this.standsAt === undefined) this.aheadMilliseconds += milliseconds;
		else this.standsAt += milliseconds;
	}

	reset(): void {
		this.aheadMilliseconds = 0;
		this.standsAt = undefined;
	}
}
