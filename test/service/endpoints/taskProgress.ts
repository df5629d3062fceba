import { isAdministrator, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import type { Answer } from '../http/answer';
import { ServiceError, StatusError } from '../http/serviceError';
import { taskView } from '../massOperations/taskView';
import { discover } from './discovery';

/**
 * The progress of a mass operation, at the account's address or at the sheet's, each of which can be
 * turned off (specification, endpoint 3).
 */
export function showTaskProgress(call: Call, sheet?: Sheet): Answer {
	return discover(call, sheet ? 'taskAtSheet' : 'taskAtAccount', () => {
		const { query, state, identity } = call;
		const task = state.tasks.look(query.first('taskId') ?? '', state.switches.looksUntilForgotten);
		const isHere = !sheet || isSame(task?.order.sheet, sheet);
		const mayLook = isAdministrator(identity) || task?.order.owner === identity.email;
		if (task && isHere && mayLook) return taskView(task, state.account, state.switches);
		switch (state.switches.unknownTask) {
			case 'code404':
				throw new ServiceError('recordNotFound', 'Task not found.');
			case 'http404':
				throw new StatusError(404, 'Not Found');
			case 'empty':
				return {};
		}
	});
}

function isSame(address: { path: string; index: number } | undefined, sheet: Sheet): boolean {
	return address?.path === sheet.path && address.index === sheet.index;
}

/** Whether the request asks for a task. */
export function asksForTask({ query }: Call): boolean {
	return query.has('taskId');
}
