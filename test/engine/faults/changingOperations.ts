import { customers, orders, siteVisits, type ReferenceService } from '../../service';
import { upload } from '../file/fileTestbed';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, withFiles } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { asksFor, isWrite, onlyChanges, type OperationCase } from './operation';

const { customerNumber, name } = customers.fields;
const { lines } = orders.subtables;
const number = 'C-9999';
const ofOrders = { sheet: sheet(orders) };
const eleven = { ...ofOrders, recordId: recordId(11) };
const orderEleven = ({ data }: ReferenceService) => data.record(orders, 11);

/** How often an order was changed in this way, by its own history. */
function timesIn(type: string) {
	return (service: ReferenceService) =>
		orderEleven(service).history.filter((entry) => entry.type === type).length;
}

const newCustomers = ({ data }: ReferenceService) =>
	[...data.sheet(customers).records.values()].filter(
		(customer) => customer.text(customerNumber) === number,
	);
const newCustomerItems = (service: ReferenceService) =>
	newCustomers(service).map((customer) => ({
		_recordId: customer.id,
		[name]: customer.text(name),
	}));
const contracts = (service: ReferenceService) =>
	storedFiles(service, orders, 11, orders.fields.contract);
const oneFile = async () => [await itemWithFiles({}, { data: textFile('new.txt') })];

const firstLine = (service: ReferenceService) => linesOf(service, 11)[0]?.[0] ?? 0;
const itemOfLine = (service: ReferenceService) => [
	{ json: { order: 11, line: firstLine(service) } },
];

function lock(operation: 'lock' | 'unlock'): OperationCase {
	const isLocked = operation === 'lock';
	return {
		operation: `lock.${operation}`,
		parameters: { resource: 'lock', operation, ...eleven },
		prepare: (service) => {
			orderEleven(service).locked = !isLocked;
		},
		requests: onlyChanges(),
		changes: (service) => Number(orderEleven(service).locked === isLocked),
		changesInAll: 1,
		itemsOf: (service) => [{ _recordId: 11, locked: orderEleven(service).locked }],
	};
}

const { photos } = siteVisits.subtables;

/** The rows of a visit that hold a file, which none does at first. */
const photosOf = ({ data }: ReferenceService) =>
	[...data.record(siteVisits, 1).rows(photos.id)].filter(([, row]) => row.has(photos.fields.photo));

