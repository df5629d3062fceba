import type { IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { authenticationParameter } from '../ui/authentication';
import { fieldKeysProperty } from '../ui/fieldKeys';
import type { SheetContext } from '../ui/parameter';
import type { CredentialType } from '../api/http/connection';
import type { Clock } from '../api/values/dates';
import { unnamedSentence } from '../api/schema/fieldNames';
import { sumOfTasks, taskCounts, type Task } from '../api/tasks/task';
import { textOf } from '../api/values/text';
import { isObject } from '../api/json/objects';
import type { UntypedField } from '../api/write/typedValues';
import type { LeftOut } from '../api/write/writeBack';
import { leftOutSentence, untypedSentences } from '../ui/hints';
import type { Progress } from './progress';

type ParameterValue = NodeParameterValueType | object | undefined;

/** What the items of a run have to tell beside their results; many may have the same. */
export class RunHints {
	/** What was told as a warning; all else is told at the end. */
	readonly told = new Set<string>();
	readonly leftOut: LeftOut[] = [];
	/** Fields of which values came as the service sent them. */
	readonly untyped: UntypedField[] = [];
	/** Numbers of the items that lack a file which they name, and go without it. */
	readonly withoutFile = new Set<number>();
	/** The ids of fields whose names could not be learnt. */
	readonly unnamed = new Set<string>();
	readonly endedTasks: Task[] = [];
}

/**
 * The node's parameters for all of its items. One without an expression is the same for each of them and
 * evaluated once, any other once for each item: n8n takes its time for that, and all options are one parameter.
 */
class NodeParameters {
	private readonly values = new Map<string, ParameterValue>();
	/** What parameters with an expression were for the item that asked last: more would be kept for nothing. */
	private readonly latest = new Map<string, { itemIndex: number; value: ParameterValue }>();
	private readonly expressions = new Map<string, boolean>();

	constructor(
		private readonly context: IExecuteFunctions,
		readonly hints = new RunHints(),
		readonly progress?: Progress,
	) {}

	/** The parameter as n8n evaluates it for an item; undefined when it is not shown for this operation. */
	value(name: string, itemIndex: number): ParameterValue {
		if (this.values.has(name)) return this.values.get(name);
		const latest = this.latest.get(name);
		if (latest?.itemIndex === itemIndex) return latest.value;
		// n8n throws for a parameter that is not shown unless it is given something to return.
		const value = this.context.getNodeParameter(name, itemIndex, null) ?? undefined;
		if (this.hasExpression(name)) this.latest.set(name, { itemIndex, value });
		else this.values.set(name, value);
		return value;
	}

	private hasExpression(name: string): boolean {
		const known = this.expressions.get(name);
		if (known !== undefined) return known;
		const written = this.context.getNodeParameter(name, 0, null, { rawExpressions: true });
		const found = holdsExpression(written);
		this.expressions.set(name, found);
		return found;
	}
}

function holdsExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	if (typeof written !== 'object' || written === null) return false;
	return Object.values(written).some(holdsExpression);
}

/** Returns the client with a credential for an item. */
type Connect = (type: CredentialType, index: number) => Promise<Client>;

/**
 * The parameters of each input item, and what is to be told when all of them have run.
 *
 * @param hints what earlier tries of the run have to tell, and the items will
 * @param progress is told what the items do
 * @param connect yields the client of an item, with the identity that it chose
 */
export function itemContexts(
	context: IExecuteFunctions,
	hints: RunHints,
	progress: Progress,
	connect: Connect,
): { items: ItemContext[]; tellAtEnd: () => void } {
	const parameters = new NodeParameters(context, hints, progress);
	return {
		items: context
			.getInputData()
			.map((_, index) => new ItemContext(context, index, parameters, connect)),
		tellAtEnd() {
			if (hints.endedTasks.length > 0) tellOfTasks(context, hints.endedTasks);
			if (hints.unnamed.size > 0) {
				const advice = `Use the IDs in expressions, or set '${fieldKeysProperty.displayName}' to Field IDs.`;
				warn(context, `${unnamedSentence([...hints.unnamed])} ${advice}`);
			}
			const messages = [
				leftOutSentence(hints.leftOut),
				untypedSentences(hints.untyped),
				withoutFileSentence(hints.withoutFile.size),
			];
			for (const message of messages) {
				if (message === undefined) continue;
				context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
			}
		},
	};
}

