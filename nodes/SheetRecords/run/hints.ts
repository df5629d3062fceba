import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { getOrInsert } from '../../api/json/objects';
import { sumOfTasks, taskCounts, type Task } from '../../api/tasks/task';
import { encodeHtml } from '../../api/values/htmlEntities';
import { inEnglish } from '../../api/values/text';
import { isSentNote, type NoteReason, type ValueNote } from '../../api/write/recordContent';
import { accidentIn } from '../../api/write/recordInput';

/** Minimum total wait that is reported, in ms. */
const minReportedWaitMs = 10_000;

const noteWords: Record<NoteReason, string> = {
	emptyRow: 'not added, because it has no value',
	filledIn: 'filled in by the service',
	file: 'files',
	masked: 'masked',
	html: "rich text as HTML; to write it back, read it with 'Raw Markup'",
	shifted: "times read with 'UTC Offset'; to write them back, read them without it",
	unknown: 'not a field of the sheet',
	longNumber: 'more digits than a number holds; let the node before return a text',
	noChoice: 'not one of the choices',
	noSwitch: 'neither true nor false, but the field is a checkbox',
	objectText: "contains '[object Object]': an expression in the text returned an object",
	unusedChoice: 'not among the values in use in the newest 200 records; check the spelling',
	notKept: 'not saved as sent',
	noRow: 'row to delete does not exist',
	notDeleted: 'still exists, although the service confirmed the deletion',
};

const untypedCopy =
	"Automatic numbers and computed values, if the sheet has any, were copied, too, because only administrators can read which fields hold them. Use an administrator's credential.";

/** Messages about a run as a whole. Equal messages of several items are shown once. */
export class Hints {
	/** Names of fields whose values are not typed, because their types are not known. */
	readonly untyped = new Set<string>();
	/** Whether records were copied without knowing what the service fills in. */
	isCopiedUntyped = false;
	/** Task ID → ended task. Several items, and the attempts of Retry On Fail, may wait for the same task. */
	readonly endedTasks = new Map<string, Task>();
	readonly warnings = new Set<string>();
	/** Counts what the run has done; undefined if there is no report. */
	report?: string;
	/** Item index → number of records that the node itself compared with filters, and number of records that it returned of them. */
	private readonly compared = new Map<number, readonly [read: number, returned: number]>();
	private readonly leftOut = new Map<string, ValueNote>();

	/** Adds the total waiting time of a run, if it is at least `minReportedWaitMs`. */
	addWait({ milliseconds, reason }: { milliseconds: number; reason: string }): void {
		if (milliseconds < minReportedWaitMs) return;
		const seconds = Math.round(milliseconds / 1000);
		this.warnings.add(
			`The node waited ${seconds} s in total before it sent requests again. Reason: ${reason}`,
		);
	}

	/**
	 * Adds the numbers of records that an item read and returned with filters that the node evaluates itself. They replace those of an
	 * earlier attempt of Retry On Fail.
	 */
	addComparison(index: number, read: number, returned: number): void {
		this.compared.set(index, [read, returned]);
	}

	/** Adds the notes about values that are left out of a write. Skips notes about unknown choices, because these are sent. */
	addLeftOut(notes: readonly ValueNote[]): void {
		for (const { name, reason } of notes) {
			if (!isSentNote(reason)) this.leftOut.set(`${reason} ${name}`, { name, reason });
		}
	}

	/** Returns the text about the records that the node compared itself; undefined if it compared none. */
	private comparisonText(): string | undefined {
		const counts = [...this.compared.values()];
		const read = counts.reduce((sum, [count]) => sum + count, 0);
		const returned = counts.reduce((sum, [, count]) => sum + count, 0);
		if (read === 0) return undefined;
		return `The node read ${inEnglish(read)} records and returned ${inEnglish(returned)} of them: the service does not have 'Is Not Equal To' and 'Is Not Empty', so the node compares each record.`;
	}

	/** Shows all hints in the editor. Must be called at the end of a run, because n8n drops the hints of a failed try. */
	show(context: IExecuteFunctions): void {
		const show = (type: NodeExecutionHint['type'], text?: string) => {
			if (!text) return;
			// The editor draws the message as HTML.
			context.addExecutionHints?.({ message: encodeHtml(text), type, location: 'outputPane' });
		};
		for (const warning of this.warnings) show('warning', warning);
		show('info', this.report);
		show('info', this.comparisonText());
		const { size } = this.endedTasks;
		if (size > 0) {
			const sum = sumOfTasks([...this.endedTasks.values()]);
			const which = size === 1 ? 'The task' : `${size} tasks`;
			const isWhole = sum.succeeded && (sum.fail ?? 0) === 0;
			if (isWhole && sum.total === 0) {
				show('warning', 'No record matched the selection. Nothing was changed.');
			} else show(isWhole ? 'info' : 'warning', `${which} ended: ${taskCounts(sum)}`);
		}
		show('info', notesSentence('Not written', this.leftOut.values()));
		if (this.isCopiedUntyped) show('info', untypedCopy);
		if (this.untyped.size > 0) {
			const names = [...this.untyped].map((name) => `'${name}'`).join(', ');
			const advice =
				"list number fields in 'Number Fields', and multiple selections in 'List Fields'";
			show(
				'info',
				`The types of ${names} are unknown, so their values are returned as the service sent them. Only administrators can read field types: use an administrator's credential, or ${advice}.`,
			);
		}
	}
}

/** Returns a note on a comment that is probably an accident; an empty list otherwise. */
export function commentNotes(comment: string): ValueNote[] {
	const reason = accidentIn(comment, comment);
	return reason === undefined ? [] : [{ name: 'Comment', reason }];
}

/** Returns a sentence that names the fields of all notes by reason, or undefined if there are no notes. */
export function notesSentence(what: string, notes: Iterable<ValueNote>): string | undefined {
	const names = new Map<NoteReason, Set<string>>();
	for (const { name, reason } of notes) {
		getOrInsert(names, reason, () => new Set<string>()).add(`'${name}'`);
	}
	const parts = [...names].map(
		([reason, fields]) => `${[...fields].join(', ')} (${noteWords[reason]})`,
	);
	return parts.length > 0 ? `${what}: ${parts.join(', ')}.` : undefined;
}