/** Operations that change one thing with one request, one case or more of each. */
export const changingOperations: OperationCase[] = [
	{
		operation: 'record.create',
		parameters: {
			...{ resource: 'record', operation: 'create', sheet: sheet(customers) },
			...asJson({ [customerNumber]: number, [name]: 'New' }),
		},
		requests: onlyChanges(),
		changes: (service) => newCustomers(service).length,
		changesInAll: 1,
		itemsOf: newCustomerItems,
	},
	{
		operation: 'record.create',
		variant: 'by names of fields',
		parameters: {
			...{ resource: 'record', operation: 'create', sheet: sheet(customers) },
			...asJson({ 'Customer Number': number, Name: 'New' }),
		},
		requests: [
			{ name: 'looks up the names', kind: 'looksUp', matches: asksFor('api&def') },
			...onlyChanges(),
		],
		changes: (service) => newCustomers(service).length,
		changesInAll: 1,
		itemsOf: newCustomerItems,
	},
	{
		operation: 'record.create',
		variant: 'with a file',
		parameters: {
			...{ resource: 'record', operation: 'create', ...ofOrders },
			...asJson({ [orders.fields.customerNumber]: 'C-0001' }),
			...withFiles([orders.fields.contract, 'data']),
		},
		items: oneFile,
		requests: onlyChanges(),
		changes: ({ data }) => data.sheet(orders).records.size - 60,
		changesInAll: 1,
		itemsOf: ({ data }) => [{ _recordId: [...data.sheet(orders).records.keys()].at(-1) }],
	},
	{
		operation: 'record.update',
		parameters: {
			...{ resource: 'record', operation: 'update', ...eleven },
			...asJson({ [orders.fields.remark]: 'changed' }),
		},
		requests: onlyChanges(),
		changes: timesIn('Update'),
		changesInAll: 1,
		itemsOf: (service) => [
			{ _recordId: 11, [orders.fields.remark]: orderEleven(service).text(orders.fields.remark) },
		],
	},
	{
		operation: 'record.update',
		variant: 'with a file',
		parameters: {
			...{ resource: 'record', operation: 'update', ...eleven },
			...withFiles([orders.fields.contract, 'data']),
		},
		items: oneFile,
		requests: onlyChanges(),
		changes: (service) => contracts(service).length,
		changesInAll: 1,
		itemsOf: () => [{ _recordId: 11 }],
	},
	{
		operation: 'record.delete',
		parameters: { resource: 'record', operation: 'delete', ...eleven },
		requests: onlyChanges(),
		changes: ({ data }) => Number(!data.sheet(orders).records.has(11)),
		changesInAll: 1,
		itemsOf: () => [{ deleted: true, _recordId: 11 }],
	},
	{
		operation: 'subtableRow.add',
		parameters: onLines('add', rowAsJson({ [lines.fields.article]: 'added' })),
		items: () => [{ json: { order: 11 } }, { json: { order: 11 } }],
		requests: onlyChanges(),
		changes: timesIn('Update'),
		changesInAll: 1,
		itemsOf: (service) =>
			linesOf(service, 11)
				.filter(([, article]) => article === 'added')
				.map(([id]) => ({ _recordId: 11, _rowId: id })),
	},
	{
		operation: 'subtableRow.add',
		variant: 'with a file',
		parameters: {
			...{ resource: 'subtableRow', operation: 'add', sheet: sheet(siteVisits) },
			...{ recordId: recordId(1), subtableId: photos.id, ...rowAsJson({}) },
			...withFiles([photos.fields.photo, 'data']),
		},
		items: oneFile,
		// The look at the rows that are there is no condition for the upload.
		requests: onlyChanges(),
		changes: (service) => photosOf(service).length,
		changesInAll: 1,
		itemsOf: (service) => photosOf(service).map(([_rowId]) => ({ _recordId: 1, _rowId })),
	},
	{
		operation: 'subtableRow.update',
		parameters: onLines('update', {
			...rowAsJson({ [lines.fields.article]: 'changed' }),
			rowId: '={{ $json.line }}',
		}),
		items: itemOfLine,
		requests: onlyChanges(),
		changes: timesIn('Update'),
		changesInAll: 1,
		itemsOf: (service) => [
			{
				...{ _recordId: 11, _rowId: firstLine(service) },
				[lines.fields.article]: linesOf(service, 11)[0]?.[1],
			},
		],
	},
	{
		operation: 'comment.add',
		parameters: {
			...{ resource: 'comment', operation: 'add', ...eleven },
			...{ comment: 'Under fire', inputDataFieldName: 'data' },
		},
		items: oneFile,
		requests: onlyChanges(),
		changes: (service) => orderEleven(service).comments.length,
		changesInAll: 1,
		itemsOf: (service) =>
			orderEleven(service).comments.map(({ text }) => ({ _recordId: 11, comment: text })),
	},
	lock('lock'),
	lock('unlock'),
	{
		operation: 'actionButton.run',
		parameters: {
			...{ resource: 'actionButton', operation: 'run', ...eleven },
			buttonId: { __rl: true, mode: 'id', value: orders.buttons.cancel },
		},
		requests: onlyChanges(),
		changes: timesIn('Action Button'),
		changesInAll: 1,
		itemsOf: () => [{ _recordId: 11, buttonId: orders.buttons.cancel }],
	},
	{
		operation: 'file.upload',
		parameters: upload(11),
		items: oneFile,
		requests: onlyChanges(),
		changes: (service) => contracts(service).length,
		changesInAll: 1,
		itemsOf: (service) => [
			{ _recordId: 11, _fileNames: contracts(service).map((file) => file?.name) },
		],
	},
	{
		operation: 'sheet.importFromUrl',
		parameters: { resource: 'sheet', operation: 'importFromUrl', sheet: sheet(customers) },
		identity: 'admin',
		prepare: ({ data }) => {
			data.sheet(customers).periodicImport.enabled = true;
		},
		requests: [{ name: 'changes', kind: 'changes', matches: isWrite }],
		changes: ({ data }) => Number(data.sheet(customers).records.size > 300),
		changesInAll: 1,
		itemsOf: () => [{ started: true, message: 'Import started.' }],
	},
];
