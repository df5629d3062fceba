import { setMaxListeners } from 'node:events';
import { timeLimit } from '../../timeLimit';

/** Detects that none of many parallel operations makes progress, regardless of their total duration. */
export class Progress {
	private readonly stop = new AbortController();
	private readonly timer = setTimeout(() => {
		this.stop.abort(new Error('Nothing has ended for twice as long as a test may take'));
	}, timeLimit(30));

	constructor() {
		// Each operation adds a listener.
		setMaxListeners(0, this.stop.signal);
	}

	get hasStopped(): boolean {
		return this.stop.signal.aborted;
	}

	/** Returns the result of an operation. Throws if no operation ends for a long time. */
	async of<T>(operation: Promise<T>): Promise<T> {
		const { signal } = this.stop;
		const ended = new AbortController();
		const stopped = new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
		});
		return await Promise.race([operation, stopped]).finally(() => {
			ended.abort();
			this.timer.refresh();
		});
	}

	/** Ends the detection. */
	end(): void {
		clearTimeout(this.timer);
	}
}
