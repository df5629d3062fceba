import { sumOfTasks, taskCounts } from '../wire/task';
import type { Task } from '../wire/task';
import type { ItemParameters } from './itemParameters';

/** What became of the tasks of all items, told once they are through. */
export class TaskReport {
	private readonly ended: Task[] = [];

	constructor(private readonly items: readonly ItemParameters[]) {}

	/** Counts a task in that has ended. */
	add(task: Task): void {
		this.ended.push(task);
	}

	/** Runs the item; after the last one the tasks that ended are summed up in a hint. */
	async around<T>(item: ItemParameters, run: () => Promise<T>): Promise<T> {
		try {
			return await run();
		} finally {
			if (item === this.items[this.items.length - 1] && this.ended.length > 0) this.tell(item);
		}
	}

	private tell({ context }: ItemParameters): void {
		const sum = sumOfTasks(this.ended);
		const which = this.ended.length === 1 ? 'The task' : `${this.ended.length} tasks`;
		context.addExecutionHints?.({
			message: `${which} ended: ${taskCounts(sum)}`,
			type: sum.succeeded && (sum.fail ?? 0) === 0 ? 'info' : 'warning',
			location: 'outputPane',
		});
	}
}
