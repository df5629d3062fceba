import type { INodeParameters } from 'n8n-workflow';
import { orders, type ReferenceService } from '../../service';
import { byConditions, byIds, mass } from '../massOperation/massParameters';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, withFiles } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { linesOf } from '../subtableRow/rowTestbed';
import {
	reading,
	requestFor,
	changing,
	isUpload,
	isWrite,
	type OperationCase,
	type StruckRequest,
} from './operation';

const { fields } = orders;
const { lines } = orders.subtables;
const ofOrders = { sheet: sheet(orders) };
const eleven = { ...ofOrders, recordId: recordId(11) };
const fifty = { ...ofOrders, recordId: recordId(50) };

const order = ({ data }: ReferenceService, id: number) => data.record(orders, id);
const contractOf = ({ data }: ReferenceService) => data.record(orders, 50).text(fields.contract);
const updatesOf = (id: number) => (service: ReferenceService) =>
	order(service, id).history.filter(({ type }) => type === 'Update').length;
const remarkOf = (service: ReferenceService) => [
	{ _recordId: 11, [fields.remark]: order(service, 11).text(fields.remark) },
];

const readsOrder: StruckRequest = {
	name: 'reads the record',
	kind: 'reads',
	matches: requestFor('/orders/1/11?'),
};
const writes: StruckRequest = { name: 'writes', kind: 'changes', matches: isWrite };
const downloads: StruckRequest = {
	name: 'downloads the file',
	kind: 'downloads',
	matches: requestFor('/sims/file.jsp'),
	isNamedInWarning: true,
};
const options = (values: INodeParameters): INodeParameters => ({ options: values });

/** Prepares a service whose files can be downloaded with an API key. */
const withOpenFiles = ({ switches }: ReferenceService) => {
	switches.keyReadsOpenSession = false;
	switches.defaultOrder = 'oldestFirst';
};
/** The file of the order with the only contract. It must be complete. */
const isContract = (file: Buffer, service: ReferenceService) =>
	service.data.files.get(contractOf(service))?.content.equals(file) === true;

function readingWithFiles(name: string, overrides: INodeParameters, readAt: string): OperationCase {
	return reading(name, {
		variant: 'with Download Files',
		parameters: { ...overrides, ...options({ downloadFiles: fields.contract, fieldKeys: 'id' }) },
		prepare: withOpenFiles,
		requests: [{ name: 'reads', kind: 'reads', matches: requestFor(readAt) }, downloads],
		itemsOf: (service) => [{ _recordId: 50, [fields.contract]: contractOf(service) }],
	});
}

/** Options that change how many requests of which kinds a read sends. */
const reads: OperationCase[] = [
	reading('record.getAll', {
		variant: 'with a Page Size that no other page follows',
		// Larger than a page that the node would divide if the service cannot deliver it.
		parameters: { ...ofOrders, returnAll: true, ...options({ pageSize: 2_000 }) },
		itemsOf: ({ data, switches }) => {
			const ids = [...data.sheet(orders).records.keys()];
			if (switches.defaultOrder === 'newestFirst') ids.reverse();
			return ids.map((_recordId) => ({ _recordId }));
		},
	}),
	readingWithFiles('record.get', fifty, '/orders/1/50?'),
	readingWithFiles(
		'record.getAll',
		{
			...ofOrders,
			...{
				filters: { conditions: [{ field: fields.orderNumber, operator: 'eq', value: 'SO-00050' }] },
			},
		},
		'where=',
	),
	reading('massOperation.lock', {
		variant: 'with Preview, by conditions',
		parameters: mass('lock', {
			...byConditions([fields.orderNumber, 'eq', 'SO-00011']),
			...options({ preview: true }),
		}),
		requests: [{ name: 'reads', kind: 'reads', matches: requestFor('where=') }],
		changes: ({ tasks }) => tasks.all.length,
		itemsOf: () => [{ _recordId: 11 }],
	}),
	reading('massOperation.lock', {
		variant: 'with Preview, by IDs',
		parameters: mass('lock', { ...byIds('11'), ...options({ preview: true }) }),
		requests: [readsOrder],
		changes: ({ tasks }) => tasks.all.length,
		itemsOf: () => [{ _recordId: 11 }],
	}),
];

const readAt = { _recordId: 11, _update_date: '2040/01/01 00:00:00' };

/** Options with which a write reads the record before it. */
const comparing: OperationCase[] = [
	changing('record.update', {
		variant: 'with On Conflict',
		parameters: {
			...eleven,
			...asJson({ [fields.remark]: 'changed' }),
			...options({ onConflict: 'error' }),
		},
		items: () => [{ json: readAt }],
		requests: [readsOrder, writes],
		changes: updatesOf(11),
		itemsOf: remarkOf,
	}),
	changing('record.update', {
		variant: 'with Skip Unchanged',
		parameters: {
			...eleven,
			...asJson({ [fields.remark]: 'changed' }),
			...options({ skipUnchanged: true }),
		},
		requests: [readsOrder, writes],
		changes: updatesOf(11),
		itemsOf: remarkOf,
	}),
	changing('record.update', {
		variant: 'with Rows Mode Replace',
		parameters: {
			...eleven,
			...asJson({ [`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'only' }] }),
			...options({ rowsMode: 'replace' }),
		},
		requests: [readsOrder, writes],
		changes: updatesOf(11),
		itemsOf: (service) => {
			expect(linesOf(service, 11).map(([, article]) => article)).toEqual(['only']);
			return [{ _recordId: 11 }];
		},
	}),
	reading('record.update', {
		variant: 'with Dry Run',
		parameters: {
			...eleven,
			...asJson({ [fields.remark]: 'changed' }),
			...options({ dryRun: true }),
		},
		requests: [readsOrder],
		changes: updatesOf(11),
		itemsOf: () => [{ _recordId: 11, _action: 'wouldUpdate' }],
	}),
];

/** Returns the names of the contracts of order 50, which has one at first. */
const contractNames = (service: ReferenceService) =>
	storedFiles(service, orders, 50, fields.contract).map((file) => file?.name ?? '');

/** Options with which one item makes several changes, or only submits a task. */
const inSteps: OperationCase[] = [
	changing('record.update', {
		variant: 'with Files Mode Replace',
		parameters: {
			...fifty,
			...asJson({}),
			options: { ...Object(withFiles([fields.contract, 'data']).options), filesMode: 'replace' },
		},
		items: async () => [await itemWithFiles({}, { data: textFile('new.txt') })],
		requests: [
			{ name: 'reads the record', kind: 'reads', matches: requestFor('/orders/1/50?') },
			{
				name: 'empties the field',
				kind: 'changes',
				matches: (request) => isWrite(request) && !isUpload(request),
			},
			{ name: 'uploads', kind: 'changes', matches: isUpload, changesBefore: 1 },
		],
		changes: (service) => {
			const names = contractNames(service);
			const isEmptied = names.every((file) => file === 'new.txt');
			return Number(isEmptied) + names.filter((file) => file === 'new.txt').length;
		},
		changesInAll: 2,
		itemsOf: () => [{ _recordId: 50 }],
	}),
	changing('massOperation.lock', {
		variant: 'without Wait for Completion',
		parameters: mass('lock', { ...byIds('11,12'), waitForCompletion: false }),
		changes: ({ tasks }) => tasks.all.length,
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id })),
	}),
];

/** Operations with the options that change their requests. */
export const operationsWithOptions: OperationCase[] = [...reads, ...comparing, ...inSteps].map(
	(operation) =>
		operation.requests.includes(downloads) ? { ...operation, isWhole: isContract } : operation,
);
