import { customers, orders, siteVisits, type ReferenceService } from '../../service';
import { upload } from '../file/fileTestbed';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, withFiles } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { requestFor, changing, isWrite, onlyChanges, type OperationCase } from './operation';

const { customerNumber, name } = customers.fields;
const { lines } = orders.subtables;
const number = 'C-9999';
const ofOrders = { sheet: sheet(orders) };
const eleven = { ...ofOrders, recordId: recordId(11) };
const orderEleven = ({ data }: ReferenceService) => data.record(orders, 11);

/** Returns a function that counts the changes of this type in the edit history of the order. */
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
	return changing(`lock.${operation}`, {
		parameters: eleven,
		prepare: (service) => {
			orderEleven(service).locked = !isLocked;
		},
		changes: (service) => Number(orderEleven(service).locked === isLocked),
		itemsOf: (service) => [{ _recordId: 11, locked: orderEleven(service).locked }],
	});
}

const { photos } = siteVisits.subtables;

/** Returns the rows of a visit that contain a file. At first, no row has one. */
const photosOf = ({ data }: ReferenceService) =>
	[...data.record(siteVisits, 1).rows(photos.id)].filter(([, row]) => row.has(photos.fields.photo));

/** Operations that make one change with one request, with at least one case each. */
export const changingOperations: OperationCase[] = [
	changing('record.create', {
		parameters: { sheet: sheet(customers), ...asJson({ [customerNumber]: number, [name]: 'New' }) },
		changes: (service) => newCustomers(service).length,
		itemsOf: newCustomerItems,
	}),
	changing('record.create', {
		variant: 'by names of fields',
		parameters: { sheet: sheet(customers), ...asJson({ 'Customer Number': number, Name: 'New' }) },
		requests: [
			{ name: 'looks up the names', kind: 'looksUpFields', matches: requestFor('api&def') },
			...onlyChanges(),
		],
		changes: (service) => newCustomers(service).length,
		itemsOf: newCustomerItems,
	}),
	changing('record.update', {
		parameters: { ...eleven, ...asJson({ [orders.fields.remark]: 'changed' }) },
		changes: timesIn('Update'),
		itemsOf: (service) => [
			{ _recordId: 11, [orders.fields.remark]: orderEleven(service).text(orders.fields.remark) },
		],
	}),
	changing('record.delete', {
		parameters: eleven,
		changes: ({ data }) => Number(!data.sheet(orders).records.has(11)),
		itemsOf: () => [{ deleted: true, _recordId: 11 }],
	}),
	changing('subtableRow.add', {
		parameters: onLines('add', rowAsJson({ [lines.fields.article]: 'added' })),
		items: () => [{ json: { order: 11 } }],
		changes: timesIn('Update'),
		itemsOf: (service) =>
			linesOf(service, 11)
				.filter(([, article]) => article === 'added')
				.map(([id]) => ({ _recordId: 11, _rowId: id })),
	}),
	changing('subtableRow.add', {
		variant: 'with a file',
		parameters: {
			...{ sheet: sheet(siteVisits) },
			...{ recordId: recordId(1), subtableId: photos.id, ...rowAsJson({}) },
			...withFiles([photos.fields.photo, 'data']),
		},
		items: oneFile,
		// No write depends on the read of the existing rows.
		changes: (service) => photosOf(service).length,
		itemsOf: (service) => photosOf(service).map(([_rowId]) => ({ _recordId: 1, _rowId })),
	}),
	changing('subtableRow.update', {
		parameters: onLines('update', {
			...rowAsJson({ [lines.fields.article]: 'changed' }),
			rowId: '={{ $json.line }}',
		}),
		items: itemOfLine,
		changes: timesIn('Update'),
		itemsOf: (service) => [
			{
				...{ _recordId: 11, _rowId: firstLine(service) },
				[lines.fields.article]: linesOf(service, 11)[0]?.[1],
			},
		],
	}),
	changing('comment.add', {
		parameters: { ...eleven, comment: 'Under fire', inputDataFieldName: 'data' },
		items: oneFile,
		changes: (service) => orderEleven(service).comments.length,
		itemsOf: (service) =>
			orderEleven(service).comments.map(({ text }) => ({ _recordId: 11, comment: text })),
	}),
	lock('lock'),
	lock('unlock'),
	changing('actionButton.run', {
		parameters: { ...eleven, buttonId: { __rl: true, mode: 'id', value: orders.buttons.cancel } },
		changes: timesIn('Action Button'),
		itemsOf: () => [{ _recordId: 11, buttonId: orders.buttons.cancel }],
	}),
	changing('file.upload', {
		parameters: upload(11),
		items: oneFile,
		changes: (service) => contracts(service).length,
		itemsOf: (service) => [
			{ _recordId: 11, _fileNames: contracts(service).map((file) => file?.name) },
		],
	}),
	changing('sheet.importFromUrl', {
		parameters: { sheet: sheet(customers) },
		identity: 'admin',
		prepare: ({ data }) => {
			data.sheet(customers).periodicImport.enabled = true;
		},
		requests: [{ name: 'changes', kind: 'changes', matches: isWrite }],
		changes: ({ data }) => Number(data.sheet(customers).records.size > 300),
		itemsOf: () => [{ started: true, message: 'Import started.' }],
	}),
];
