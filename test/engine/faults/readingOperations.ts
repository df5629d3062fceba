import { orders, recipes, type ReferenceService } from '../../service';
import { download } from '../file/fileTestbed';
import { recordId, sheet } from '../recordTestbed';
import { reading, requestFor, onlyReads, type OperationCase } from './operation';

const { contract } = orders.fields;
const ofOrders = { sheet: sheet(orders) };
const eleven = { ...ofOrders, recordId: recordId(11) };

const orderIds = ({ data, switches }: ReferenceService) => {
	const ids = [...data.sheet(orders).records.keys()];
	return switches.defaultOrder === 'newestFirst' ? ids.reverse() : ids;
};
const contractOf = ({ data }: ReferenceService) => data.record(orders, 50).text(contract);

export function submitTask({ tasks, identities }: ReferenceService): void {
	const owner = identities.member.email;
	tasks.submit({ name: 'massLock', owner, sheet: orders, recordIds: [11], work: () => {} });
	tasks.step(1);
}

export const askForTask = (operation: string) => ({
	resource: 'task',
	operation,
	taskId: '={{ $json.taskId }}',
});

export function taskItems({ tasks }: ReferenceService) {
	return tasks.all.map(({ id }) => ({ json: { taskId: id } }));
}

/** Operations that change nothing, with at least one case each. */
export const readingOperations: OperationCase[] = [
	reading('record.get', { parameters: eleven, itemsOf: () => [{ _recordId: 11 }] }),
	reading('record.getAll', {
		parameters: { ...ofOrders, returnAll: true, options: { pageSize: 40 } },
		requests: [
			{ name: 'requests the first page', kind: 'reads', matches: requestFor('offset=0') },
			{ name: 'requests the page behind', kind: 'reads', matches: requestFor('offset=39') },
		],
		itemsOf: (service) => orderIds(service).map((_recordId) => ({ _recordId })),
	}),
	reading('record.count', {
		parameters: ofOrders,
		itemsOf: (service) => [{ count: orderIds(service).length }],
	}),
	reading('record.ifExists', {
		parameters: { ...ofOrders, matchFields: [orders.fields.orderNumber] },
		items: () => [{ json: { [orders.fields.orderNumber]: 'SO-00011' } }],
		requests: [{ name: 'reads', kind: 'reads', matches: requestFor('where=') }],
		itemsOf: () => [{ [orders.fields.orderNumber]: 'SO-00011' }],
	}),
	reading('subtableRow.getAll', {
		parameters: { ...eleven, subtableId: orders.subtables.lines.id },
		itemsOf: ({ data }) =>
			[...data.record(orders, 11).rows(orders.subtables.lines.id).keys()].map((_rowId) => ({
				_rowId,
			})),
	}),
	reading('comment.getAll', {
		parameters: { ...ofOrders, recordId: recordId(1) },
		itemsOf: ({ data }) => data.record(orders, 1).comments.map(({ text }) => ({ comment: text })),
	}),
	reading('actionButton.getAll', {
		parameters: { ...ofOrders, returnAll: true },
		itemsOf: ({ data }) => data.sheet(orders).actionButtons.map(({ id }) => ({ buttonId: id })),
	}),
	reading('task.get', {
		parameters: askForTask('get'),
		prepare: submitTask,
		items: taskItems,
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	}),
	reading('task.wait', {
		parameters: {
			...askForTask('wait'),
			options: { pollInterval: 0.01, timeout: '={{ $json.patience }}' },
		},
		prepare: submitTask,
		items: taskItems,
		requests: onlyReads('polls'),
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	}),
	reading('document.export', {
		parameters: { ...eleven, format: 'pdf' },
		requests: onlyReads('downloads'),
		itemsOf: () => [{ _recordId: 11 }],
		isWhole: (file) => /^%PDF[^]*%%EOF\s*$/.test(file.toString('latin1')),
	}),
	reading('document.exportList', {
		parameters: { ...ofOrders, format: 'xlsx' },
		requests: onlyReads('downloads'),
		itemsOf: () => [{ fileName: 'Orders.xlsx' }],
		// The end of an archive names the number of its entries.
		isWhole: (file) =>
			file.subarray(0, 2).toString() === 'PK' &&
			file.indexOf('PK\u0005\u0006') === file.length - 22,
	}),
	reading('file.download', {
		parameters: download('={{ $json.contract }}'),
		items: (service) => [{ json: { contract: contractOf(service) } }],
		// Downloads that need a session are tested elsewhere.
		prepare: ({ switches }) => {
			switches.keyReadsOpenSession = false;
		},
		requests: [{ name: 'reads', kind: 'downloads', matches: requestFor('/sims/file.jsp') }],
		itemsOf: ({ data }) => [
			{ fileNames: [data.files.get(data.record(orders, 50).text(contract))?.name] },
		],
		isWhole: (file, service) =>
			service.data.files.get(contractOf(service))?.content.equals(file) === true,
	}),
	reading('sheet.getFields', {
		parameters: { sheet: sheet(recipes) },
		requests: [
			{ name: 'requests the definition', kind: 'looksUpFields', matches: requestFor('api&def') },
		],
		itemsOf: ({ data }) => data.sheet(recipes).fields.map(({ id }) => ({ fieldId: id })),
	}),
];
