import { BackgroundTask, type TaskOrder } from './backgroundTask';

/**
 * Tasks of the account. They run as soon as their submission is answered. Tests set the members freely; `clear()` restores
 * the defaults.
 */
export class BackgroundTasks {
	/**
	 * If set, tasks make progress only when their status is requested. Each request but the first processes this number of
	 * records.
	 */
	recordsPerLook: number | undefined;

	/** Number of records after which a task fails. */
	breaksAfter: number | undefined;

	private tasks: BackgroundTask[] = [];

	private readonly looked = new Set<BackgroundTask>();

	private isHeld = false;

	private timer: NodeJS.Timeout | undefined;

	/** All tasks that are not forgotten, in order of submission. */
	get all(): readonly BackgroundTask[] {
		return this.tasks;
	}

	submit(order: TaskOrder): BackgroundTask {
		const task = new BackgroundTask(order);
		this.tasks.push(task);
		this.schedule();
		return task;
	}

	/** Returns a task for a status request. A finished task is forgotten after `looksUntilForgotten` requests. */
	look(id: string, looksUntilForgotten: number | undefined): BackgroundTask | undefined {
		const task = this.tasks.find((candidate) => candidate.id === id);
		if (!task) return undefined;
		if (this.recordsPerLook !== undefined && !this.isHeld && this.looked.has(task)) {
			this.workOn(task, this.recordsPerLook);
		}
		this.looked.add(task);
		if (task.hasEnded && task.looksAtEnd === looksUntilForgotten) {
			this.tasks = this.tasks.filter((other) => other !== task);
			return undefined;
		}
		if (task.hasEnded) task.looksAtEnd += 1;
		return task;
	}

	/** Pauses all tasks. */
	hold(): void {
		this.isHeld = true;
	}

	/** Processes this number of records of each task. */
	step(records: number): void {
		for (const task of this.tasks) this.workOn(task, records);
	}

	forget(): void {
		this.tasks = [];
	}

	clear(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		this.forget();
		this.looked.clear();
		this.isHeld = false;
		this.recordsPerLook = undefined;
		this.breaksAfter = undefined;
	}

	private workOn(task: BackgroundTask, records: number): void {
		const limit = this.breaksAfter;
		const count = limit === undefined ? records : Math.min(records, limit - task.processed);
		task.advance(count);
		if (limit !== undefined && task.processed >= limit)
			task.breakDown('The operation was broken off.');
	}

	private schedule(): void {
		const isPaused = this.isHeld || this.recordsPerLook !== undefined;
		if (isPaused || this.timer || this.tasks.every(({ hasEnded }) => hasEnded)) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			if (!this.isHeld) this.step(Infinity);
		}, 1);
		this.timer.unref();
	}
}
