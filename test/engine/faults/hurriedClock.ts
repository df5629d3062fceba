const { setTimeout: setRealTimeout } = globalThis;
const realNow = performance.now.bind(performance);

/** A clock by which the node waits, and which goes faster than that of the service and the network. */
export class HurriedClock {
	/** Every wait that was asked for, in milliseconds of this clock. */
	readonly waits: number[] = [];

	private readonly begun = realNow();

	constructor(private readonly factor: number) {
		jest.spyOn(performance, 'now').mockImplementation(() => this.now());
		// How long a connection may take to be made is the network's affair, whose clock is not hurried.
		const isOfNetwork = ({ name }: { name: string }) => name === 'handleTimeout';
		const wait = (callback: (value: undefined) => void, milliseconds = 0) => {
			const call = () => callback(undefined);
			if (isOfNetwork(callback)) return setRealTimeout(call, milliseconds);
			this.waits.push(milliseconds);
			return setRealTimeout(call, this.real(milliseconds));
		};
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(wait);
	}

	/** So many milliseconds of this clock in those of all others. */
	real(milliseconds: number): number {
		return milliseconds / this.factor;
	}

	private now(): number {
		return this.begun + (realNow() - this.begun) * this.factor;
	}
}

/** For all tests of a file, the node's waits take a fraction of their time. The node itself is as it is shipped. */
export function useHurriedClock(factor = 20): () => HurriedClock {
	let clock: HurriedClock | undefined;
	beforeAll(() => {
		clock = new HurriedClock(factor);
	});
	afterAll(() => jest.restoreAllMocks());
	return () => {
		if (!clock) throw new Error('The clock has not been started yet');
		return clock;
	};
}
