import { BackgroundTask, type TaskOrder } from './backgroundTask';

/**
 * The tasks of the account, which are worked off as soon as their submission is answered. Set the members freely
 * during a test; `clear()` brings the defaults back.
 */
export class BackgroundTasks {
	/** With it no time passes: each look at a task but the first lets it go on with so many records. */
	recordsPerLook: number | undefined;

	/** After so many records a task breaks down and ends badly. */
	breaksAfter: number | undefined;

	private tasks: BackgroundTask[] = [];

	private readonly looked = new Set<BackgroundTask>();

	private isHeld = false;

	private timer: NodeJS.Timeout | undefined;

	/** All tasks that are not forgotten, in the order in which they were submitted. */
	get all(): readonly BackgroundTask[] {
		return this.tasks;
	}

	submit(order: TaskOrder): BackgroundTask {
		const task = new BackgroundTask(order);
		this.tasks.push(task);
		this.schedule();
		return task;
	}

	/** A task as somebody looks at it; one that has been looked at often enough at its end is forgotten. */
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

	/** Tasks stay where they are. */
	hold(): void {
		this.isHeld = true;
	}

	/** Goes on with every task by so many records. */
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
		const most = limit === undefined ? records : Math.min(records, limit - task.processed);
		task.advance(most);
		if (limit !== undefined && task.processed >= limit)
			task.breakDown('The operation was broken off.');
	}

	private schedule(): void {
		const stands = this.isHeld || this.recordsPerLook !== undefined;
		if (stands || this.timer || this.tasks.every(({ hasEnded }) => hasEnded)) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			if (!this.isHeld) this.step(Infinity);
		}, 1);
		this.timer.unref();
	}
}
