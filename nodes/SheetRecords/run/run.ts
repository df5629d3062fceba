import type { IExecuteFunctions } from 'n8n-workflow';
import { type Client, ConfirmedWrites } from '../../api/http/client';
import type { CredentialType } from '../../api/http/connection';
import { ServiceError } from '../../api/http/serviceError';
import { getOrInsert } from '../../api/json/objects';
import { sourceRecordId } from '../../api/read/recordKeys';
import { connect } from '../../shared/connect';
import { recordIn } from '../../shared/trigger';
import { Hints } from './hints';
import { Deferred, type ItemOutcome, type OperationResult } from './operationResult';
import { sharedCredential } from './sharedCredential';

const second = 1000;
/** Records that are read together: they are in memory until their items come. */
const mostReadTogether = 500;

/** What n8n's Retry On Fail must not do again when it runs the node again for all items, since one failed. */
class Outcomes {
	readonly hints = new Hints();
	/** Results of items that were written, and errors of those of which nobody knows whether they were: nothing is to be done for them any more. */
	readonly settled = new Map<number, OperationResult | ServiceError>();
	/** Confirmed writes of items that have no result yet. */
	readonly writes = new Map<number, ConfirmedWrites>();
	/** File fields that were emptied for new files. */
	readonly emptiedFields = new Set<string>();
}

const outcomesOfRuns = new WeakMap<object, Outcomes>();

/** The state of one execution of the node, or of one try of it: only its outcomes go on to the next try. */
export class Run {
	/** The places of records that the run has written, or would write in a dry run. */
	readonly ownWrites = new Set<string>();
	readonly outcomes: Outcomes;
	private matchCount?: number;
	/** The values of parameters, with the number of their item where they hold an expression. */
	private readonly parameters = new Map<string, { index?: number; value: unknown }>();
	private readonly clients = new Map<CredentialType, Promise<Client>>();
	private readonly beganCancelled: boolean;
	/** Milliseconds of a clock that is never set. */
	private progressShownAt = performance.now();
	/** The numbers of items that are done: those that are worked on together, ahead of their turn. */
	private readonly itemsDone: Set<number>;
	private recordsRead = 0;

	constructor(readonly context: IExecuteFunctions) {
		this.outcomes = outcomesOf(context);
		this.itemsDone = new Set(this.outcomes.settled.keys());
		this.beganCancelled = this.isCancelled;
	}

	get hints(): Hints {
		return this.outcomes.hints;
	}

	/** Number of records that match the filters of all items; undefined if no list was read for a tool. */
	get matchedRecords(): number | undefined {
		return this.matchCount;
	}

	/** Adds the number of records that match the filters of an item, for the answer of a tool. */
	addMatches(count: number): void {
		this.matchCount = (this.matchCount ?? 0) + count;
	}

	/** Whether the node runs as a tool of an AI agent. n8n appends "Tool" to its type then. */
	get isTool(): boolean {
		return this.context.getNode().type.endsWith('Tool');
	}

	get isCancelled(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted === true;
	}

	/** Returns the ids of the records that this item and some behind it were read from. */
	sourceIds(index: number): string[] {
		const items = this.context.getInputData().slice(index, index + mostReadTogether);
		return items.flatMap(({ json }) => sourceRecordId(recordIn(json)) ?? []);
	}

	/** Returns the client with a credential, for one item. Throws InputError if the credential cannot be used, or is not the same for all its items. */
	async client(type: CredentialType, index: number): Promise<Client> {
		// A failure is kept, too: comparing all items again for each of them would take long.
		const client = await getOrInsert(this.clients, type, async () => {
			const parameterOf = (name: string, item: number) => this.parameter(name, item);
			const credential = await sharedCredential(this.context, type, parameterOf);
			return await connect(this.context, type, credential);
		});
		return client.confirming(this.writesOf(index));
	}

	/**
	 * Returns the parameter as n8n evaluates it for an item; undefined when it is not shown. That takes time: one
	 * without an expression is evaluated once for all items, any other once for each.
	 */
	parameter(name: string, index: number): unknown {
		const { context, parameters } = this;
		const known = parameters.get(name);
		if (known && (known.index ?? index) === index) return known.value;
		// n8n throws for a parameter that is not shown unless it has something to return.
		const value = context.getNodeParameter(name, index, null) ?? undefined;
		const written = () => context.getNodeParameter(name, 0, null, { rawExpressions: true });
		const hasExpression = known !== undefined || holdsExpression(written());
		parameters.set(name, { index: hasExpression ? index : undefined, value });
		return value;
	}

