import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import type { CredentialType } from '../../api/http/connection';
import { yieldWhenBlocked } from '../../api/http/eventLoop';
import { objectState } from '../../api/http/processState';
import { ServiceError } from '../../api/http/serviceError';
import { withCancel } from '../../api/http/waiting';
import { getOrInsert } from '../../api/json/objects';
import { RecordItems } from '../../api/read/record';
import { sourceRecordId } from '../../api/read/recordKeys';
import { hasChangeDate } from '../../api/write/conflicts';
import { connect } from '../../shared/connect';
import { recordIn } from '../../shared/trigger';
import type { Hints } from './hints';
import { Deferred, type ItemOutcome, type OperationResult } from './operationResult';
import { RunJournal, type ItemJournal } from './runJournal';
import { sharedCredential } from './sharedCredential';
import type { RunCost } from './writeReport';

const second = 1000;
/** Maximum time for which items without requests, such as unchanged ones, block the event loop, in ms. One item may exceed it. */
const maxItemBlockMilliseconds = 25;
/** Maximum number of source records that are loaded together. They stay in memory until their items run. */
const maxSourceRecords = 500;

const journalsOfRuns = objectState<object, RunJournal>('runJournals');

/** The state of one execution of the node. With Retry On Fail, each attempt has its own run, and only the journal is shared. */
export class Run {
	/** Keys of the records that the run has written, or would write in a dry run (see `recordKey`). */
	readonly writtenKeys = new Set<string>();
	/** Converts saved records to items. Records with the same fields share their layout. */
	readonly savedItems = new RecordItems(true);
	readonly journal: RunJournal;
	private matchCount?: number;
	private isAnyDated?: boolean;
	/** Values of parameters. `index` is the item that a parameter with an expression was evaluated for. */
	private readonly parameters = new Map<string, { index?: number; value: unknown }>();
	private readonly clients = new Map<CredentialType, Promise<Client>>();
	private readonly beganCancelled: boolean;
	/** Monotonic time in ms (performance.now()). */
	private progressShownAt = performance.now();
	/** Indexes of finished items. Batched items finish before the loop reaches them. */
	private readonly itemsDone: Set<number>;
	private recordsRead = 0;
	private readonly yieldIfBlocked = yieldWhenBlocked(maxItemBlockMilliseconds);

	constructor(readonly context: IExecuteFunctions) {
		this.journal = journalOf(context);
		this.itemsDone = new Set(this.journal.settled.keys());
		this.beganCancelled = this.isCancelled;
	}

	get hints(): Hints {
		return this.journal.hints;
	}

	/** Number of records that match the filters of all items; NaN if it is unknown, undefined if no list was read for a tool. */
	get matchedRecords(): number | undefined {
		return this.matchCount;
	}

	/** Adds the number of records that match the filters of an item, for the answer of a tool; NaN if they could not be counted. */
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

	/**
	 * Must be called before each part of the work on an item. Yields to the event loop if the run has blocked it. Throws the reason
	 * of the signal if the execution was cancelled: an item without requests would not notice.
	 */
	async beforeItem(): Promise<void> {
		await withCancel(this.yieldIfBlocked(), this.context.getExecutionCancelSignal?.());
	}

	/** Whether one of the items has the date of its record's last change. If so, the outputs of all items have the same keys. */
	get hasChangeDates(): boolean {
		const hasDate = ({ json }: INodeExecutionData) => hasChangeDate(recordIn(json));
		return (this.isAnyDated ??= this.context.getInputData().some(hasDate));
	}

	/** Returns the IDs of the records that this item and the following ones were read from, for at most `maxSourceRecords` items. */
	sourceIds(index: number): string[] {
		const items = this.context.getInputData().slice(index, index + maxSourceRecords);
		return items.flatMap(({ json }) => sourceRecordId(recordIn(json)) ?? []);
	}

	/** Returns the client for an item's credential. Throws InputError if the credential cannot be used, or differs between the items. */
	async client(type: CredentialType, index: number): Promise<Client> {
		// Failures are cached, too, because each attempt compares the credentials of all items.
		const client = await getOrInsert(this.clients, type, async () => {
			const credential = await sharedCredential(this, type);
			const connected = await connect(this.context, type, credential);
			this.journal.sent.add(connected.cache.sent);
			return connected;
		});
		return client.withJournal(this.journalOf(index).steps);
	}

	/**
	 * Returns a parameter as n8n evaluates it for an item; undefined if it is hidden. Evaluation is slow, so a parameter without
	 * an expression is evaluated once for all items.
	 */
	parameter(name: string, index: number): unknown {
		const { context, parameters } = this;
		const known = parameters.get(name);
		if (known && (known.index ?? index) === index) return known.value;
		// n8n throws for a hidden parameter if there is no fallback value.
		const value = context.getNodeParameter(name, index, null) ?? undefined;
		const written = () => context.getNodeParameter(name, 0, null, { rawExpressions: true });
		const hasExpression = known !== undefined || holdsExpression(written());
		parameters.set(name, { index: hasExpression ? index : undefined, value });
		return value;
	}

