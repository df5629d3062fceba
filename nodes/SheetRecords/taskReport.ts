import { sumOfTasks, taskCounts } from '../wire/task';
import type { Task } from '../wire/task';
import type { ItemParameters } from './itemParameters';
import { ItemResults } from './operationResult';

/** What became of the tasks of all items, told once they are through. */
export class TaskReport {
	private readonly ended: Task[] = [];
	/** Numbers of the items that are still to come. */
	private readonly left: Set<number>;

	constructor(items: readonly ItemParameters[]) {
		this.left = new Set(items.map(({ index }) => index));
	}

	/** Counts a task in that has ended. */
	add(task: Task): void {
		this.ended.push(task);
	}

	/** Runs the item; after the last one the tasks that ended are summed up in a hint. */
	async around<T>(item: ItemParameters, run: () => Promise<T>): Promise<T> {
		try {
			const result = await run();
			if (result instanceof ItemResults) {
				for (const index of result.results.keys()) this.left.delete(index);
			}
			return result;
		} finally {
			this.left.delete(item.index);
			if (this.left.size === 0 && this.ended.length > 0) this.tell(item);
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
