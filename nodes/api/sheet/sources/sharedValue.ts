import { ServiceError } from '../../http/serviceError';

/** A value with an age. Reading does not renew it. */
export class AgingValue<Value> {
	private entry?: { value: Value; at: number; maxAge: number };

	/** @param maxAge time in ms for which a value counts */
	constructor(private readonly maxAge: number) {}

	/** Returns the value; undefined if it was not set or is too old. */
	get(): Value | undefined {
		if (this.entry && this.age >= this.entry.maxAge) this.clear();
		return this.entry?.value;
	}

	/** The ms since the value was set; Infinity without a value. */
	get age(): number {
		return this.entry ? performance.now() - this.entry.at : Infinity;
	}

	/** Sets the value and starts its age. `maxAge` in ms takes precedence over that of the constructor. */
	set(value: Value, maxAge = this.maxAge): void {
		this.entry = { value, at: performance.now(), maxAge };
	}

	clear(): void {
		this.entry = undefined;
	}
}

/**
 * A value that is loaded from the service, for one run. The run keeps the first value that it gets. The runs of the process share
 * a value until it is too old. Failures are not kept.
 */
export class SharedValue<Value> {
	/** `isLoadedHere`: this run loaded the value, so it is new enough for the run. */
	private ofRun?: { value: Promise<Value>; isLoadedHere: boolean };

	/** @param maxAgeOf returns the time in ms for which the process keeps a value, or undefined for the usual time */
	constructor(
		private readonly ofProcess: AgingValue<Promise<Value>>,
		private readonly maxAgeOf: (value: Value) => number | undefined,
	) {}

	/** Whether this run loaded its value. */
	get isLoadedHere(): boolean {
		return this.ofRun?.isLoadedHere === true;
	}

	/** Returns the value of the run, otherwise that of the process, otherwise loads it. Throws the errors of `load`. */
	async get(load: () => Promise<Value>): Promise<Value> {
		const known = this.ofRun?.value ?? this.ofProcess.get();
		if (!known) return await this.load(load);
		this.ofRun ??= { value: known, isLoadedHere: false };
		return await known.catch(async (error: unknown) => {
			if (this.ofRun?.value === known) this.ofRun = undefined;
			if (error instanceof ServiceError) throw error;
			// Not a failure of the service: for example, the run that loads the value was canceled. Load again.
			return await this.get(load);
		});
	}

	/**
	 * Drops a value that another run loaded, so that the next `get` of this run loads a new one. If the value that the process
	 * keeps is younger than `minAge` ms, `get` returns that value instead. Other runs keep their values.
	 */
	forget(minAge: number): void {
		if (this.ofRun?.isLoadedHere) return;
		this.ofRun = undefined;
		if (this.ofProcess.age >= minAge) this.ofProcess.clear();
	}

	private async load(load: () => Promise<Value>): Promise<Value> {
		const loading = load();
		this.ofRun = { value: loading, isLoadedHere: true };
		this.ofProcess.set(loading);
		const value = await loading.catch((error: unknown) => {
			if (this.ofRun?.value === loading) this.ofRun = undefined;
			if (this.ofProcess.get() === loading) this.ofProcess.clear();
			throw error;
		});
		const maxAge = this.maxAgeOf(value);
		if (maxAge !== undefined && this.ofProcess.get() === loading) {
			this.ofProcess.set(loading, maxAge);
		}
		return value;
	}
}
