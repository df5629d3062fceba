import { randomUUID } from 'node:crypto';
import type { SheetAddress } from '../data/sheet';
import { InvalidRecordError, ServiceError } from '../http/serviceError';
import type { JsonValue } from '../json';
import type { Switches } from '../switches';

/** Name, records and work of a task. */
export interface TaskOrder {
	name: string;
	owner: string;
	sheet: SheetAddress;
	/** IDs of the selected records, including IDs that do not exist. */
	recordIds: readonly number[];
	work: (recordId: number) => void;
	atEnd?: (recordIds: readonly number[]) => void;
}

/** State of a task. Switches select the word for each state. */
export type TaskState = 'waiting' | 'running' | 'done' | 'failed';

/** A mass operation, carried out record by record (specification, "Task"). */
export class BackgroundTask {
	readonly id: string = randomUUID();

	state: TaskState = 'waiting';

	success = 0;

	fail = 0;

	message = '';

	looksAtEnd = 0;

	private readonly doneIds: number[] = [];

	constructor(readonly order: TaskOrder) {}

	get total(): number {
		return this.order.recordIds.length;
	}

	get processed(): number {
		return this.success + this.fail;
	}

	get hasEnded(): boolean {
		return this.state === 'done' || this.state === 'failed';
	}

	/** Processes up to `records` further records. Ends the task after its last record. */
	advance(records: number): void {
		if (this.hasEnded) return;
		this.state = 'running';
		for (let left = records; left > 0 && this.processed < this.total; left -= 1) {
			this.workOnNext();
		}
		if (this.processed === this.total) this.end('done');
	}

	breakDown(message: string): void {
		if (this.hasEnded) return;
		this.message = message;
		this.end('failed');
	}

	private workOnNext(): void {
		const recordId = this.order.recordIds[this.processed];
		if (recordId === undefined) return;
		try {
			this.order.work(recordId);
			this.success += 1;
			this.doneIds.push(recordId);
		} catch (error) {
			if (!(error instanceof ServiceError || error instanceof InvalidRecordError)) throw error;
			this.fail += 1;
			this.message = `Record ${recordId}: ${error.message}`;
		}
	}

	private end(state: 'done' | 'failed'): void {
		this.state = state;
		this.order.atEnd?.(this.doneIds);
	}
}

/** Returns a task in the form and with the words selected by the switches (specification, "Task"). */
export function taskView(
	task: BackgroundTask,
	account: string,
	{ taskShape, taskWords }: Switches,
): JsonValue {
	const status = taskWords[task.state];
	const { message, processed, success, fail, total } = task;
	switch (taskShape) {
		case 'progress':
			return { status, progress: processed, total, message };
		case 'counts':
			return {
				id: task.id,
				ap: account,
				taskName: task.order.name,
				status,
				...{ processed, success, fail },
				message,
			};
		case 'short':
			return { status };
	}
}
