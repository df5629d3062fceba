import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../service/client';
import { isRefusedWhole } from '../../../service/subtableRows';
import type { Subtable } from '../../../service/subtableRows';
import type { QueryParameter } from '../../../wire/query';
import type { ServiceError } from '../../../wire/serviceError';
import { formatSheetPath } from '../../../wire/sheetAddress';
import type { ItemParameters } from '../../itemParameters';
import { ItemResults } from '../../operationResult';
import type { OperationRun } from '../../operation';

/** What one item wants of a row. */
export interface RowPlan {
	subtable: Subtable;
	/** The row, unless it is new. */
	rowId?: string;
	parameters: QueryParameter[];
}

type RowResult = IDataObject | ServiceError;
type SendRows<Plan> = (client: Client, plans: readonly Plan[]) => Promise<RowResult[]>;

/** Few enough that an answer comes soon and a refusal names its row. */
const mostRows = 100;

/**
 * Runs an operation on rows so that those of one record share a request.
 *
 * When the service refuses the request as a whole, nothing was saved: then each row is sent by itself,
 * so that one row that is refused does not take the others along.
 *
 * @param plan reads what an item wants
 * @param send sends rows of one record, and yields a result, or what went wrong, for each
 */
export function rowsTogether<Plan extends RowPlan>(
	items: readonly ItemParameters[],
	plan: (item: ItemParameters, client: Client) => Promise<Plan>,
	send: SendRows<Plan>,
): OperationRun {
	const plans = new Map<ItemParameters, Promise<Plan>>();
	const batches = new Map<Plan, Batch<Plan>>();
	const identitiesRead = new Set<string>();

	async function planOf(item: ItemParameters, client: Client): Promise<Plan> {
		const known = plans.get(item) ?? plan(item, client);
		plans.set(item, known);
		return await known;
	}

	/**
	 * Batches of the rows of one identity. An item that cannot be planned says so in its own turn; when
	 * it will end the run, nothing of those behind it is sent before.
	 */
	async function readAll(identity: string, client: Client): Promise<void> {
		identitiesRead.add(identity);
		const latest = new Map<string, Batch<Plan>>();
		for (const item of items) {
			if (item.text('authentication') !== identity) continue;
			const found = await planOf(item, client).catch(() => undefined);
			if (!found && !item.context.continueOnFail()) break;
			if (!found) continue;
			const group = groupOf(found);
			const current = latest.get(group);
			const batch = current?.hasRoomFor(found) ? current : new Batch<Plan>(send);
			batch.add(item, found);
			batches.set(found, batch);
			latest.set(group, batch);
		}
	}

	return async ({ item, client }) => {
		const wanted = await planOf(item, client);
		const identity = item.text('authentication');
		if (!identitiesRead.has(identity)) await readAll(identity, client);
		const chosen = batches.get(wanted) ?? new Batch(send).add(item, wanted);
		return await chosen.results(client, item, wanted);
	};
}

class Batch<Plan extends RowPlan> {
	private readonly plans: Plan[] = [];
	private readonly itemIndexes: number[] = [];
	private sent?: Promise<RowResult[]>;

	constructor(private readonly send: SendRows<Plan>) {}

	add({ index }: ItemParameters, plan: Plan): this {
		this.itemIndexes.push(index);
		this.plans.push(plan);
		return this;
	}

	/** A row that is there already is changed again afterwards, in the order of the items. */
	hasRoomFor({ rowId }: Plan): boolean {
		const isThere = rowId !== undefined && this.plans.some((plan) => plan.rowId === rowId);
		return this.plans.length < mostRows && !isThere;
	}

	/** Results for all items of the batch, or after a refusal of all for the given one. */
	async results(client: Client, item: ItemParameters, plan: Plan): Promise<ItemResults> {
		this.sent ??= this.send(client, this.plans);
		return await this.sent.then(
			(results) => resultsOf(this.itemIndexes, results),
			async (error: unknown) => {
				if (this.plans.length < 2 || !isRefusedWhole(error)) throw error;
				return resultsOf([item.index], await this.send(client, [plan]));
			},
		);
	}
}

function resultsOf(itemIndexes: readonly number[], results: readonly RowResult[]): ItemResults {
	return new ItemResults(new Map(itemIndexes.map((index, place) => [index, results[place] ?? {}])));
}

function groupOf({ subtable, parameters }: RowPlan): string {
	const { sheet, recordId, subtableId } = subtable;
	return JSON.stringify([formatSheetPath(sheet), recordId, subtableId, parameters]);
}
