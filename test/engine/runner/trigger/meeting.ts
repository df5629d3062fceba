/** Holds requests until so many of them have come, and lets them go on in the order in which they came. */
export class Meeting {
	private waiting: Array<() => void> = [];

	private readonly arrivals: Array<() => void> = [];

	constructor(private readonly size: number) {}

	/** Resolves when all have come. They may meet again after that. */
	async attend(): Promise<void> {
		const called = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.arrivals.shift()?.();
		if (this.waiting.length === this.size) {
			for (const goOn of this.waiting.splice(0)) goOn();
		}
		await called;
	}

	/** Resolves when the next one has come. */
	async arrival(): Promise<void> {
		await new Promise<void>((resolve) => this.arrivals.push(resolve));
	}
}