/**
 * The parameters of one item. Every one is evaluated for that item: expressions may give each item its
 * own sheet, filters and options.
 */
export class ItemContext implements SheetContext {
	private connection?: Client;

	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
		private readonly parameters = new NodeParameters(context),
		private readonly connect?: Connect,
	) {}

	/** Returns the item with its client. Throws InputError when its credential cannot be used. */
	async connected(): Promise<this> {
		this.connection ??= await this.connect?.(authenticationParameter.parse(this), this.index);
		return this;
	}

	/** The client with the identity that the item chose, once it is connected. */
	get client(): Client {
		if (this.connection) return this.connection;
		throw new Error(`Item ${this.index} is not connected`);
	}

	value(name: string): ParameterValue {
		return this.parameters.value(name, this.index);
	}

	get authentication(): string {
		return this.text('authentication');
	}

	/** A text; numbers that an expression yields become one. */
	text(name: string): string {
		return textOf(this.value(name));
	}

	isExpression(name: string): boolean {
		const written = this.context.getNode().parameters[name];
		return typeof written === 'string' && written.startsWith('=');
	}

	/** A collection, such as `options`; empty when the user opened none of it. */
	collection(name: string): Record<string, unknown> {
		const value = this.value(name);
		return isObject(value) ? { ...value } : {};
	}

	/** The item's own data, never to be changed. */
	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	/** Shows a warning beside the output, once for all items that have the same to tell. */
	warn(message: string): void {
		const { told } = this.parameters.hints;
		if (told.has(message)) return;
		told.add(message);
		warn(this.context, message);
	}

	/** The end of the run tells what this and the next ones are given, as `RunHints` says. */
	leaveOut(leftOut: readonly LeftOut[]): void {
		addNew(this.parameters.hints.leftOut, leftOut);
	}

	leaveUntyped(untyped: readonly UntypedField[]): void {
		addNew(this.parameters.hints.untyped, untyped);
	}

	goWithoutFile(): void {
		this.parameters.hints.withoutFile.add(this.index);
	}

	keepIds(fieldIds: readonly string[]): void {
		for (const fieldId of fieldIds) this.parameters.hints.unnamed.add(fieldId);
	}

	taskEnded(task: Task): void {
		this.parameters.hints.endedTasks.push(task);
	}

	/** Has the editor know that so many more records of a list are read, when that takes long. */
	readRecords(count: number): void {
		this.parameters.progress?.readRecords(count);
	}

	clock(offsetHours?: number): Clock {
		return offsetHours === undefined ? { zone: this.context.getTimezone() } : { offsetHours };
	}
}

/** An item to an operation, which gets its parameters as values. */
export type Item = Pick<
	ItemContext,
	| 'authentication'
	| 'client'
	| 'context'
	| 'goWithoutFile'
	| 'index'
	| 'keepIds'
	| 'leaveUntyped'
	| 'readRecords'
	| 'taskEnded'
	| 'warn'
>;

/** Adds to what is known the names that are not there for the same reason. */
function addNew<Told extends { name: string; reason: string }>(
	known: Told[],
	told: readonly Told[],
): void {
	for (const one of told) {
		if (!known.some(({ name, reason }) => name === one.name && reason === one.reason))
			known.push(one);
	}
}

function tellOfTasks(context: IExecuteFunctions, ended: readonly Task[]): void {
	const sum = sumOfTasks(ended);
	const which = ended.length === 1 ? 'The task' : `${ended.length} tasks`;
	const message = `${which} ended: ${taskCounts(sum)}`;
	const type = sum.succeeded && (sum.fail ?? 0) === 0 ? 'info' : 'warning';
	context.addExecutionHints?.({ message, type, location: 'outputPane' });
}

function withoutFileSentence(items: number): string | undefined {
	if (items === 0) return undefined;
	const subject = items === 1 ? '1 item has' : `${items} items have`;
	return `${subject} no file in an input data field that is named: 'Missing File' is set to Skip, so it was left out.`;
}

/** Shows a warning beside the node's output. */
export function warn(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