	/**
	 * Returns the result of an item: the one that stands, or that of `work`. What was only read is read again in the
	 * next try, and what failed is tried again. Throws the item's error that stands, or what `work` throws.
	 */
	async outcome(
		index: number,
		work: () => Promise<ItemOutcome>,
	): Promise<Deferred | OperationResult> {
		const settled = this.outcomes.settled.get(index);
		if (settled instanceof ServiceError) throw settled;
		if (settled) return settled;
		const writes = this.writesOf(index);
		writes.startOver();
		const outcome = await work().catch((error: unknown) => {
			if (error instanceof ServiceError && error.details.isDoubtful) this.settle(index, error);
			throw error;
		});
		if (outcome instanceof Map) {
			for (const [other, result] of outcome) {
				if (!(result instanceof Error)) this.settle(other, result);
			}
			const own = outcome.get(index) ?? [];
			if (own instanceof Error) throw own;
			return own;
		}
		if (outcome instanceof Deferred) return outcome;
		if (writes.answers.size > 0) this.settle(index, outcome);
		return outcome;
	}

	/** Shows the hints of all tries, and how long requests waited. Called at the end of a run: n8n drops the hints of a try that failed. */
	async showHints(): Promise<void> {
		for (const client of await Promise.allSettled(this.clients.values())) {
			if (client.status === 'fulfilled') this.hints.addWait(client.value.cache.waited);
		}
		this.hints.show(this.context);
	}

	/** Shows a line in the browser's console while the workflow runs in the editor; where that fails, the run goes on. */
	show(line: string): void {
		try {
			this.context.sendMessageToUI?.(line);
		} catch {
			// No editor is open.
		}
	}

	/** Counts what was done, and shows all of it: at most once a second, and not in the first. */
	progress({ item, records = 0 }: { item?: number; records?: number }): void {
		if (item !== undefined) this.itemsDone.add(item);
		this.recordsRead += records;
		const now = performance.now();
		const isEnd = this.itemsDone.size === this.context.getInputData().length;
		if (isEnd || now - this.progressShownAt < second) return;
		this.progressShownAt = now;
		this.show(this.recordsRead > 0 ? `${this.done} so far` : this.done);
	}

	/** Shows what was done before the run was cancelled: n8n stores neither items nor error of a cancelled node. */
	showCancelled(): void {
		// n8n tries again what was cancelled, and the try before has shown it.
		if (!this.beganCancelled && this.done !== '') this.show(`Cancelled after ${this.done}`);
	}

	private get done(): string {
		const { itemsDone, recordsRead } = this;
		const { length } = this.context.getInputData();
		const items = length > 1 ? `${itemsDone.size} of ${length} items` : '';
		const records = recordsRead > 0 ? `${recordsRead} record${recordsRead === 1 ? '' : 's'}` : '';
		return [items, records].filter(Boolean).join(', ');
	}

	private writesOf(index: number): ConfirmedWrites {
		return getOrInsert(this.outcomes.writes, index, () => new ConfirmedWrites());
	}

	private settle(index: number, result: OperationResult | ServiceError): void {
		this.itemsDone.add(index);
		this.outcomes.settled.set(index, result);
		this.outcomes.writes.delete(index);
	}
}

/**
 * Returns the outcomes of earlier tries of the same run. n8n hands the same data of the run to each of its tries, and to
 * no other run: where those are gone, nothing is kept.
 */
export function outcomesOf(context: IExecuteFunctions): Outcomes {
	// A tool of an agent sees the data of the agent's run, however often it is called.
	if (!context.getNode().retryOnFail || 'getNextRunIndex' in context) return new Outcomes();
	return getOrInsert(outcomesOfRuns, context.getExecuteData(), () => new Outcomes());
}

function holdsExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	if (typeof written !== 'object' || written === null) return false;
	return Object.values(written).some(holdsExpression);
}
