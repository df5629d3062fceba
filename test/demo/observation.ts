import type { INode, ITaskData } from 'n8n-workflow';

import type { WorkflowJson } from '../engine/runner';
import { orders, type ReferenceService, type Sheet, type SheetRecord } from '../service';

/** One node's run, as a row of the table. */
export interface Step {
	node: string;
	operation: string;
	itemsIn: number;
	itemsOut: number;
	requests: number;
	milliseconds: number;
}

/** A demo order as the service holds it. */
export interface OrderState {
	id: number;
	reference: string;
	customerNumber: string;
	customerName: string;
	orderDate: string;
	status: string;
	total: string;
	remark: string;
	lines: number;
}

const { fields, subtables } = orders;

/** Watches a run from the outside: the service's state and requests around every node. */
export class Observation {
	readonly steps: Step[] = [];

	/** The demo orders that the service held before the run. */
	readonly before: OrderState[];

	/** All orders that are none of the demo's, as text, before the run. */
	readonly othersBefore: string;

	private readonly statesAfter = new Map<string, OrderState[]>();

	private readonly itemsOut = new Map<string, number>();

	private requestsBefore = 0;

	constructor(
		private readonly service: ReferenceService,
		private readonly workflow: WorkflowJson,
	) {
		this.before = this.demoOrders();
		this.othersBefore = this.others();
	}

	nodeStarts(): void {
		this.requestsBefore = this.service.requests.count;
	}

	nodeEnds(name: string, task: ITaskData): void {
		const itemsOut = (task.data?.main ?? []).flatMap((items) => items ?? []).length;
		this.itemsOut.set(name, itemsOut);
		this.statesAfter.set(name, this.demoOrders());
		this.steps.push({
			node: name,
			operation: operationOf(this.workflow.nodes.find((node) => node.name === name)),
			itemsIn: this.itemsOut.get(task.source[0]?.previousNode ?? '') ?? 0,
			itemsOut,
			requests: this.service.requests.count - this.requestsBefore,
			milliseconds: task.executionTime,
		});
	}

	/** The demo orders that the service held after a node, by reference. */
	after(node: string): OrderState[] {
		return this.statesAfter.get(node) ?? [];
	}

	/** How many demo orders there were, at first and whenever that changed. */
	counts(): string {
		const changes: string[] = [];
		let last = this.before.length;
		for (const [node, { length }] of this.statesAfter) {
			if (length !== last) changes.push(`${length} (${node})`);
			last = length;
		}
		return `${this.before.length}, then ${changes.join(', ')}`;
	}

	/** All orders that are none of the demo's, as text. */
	others(): string {
		const records = [...this.sheet.records.values()].filter((record) => !isDemoOrder(record));
		return JSON.stringify(records.map(({ id, values }) => [id, [...values]]));
	}

	private demoOrders(): OrderState[] {
		return [...this.sheet.records.values()]
			.filter(isDemoOrder)
			.map(orderState)
			.sort((left, right) => left.reference.localeCompare(right.reference));
	}

	private get sheet(): Sheet {
		return this.service.data.sheet(orders);
	}
}

function isDemoOrder(record: SheetRecord): boolean {
	return record.text(fields.reference).startsWith('DEMO-');
}

function orderState(record: SheetRecord): OrderState {
	return {
		id: record.id,
		reference: record.text(fields.reference),
		customerNumber: record.text(fields.customerNumber),
		customerName: record.text(fields.customerName),
		orderDate: record.text(fields.orderDate),
		status: record.text(fields.status),
		total: record.text(fields.total),
		remark: record.text(fields.remark),
		lines: record.subtables.get(subtables.lines.id)?.size ?? 0,
	};
}

function operationOf(node: INode | undefined): string {
	const { operation, resource } = node?.parameters ?? {};
	return operation ? `${String(resource)}: ${String(operation)}` : '(n8n)';
}
