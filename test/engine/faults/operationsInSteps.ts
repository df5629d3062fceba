import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, type ReferenceService } from '../../service';
import { upload } from '../file/fileTestbed';
import { assign, byIds, mass, replace } from '../massOperation/massParameters';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { linesOf, onLines } from '../subtableRow/rowTestbed';
import {
	requestFor,
	changing,
	isUpload,
	isWrite,
	type OperationCase,
	type StruckRequest,
} from './operation';

const { customerNumber, name, city } = customers.fields;

function upsert(matchFields: string[], values: object, overrides: INodeParameters = {}) {
	return {
		...{ resource: 'record', operation: 'upsert', sheet: sheet(customers) },
		...{ matchFields, ...asJson(values), ...overrides },
	};
}

const looksForTheRecord: StruckRequest = {
	name: 'looks for the record',
	kind: 'reads',
	matches: requestFor('where='),
};
const newCustomers = ({ data }: ReferenceService) =>
	[...data.sheet(customers).records.values()].filter(
		(customer) => customer.text(customerNumber) === 'C-9999',
	);
/** Returns the IDs of the new records with the name of customer 5. There are 300 customers at first. */
const copiesOfFive = ({ data }: ReferenceService) =>
	[...data.sheet(customers).records.values()]
		.filter((copy) => copy.text(name) === data.record(customers, 5).text(name))
		.filter(({ id }) => id > 300)
		.map(({ id }) => id);
const updatesOf =
	(...ids: number[]) =>
	({ data }: ReferenceService) =>
		ids.flatMap((id) => data.record(customers, id).history.filter(({ type }) => type === 'Update'))
			.length;
const updatesCustomer = (id: number): StruckRequest['matches'] => {
	return ({ method, rawUrl }) => method === 'POST' && rawUrl.includes(`/2/${id}?`);
};

/** Returns the names of the files in the contract of order 50, which contains one at first. */
const contractNames = (service: ReferenceService) =>
	storedFiles(service, orders, 50, orders.fields.contract).map((file) => file?.name ?? '');

const button = { buttonId: { __rl: true, mode: 'id', value: orders.buttons.cancel } };

function massCase(operation: string, overrides: INodeParameters = {}): OperationCase {
	const options = { pollInterval: 0.01, timeout: '={{ $json.patience }}' };
	const looks: StruckRequest = {
		name: 'looks at the task',
		kind: 'polls',
		matches: requestFor('taskId='),
		changesBefore: 1,
	};
	return changing(`massOperation.${operation}`, {
		parameters: mass(operation, { ...byIds('11,12'), ...overrides, options }),
		requests: [{ name: 'submits', kind: 'changes', matches: isWrite }, looks],
		changes: ({ tasks }) => tasks.all.length,
		itemsOf: ({ tasks }) =>
			tasks.all.map(({ id, processed }) => ({
				taskId: id,
				...{ status: 'COMPLETED', progress: processed },
			})),
	});
}

/** Operations with several requests, with at least one case each. */
export const operationsInSteps: OperationCase[] = [
	changing('record.delete', {
		variant: 'by match',
		parameters: { sheet: sheet(customers), deleteBy: 'match', matchFields: [customerNumber] },
		items: () => [{ json: { [customerNumber]: 'C-0005' } }],
		requests: [
			looksForTheRecord,
			{ name: 'deletes', kind: 'changes', matches: ({ method }) => method === 'DELETE' },
		],
		changes: ({ data }) => Number(!data.sheet(customers).records.has(5)),
		itemsOf: () => [{ deleted: true, _recordId: 5 }],
	}),
	changing('record.duplicate', {
		parameters: { sheet: sheet(customers), recordId: recordId(5) },
		requests: [
			{ name: 'reads the record', kind: 'reads', matches: requestFor('/2/5?') },
			{ name: 'looks up the fields', kind: 'looksUpFields', matches: requestFor('api&def') },
			{ name: 'creates', kind: 'changes', matches: isWrite },
		],
		changes: (service) => copiesOfFive(service).length,
		itemsOf: (service) => copiesOfFive(service).map((_recordId) => ({ _recordId, _copiedFrom: 5 })),
	}),
	changing('record.upsert', {
		variant: 'of a new record',
		parameters: upsert([customerNumber], { [customerNumber]: 'C-9999', [name]: 'New' }),
		requests: [looksForTheRecord, { name: 'creates', kind: 'changes', matches: isWrite }],
		changes: (service) => newCustomers(service).length,
		itemsOf: (service) =>
			newCustomers(service).map(({ id }) => ({ _recordId: id, _action: 'created' })),
	}),
	changing('record.upsert', {
		variant: 'of all records that match',
		parameters: upsert(
			[city],
			{ [city]: 'Twin Peaks', [name]: 'Twin' },
			{ options: { onMultipleMatches: 'updateAll' } },
		),
		prepare: ({ data, switches }) => {
			switches.defaultOrder = 'oldestFirst';
			for (const id of [5, 6]) data.record(customers, id).set(city, 'Twin Peaks');
		},
		requests: [
			looksForTheRecord,
			{ name: 'updates the first', kind: 'changes', matches: updatesCustomer(5) },
			{
				name: 'updates the second',
				kind: 'changes',
				matches: updatesCustomer(6),
				changesBefore: 1,
				alsoSays: () => /updated before it: 5/,
			},
		],
		changes: updatesOf(5, 6),
		changesInAll: 2,
		itemsOf: ({ data }) =>
			[5, 6].map((id) => ({
				...{ _recordId: id, _action: 'updated' },
				[name]: data.record(customers, id).text(name),
			})),
	}),
	changing('subtableRow.delete', {
		parameters: onLines('delete', { rowId: '={{ $json.line }}' }),
		items: (service) => [{ json: { order: 11, line: linesOf(service, 11)[0]?.[0] ?? 0 } }],
		requests: [
			{ name: 'looks whether it is there', kind: 'reads', matches: requestFor('/1/11?') },
			{ name: 'deletes', kind: 'changes', matches: isWrite },
		],
		changes: ({ data }) =>
			data.record(orders, 11).history.filter(({ type }) => type === 'Update').length,
		itemsOf: () => [{ deleted: true, _recordId: 11 }],
	}),
	changing('file.upload', {
		variant: 'in place of what is there',
		parameters: upload(50, { uploadMode: 'replace' }),
		items: async () => [await itemWithFiles({}, { data: textFile('new.txt') })],
		requests: [
			{ name: 'looks at the field', kind: 'reads', matches: requestFor('/1/50?') },
			{
				name: 'empties the field',
				kind: 'changes',
				matches: (request) => isWrite(request) && !isUpload(request),
			},
			{
				name: 'uploads',
				kind: 'changes',
				matches: isUpload,
				changesBefore: 1,
				alsoSays: (outcome) =>
					outcome === 'uncertain' ? /unknown whether the new ones were uploaded/ : /is now empty/,
			},
		],
		changes: (service) => {
			const names = contractNames(service);
			const isEmptied = names.every((file) => file === 'new.txt');
			return Number(isEmptied) + names.filter((file) => file === 'new.txt').length;
		},
		changesInAll: 2,
		itemsOf: (service) => [{ _recordId: 50, _fileNames: contractNames(service) }],
	}),
	massCase('lock'),
	massCase('approve'),
	massCase('runActionButton', button),
	massCase('update', assign([orders.fields.remark, 'changed'])),
	massCase('searchReplace', replace(orders.fields.status, 'Open', 'Confirmed')),
];