	/**
	 * Returns the result of an item: that of an earlier attempt if it was written or decided then, otherwise that of `work`. Items that
	 * only read, and items that failed, run again in each attempt. Throws the errors of `work`, and the error of an earlier attempt if
	 * the outcome of a write is unknown.
	 */
	async outcome(
		index: number,
		work: () => Promise<ItemOutcome>,
	): Promise<Deferred | OperationResult> {
		const settled = this.journal.settled.get(index);
		if (settled instanceof ServiceError) throw settled;
		if (settled) return settled;
		const journal = this.journalOf(index);
		journal.steps.startOver();
		const outcome = await work().catch((error: unknown) => {
			if (error instanceof ServiceError && error.details.isDoubtful) this.settle(index, error);
			throw error;
		});
		if (outcome instanceof Map) {
			for (const [batchedIndex, batchedResult] of outcome) {
				if (!(batchedResult instanceof Error)) this.settle(batchedIndex, batchedResult);
			}
			const result = outcome.get(index) ?? [];
			if (result instanceof Error) throw result;
			return result;
		}
		if (outcome instanceof Deferred) return outcome;
		if (journal.steps.count > 0 || journal.isDecided) this.settle(index, outcome);
		return outcome;
	}

	/** Number of requests and duration of all attempts. */
	get cost(): RunCost {
		const { begunAt, sent } = this.journal;
		const requests = [...sent].reduce((sum, counter) => sum + counter.requests, 0);
		return { requests, milliseconds: performance.now() - begunAt };
	}

	/** Shows the hints of all attempts, and the waiting time of requests. Called at the end of a run, because n8n drops the hints of a failed attempt. */
	async showHints(): Promise<void> {
		for (const client of await Promise.allSettled(this.clients.values())) {
			if (client.status === 'fulfilled') this.hints.addWait(client.value.cache.waited);
		}
		this.hints.show(this.context);
	}

	/** Shows a line in the browser's console if the workflow runs in the editor. Never throws. */
	show(line: string): void {
		try {
			this.context.sendMessageToUI?.(line);
		} catch {
			// No editor is open.
		}
	}

	/** Counts a finished item or records that were read, and shows the totals, at most once per second. */
	progress({ item, records = 0 }: { item?: number; records?: number }): void {
		if (item !== undefined) this.itemsDone.add(item);
		this.recordsRead += records;
		const now = performance.now();
		const isEnd = this.itemsDone.size === this.context.getInputData().length;
		if (isEnd || now - this.progressShownAt < second) return;
		this.progressShownAt = now;
		this.show(this.recordsRead > 0 ? `${this.progressText} so far` : this.progressText);
	}

	/** Shows the progress at the time of a cancellation, because n8n stores neither the items nor the error of a cancelled node. */
	showCancelled(): void {
		// n8n also repeats a cancelled node (Retry On Fail). The first attempt has already shown the progress.
		if (!this.beganCancelled && this.progressText !== '') {
			this.show(`Cancelled after ${this.progressText}`);
		}
	}

	private get progressText(): string {
		const { itemsDone, recordsRead } = this;
		const { length } = this.context.getInputData();
		const items = length > 1 ? `${itemsDone.size} of ${length} items` : '';
		const records = recordsRead > 0 ? `${recordsRead} record${recordsRead === 1 ? '' : 's'}` : '';
		return [items, records].filter(Boolean).join(', ');
	}

	/** Returns what this and earlier attempts have done for an item that has no result yet. */
	journalOf(index: number): ItemJournal {
		return this.journal.ofItem(index);
	}

	private settle(index: number, result: OperationResult | ServiceError): void {
		this.itemsDone.add(index);
		this.journal.settle(index, result);
	}
}

/**
 * Returns the journal of earlier attempts of the same run, or of the same call of a tool; a new one without Retry On Fail. It is
 * stored by the object that n8n passes to all these attempts and to no others: the execution data, or the arguments of the call.
 */
export function journalOf(context: IExecuteFunctions): RunJournal {
	if (!context.getNode().retryOnFail) return new RunJournal();
	// The calls of an agent's tool all get the execution data of the agent.
	const isToolCall = 'getNextRunIndex' in context;
	const key = isToolCall ? context.getInputData()[0]?.json : context.getExecuteData();
	return key ? getOrInsert(journalsOfRuns, key, () => new RunJournal()) : new RunJournal();
}

function holdsExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	if (typeof written !== 'object' || written === null) return false;
	return Object.values(written).some(holdsExpression);
}
