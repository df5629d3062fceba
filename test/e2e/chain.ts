import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { orders } from '../service';
import type { SavedCredential } from './editor';

export interface Step extends Partial<Omit<INode, 'name' | 'type' | 'parameters'>> {
	name: string;
	type: string;
	parameters: INodeParameters;
}

export const start = 'When clicking ‘Execute workflow’';

export const ordersLocator = {
	__rl: true,
	mode: 'path',
	value: `${orders.path}/${orders.index}`,
} as const;

export function recordLocator(value: number | string) {
	return { __rl: true, mode: 'id', value: String(value) } as const;
}

export function sheetRecords(
	name: string,
	credential: SavedCredential,
	parameters: INodeParameters,
	overrides: Partial<Step> = {},
): Step {
	return {
		name,
		type: 'n8n-nodes-sheet-records.sheetRecords',
		parameters: {
			resource: 'record',
			sheet: ordersLocator,
			authentication: credential.type === 'sheetRecordsApi' ? 'apiKey' : 'session',
			...parameters,
		},
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		...overrides,
	};
}

export function items(...list: object[]): Step[] {
	return [
		{
			name: 'Items',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items: list }), options: {} },
		},
		{
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'items', options: {} },
		},
	];
}

/** Builds a workflow with a manual trigger and the steps in sequence. */
export function chain(name: string, ...steps: Step[]): WorkflowJson {
	const trigger: Step = { name: start, type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const nodes = [trigger, ...steps].map(placed);
	return {
		name,
		nodes,
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map((node, index) => [
					nodes[index]?.name ?? '',
					{ main: [[{ node: node.name, type: 'main' as const, index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** A node that gets pinned items, one empty item, or the output of another branch. */
export interface Branch {
	parameters: INodeParameters;
	input?: IDataObject[];
	after?: string;
}

/** Builds a workflow with one branch for each operation. The names of branches begin with `<resource> <operation>`. */
export function branches(
	table: Record<string, Branch>,
	credential: SavedCredential,
): WorkflowJson & { pinData: Record<string, Array<{ json: IDataObject }>> } {
	const connections: WorkflowJson['connections'] = {};
	const pinData: Record<string, Array<{ json: IDataObject }>> = {};
	const connect = (from: string, to: string) => {
		const { main: [targets = []] = [] } = (connections[from] ??= { main: [[]] });
		targets?.push({ node: to, type: 'main', index: 0 });
	};
	const steps = Object.entries(table).flatMap(([name, { parameters, input = [{}], after }]) => {
		const [resource = '', operation = ''] = name.split(' ');
		const step = sheetRecords(name, credential, { resource, operation, ...parameters });
		const source = after ?? `Items of ${name}`;
		connect(source, name);
		if (after !== undefined) return [step];
		connect(start, source);
		pinData[source] = input.map((json) => ({ json }));
		return [{ name: source, type: 'n8n-nodes-base.noOp', parameters: {} }, step];
	});
	const trigger: Step = { name: start, type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const nodes = [trigger, ...steps].map((step, index) => ({
		...placed(step, index),
		// n8n runs the branches from top to bottom.
		position: [step.type === 'n8n-nodes-sheet-records.sheetRecords' ? 400 : 0, index * 120] as [
			number,
			number,
		],
	}));
	return { name: 'Branches', nodes, connections, pinData, settings: { executionOrder: 'v1' } };
}

export function placed(step: Step, index: number): INode {
	return { id: `node-${index}`, typeVersion: 1, position: [index * 220, 0], ...step };
}

const folder = join(__dirname, '../workflows');

/** Returns the names of all example workflows. Names of complete jobs begin with `jobs/`. */
export function exampleNames(): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.json'))
		.map((path) => path.slice(0, -'.json'.length))
		.sort();
}

export function example(name: string): WorkflowJson {
	return jsonParse<WorkflowJson>(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
