import { setMaxListeners } from 'node:events';
import { timeLimit } from '../../timeLimit';

/** Notices when many things that are done side by side go on no more, however long all of them take together. */
export class Progress {
	private readonly stop = new AbortController();
	private readonly timer = setTimeout(() => {
		this.stop.abort(new Error('Nothing has ended for as long as a test may take'));
	}, timeLimit(15));

	constructor() {
		// Every thing that goes on listens.
		setMaxListeners(0, this.stop.signal);
	}

	get hasStopped(): boolean {
		return this.stop.signal.aborted;
	}

	/** Returns what a thing comes to. Throws as soon as nothing goes on any more. */
	async of<T>(thing: Promise<T>): Promise<T> {
		const { signal } = this.stop;
		const ended = new AbortController();
		const stopped = new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
		});
		return await Promise.race([thing, stopped]).finally(() => {
			ended.abort();
			this.timer.refresh();
		});
	}

	/** All is done. */
	end(): void {
		clearTimeout(this.timer);
	}
}
