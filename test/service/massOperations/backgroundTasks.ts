import { BackgroundTask, type TaskOrder } from './backgroundTask';

const usualBreakMessage = 'The operation was broken off.';

/**
 * The tasks of the account and the clock by which they go on. Set the members freely during a test;
 * `clear()` brings the defaults back.
 */
export class BackgroundTasks {
	/** Records a second; by default all of them as soon as the submission is answered. */
	speed = Number.POSITIVE_INFINITY;

	/**
	 * When it is a number, no time passes: each look at a task lets it go on with so many records first,
	 * the first look excepted, which still finds it waiting.
	 */
	recordsPerLook: number | undefined;

	/** Why the work on a record fails, if it does. */
	obstacle: (recordId: number) => string | undefined = () => undefined;

	/** After so many records a task breaks down and ends badly. */
	breaksAfter: number | undefined;

	breakMessage = usualBreakMessage;

	private tasks: BackgroundTask[] = [];

	private readonly looked = new Set<BackgroundTask>();

	private isHeld = false;

	private timer: NodeJS.Timeout | undefined;

	private lastTick = 0;

	private credit = 0;

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
			this.forget(id);
			return undefined;
		}
		if (task.hasEnded) task.looksAtEnd += 1;
		return task;
	}

	/** Stops the clock: tasks stay where they are. */
	hold(): void {
		this.isHeld = true;
	}

	release(): void {
		this.isHeld = false;
		this.lastTick = performance.now();
		this.schedule();
	}

	/** Goes on with every task by so many records, whatever the clock says. */
	step(records: number): void {
		for (const task of this.tasks) this.workOn(task, records);
	}

	/** Forgets a task, or all of them. */
	forget(id?: string): void {
		this.tasks = id === undefined ? [] : this.tasks.filter((task) => task.id !== id);
	}

	clear(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		this.forget();
		this.looked.clear();
		this.isHeld = false;
		this.speed = Number.POSITIVE_INFINITY;
		this.recordsPerLook = undefined;
		this.obstacle = () => undefined;
		this.breaksAfter = undefined;
		this.breakMessage = usualBreakMessage;
		this.credit = 0;
	}

	private workOn(task: BackgroundTask, records: number): void {
		const limit = this.breaksAfter;
		const most = limit === undefined ? records : Math.min(records, limit - task.processed);
		task.advance(most, (recordId) => this.obstacle(recordId));
		if (limit !== undefined && task.processed >= limit) task.breakDown(this.breakMessage);
	}

	private schedule(): void {
		const stands = this.isHeld || this.recordsPerLook !== undefined;
		if (stands || this.timer || this.tasks.every(({ hasEnded }) => hasEnded)) return;
		this.lastTick = performance.now();
		this.timer = setTimeout(() => this.tick(), 1);
		this.timer.unref();
	}

	private tick(): void {
		this.timer = undefined;
		if (this.isHeld) return;
		const seconds = (performance.now() - this.lastTick) / 1000;
		this.credit = Number.isFinite(this.speed) ? this.credit + seconds * this.speed : this.speed;
		const records = Math.floor(this.credit);
		if (records > 0) this.step(records);
		this.credit = Number.isFinite(this.credit) ? this.credit - records : 0;
		this.schedule();
	}
}
