import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { unnamedSentence } from '../api/schema/fieldNames';
import { sumOfTasks, taskCounts, type Task } from '../api/tasks/task';
import type { UntypedField } from '../api/write/typedValues';
import type { LeftOut } from '../api/write/writeBack';
import { leftOutSentence, untypedSentences } from '../ui/hints';
import { fieldKeysProperty } from '../ui/options';

/** What the items of a run have to say beside their results; many may say the same. */
export class Hints {
	/** Numbers of the items that lack a file which they name, and go without it. */
	readonly withoutFile = new Set<number>();
	/** The ids of fields whose names are unknown. */
	readonly unnamed = new Set<string>();
	readonly endedTasks: Task[] = [];
	private readonly warnings = new Set<string>();
	private readonly leftOut = new Map<string, LeftOut>();
	private readonly untyped = new Map<string, UntypedField>();

	warn(message: string): void {
		this.warnings.add(message);
	}

	leaveOut(fields: readonly LeftOut[]): void {
		for (const field of fields) this.leftOut.set(`${field.reason} ${field.name}`, field);
	}

	/** Adds fields of which values come as the service sent them. */
	leaveUntyped(fields: readonly UntypedField[]): void {
		for (const field of fields) this.untyped.set(`${field.reason} ${field.name}`, field);
	}

	/** Shows everything beside the output. Called at the end of a run: n8n drops the hints of a try that failed. */
	show(context: IExecuteFunctions): void {
		const show = (type: NodeExecutionHint['type'], message?: string) => {
			if (message) context.addExecutionHints?.({ message, type, location: 'outputPane' });
		};
		for (const warning of this.warnings) show('warning', warning);
		if (this.endedTasks.length > 0) {
			const sum = sumOfTasks(this.endedTasks);
			const which = this.endedTasks.length === 1 ? 'The task' : `${this.endedTasks.length} tasks`;
			const isWhole = sum.succeeded && (sum.fail ?? 0) === 0;
			show(isWhole ? 'info' : 'warning', `${which} ended: ${taskCounts(sum)}`);
		}
		if (this.unnamed.size > 0) {
			const advice = `Use the IDs in expressions, or set '${fieldKeysProperty.displayName}' to Field IDs.`;
			show('warning', `${unnamedSentence([...this.unnamed])} ${advice}`);
		}
		show('info', leftOutSentence([...this.leftOut.values()]));
		show('info', untypedSentences([...this.untyped.values()]));
		show('info', withoutFileSentence(this.withoutFile.size));
	}
}

function withoutFileSentence(items: number): string | undefined {
	if (items === 0) return undefined;
	const subject = items === 1 ? '1 item has' : `${items} items have`;
	return `${subject} no file in an input data field that is named: 'Missing File' is set to Skip, so it was left out.`;
}
