import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { orders } from '../service';
import { answerAtOnce } from './answerAtOnce';
import { sheetRecords } from './built';

/** How long the node itself takes for an item, when few and when many items come in. */
export interface GrowthResult {
	operation: string;
	/** Microseconds of one item, by how many there were. */
	microseconds: Array<{ items: number; each: number }>;
	/** Of an item among most, to one among fewest. */
	growth: number;
}

type Parameters = Record<string, unknown>;

const sheet = { __rl: true, mode: 'path', value: `${orders.path}/${orders.index}` };
const subtable = { sheet, subtableId: orders.subtables.lines.id };
const byItem = { mappingMode: 'autoMapInputData', matchingColumns: [orders.fields.reference] };
const mapper = { inputMode: 'fields', fields: byItem, ...nested('fields', byItem) };
const writes = { sheet, ...mapper };

const row = { ...mapper, ...subtable };
const onOwn = { sheet, recordId: ownId };

/** Every operation that loops, with each item on a record of its own unless it says otherwise. */
const operations: Array<[name: string, more: Parameters, note?: string]> = [
	['record.create', writes],
	['record.update', { ...writes, ...onOwn }],
	['record.upsert', writes],
	['record.delete', onOwn],
	['record.getAll', { sheet, returnAll: true, simplify: true }, ', for each record'],
	['record.get', { ...onOwn, simplify: true }],
	['subtableRow.add', { ...row, ...onOwn }],
	['subtableRow.add', { ...row, recordId: '1' }, ', all to one record'],
	['subtableRow.update', { ...row, ...onOwn, rowId: '1' }],
	['subtableRow.delete', { ...subtable, ...onOwn, rowId: '1' }],
	['comment.add', { ...onOwn, comment: 'Hello' }],
	['lock.lock', onOwn],
	['actionButton.run', { ...onOwn, buttonId: '1' }],
	[
		'massOperation.lock',
		{
			...{ sheet, selection: 'inputItems', recordIdField: '_recordId' },
			...{ lockAction: 'lock', waitForCompletion: true },
		},
	],
	['task.get', { taskId: '1' }],
];

/**
 * Runs each operation over more and more items with a service that answers at once, so that nothing
 * but the node's own work is measured.
 */
export async function measureGrowth(sizes: readonly number[]): Promise<GrowthResult[]> {
	const results: GrowthResult[] = [];
	for (const [name, more, note = ''] of operations) {
		const [resource, operation] = name.split('.');
		const parameters = { authentication: 'apiKey', resource, operation, ...more };
		const microseconds: GrowthResult['microseconds'] = [];
		await run(parameters, 200);
		for (const items of sizes) {
			const begun = performance.now();
			await run(parameters, items);
			microseconds.push({ items, each: ((performance.now() - begun) / items) * 1000 });
		}
		const fewest = microseconds[0]?.each ?? NaN;
		const most = microseconds[microseconds.length - 1]?.each ?? NaN;
		results.push({ operation: `${name}${note}`, microseconds, growth: most / fewest });
	}
	return results;
}

async function run(parameters: Parameters, count: number): Promise<void> {
	const isList = parameters.operation === 'getAll';
	const items = Array.from({ length: isList ? 1 : count }, (_, index) => ({
		json: {
			_recordId: index + 1,
			[orders.fields.reference]: `REF-${index}`,
			[orders.subtables.lines.fields.article]: 'Chair',
		},
	}));
	const node = new sheetRecords.SheetRecords();
	const [output = []] = await node.execute.call(contextOf(parameters, items, count));
	if (output.length === 0) throw new Error('Nothing came out');
}

/** What n8n answers for parameters that nobody has set. */
function defaultsOf({ resource, operation }: Parameters): Map<string, unknown> {
	const { properties } = new sheetRecords.SheetRecords().description;
	const shown = properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.resource?.includes(String(resource)) && show.operation?.includes(String(operation)),
	);
	return new Map(shown.map((property) => [property.name, property.default]));
}

/** As much of n8n as the node asks for; with n8n's own, its expressions would be most of what is measured. */
function contextOf(
	parameters: Parameters,
	items: Array<{ json: IDataObject }>,
	recordCount: number,
): IExecuteFunctions {
	const defaults = defaultsOf(parameters);
	const credential = {
		baseUrl: 'https://localhost',
		account: 'acme',
		apiKey: 'key',
		requestsPerSecond: 0,
	};
	const context = {
		getInputData: () => items,
		getNodeParameter: (
			name: string,
			index: number,
			fallback: unknown,
			{ rawExpressions = false } = {},
		) => {
			const value = parameters[name] ?? fallback ?? defaults.get(name);
			if (typeof value !== 'function') return value;
			return rawExpressions ? '={{ }}' : value(index);
		},
		getNode: () => ({ name: 'Sheet Records', parameters: {} }),
		getTimezone: () => 'UTC',
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		getCredentials: async () => credential,
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				answerAtOnce(options, recordCount),
		},
	};
	// n8n's contexts have some hundred members; these operations use these.
	return context as unknown as IExecuteFunctions;
}

function ownId(index: number): string {
	return String(index + 1);
}

/** n8n answers for `fields.mappingMode` as for `fields`. */
function nested(name: string, members: Parameters): Parameters {
	return Object.fromEntries(
		Object.entries(members).map(([member, value]) => [`${name}.${member}`, value]),
	);
}
