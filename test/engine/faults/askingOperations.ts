import { orders, recipes, type ReferenceService } from '../../service';
import { download } from '../file/fileTestbed';
import { recordId, sheet } from '../recordTestbed';
import { asking, asksFor, onlyAsks, type OperationCase } from './operation';

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
export const askingOperations: OperationCase[] = [
	asking('record.get', { parameters: eleven, itemsOf: () => [{ _recordId: 11 }] }),
	asking('record.getAll', {
		parameters: { ...ofOrders, returnAll: true, options: { pageSize: 40 } },
		requests: [
			{ name: 'asks for the first page', kind: 'asks', matches: asksFor('offset=0') },
			{ name: 'asks for the page behind', kind: 'asks', matches: asksFor('offset=39') },
		],
		itemsOf: (service) => orderIds(service).map((_recordId) => ({ _recordId })),
	}),
	asking('record.count', {
		parameters: ofOrders,
		itemsOf: (service) => [{ count: orderIds(service).length }],
	}),
	asking('record.ifExists', {
		parameters: { ...ofOrders, matchFields: [orders.fields.orderNumber] },
		items: () => [{ json: { [orders.fields.orderNumber]: 'SO-00011' } }],
		requests: [{ name: 'asks', kind: 'asks', matches: asksFor('where=') }],
		itemsOf: () => [{ [orders.fields.orderNumber]: 'SO-00011' }],
	}),
	asking('subtableRow.getAll', {
		parameters: { ...eleven, subtableId: orders.subtables.lines.id },
		itemsOf: ({ data }) =>
			[...data.record(orders, 11).rows(orders.subtables.lines.id).keys()].map((_rowId) => ({
				_rowId,
			})),
	}),
	asking('comment.getAll', {
		parameters: { ...ofOrders, recordId: recordId(1) },
		itemsOf: ({ data }) => data.record(orders, 1).comments.map(({ text }) => ({ comment: text })),
	}),
	asking('actionButton.getAll', {
		parameters: { ...ofOrders, returnAll: true },
		itemsOf: ({ data }) => data.sheet(orders).actionButtons.map(({ id }) => ({ buttonId: id })),
	}),
	asking('task.get', {
		parameters: askForTask('get'),
		prepare: submitTask,
		items: taskItems,
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	}),
	asking('task.wait', {
		parameters: {
			...askForTask('wait'),
			options: { pollInterval: 0.01, timeout: '={{ $json.patience }}' },
		},
		prepare: submitTask,
		items: taskItems,
		requests: onlyAsks('watches'),
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	}),
	asking('document.export', {
		parameters: { ...eleven, format: 'pdf' },
		requests: onlyAsks('fetches'),
		itemsOf: () => [{ _recordId: 11 }],
		isWhole: (file) => /^%PDF[^]*%%EOF\s*$/.test(file.toString('latin1')),
	}),
	asking('document.exportList', {
		parameters: { ...ofOrders, format: 'xlsx' },
		requests: onlyAsks('fetches'),
		itemsOf: () => [{ fileName: 'Orders.xlsx' }],
		// The end of an archive names the number of its entries.
		isWhole: (file) =>
			file.subarray(0, 2).toString() === 'PK' &&
			file.indexOf('PK\u0005\u0006') === file.length - 22,
	}),
	asking('file.download', {
		parameters: download('={{ $json.contract }}'),
		items: (service) => [{ json: { contract: contractOf(service) } }],
		// Downloads that need a session are tested elsewhere.
		prepare: ({ switches }) => {
			switches.keyReadsOpenSession = false;
		},
		requests: [{ name: 'asks', kind: 'fetches', matches: asksFor('/sims/file.jsp') }],
		itemsOf: ({ data }) => [
			{ fileNames: [data.files.get(data.record(orders, 50).text(contract))?.name] },
		],
		isWhole: (file, service) =>
			service.data.files.get(contractOf(service))?.content.equals(file) === true,
	}),
	asking('sheet.getFields', {
		parameters: { sheet: sheet(recipes) },
		requests: [{ name: 'asks for the definition', kind: 'looksUp', matches: asksFor('api&def') }],
		itemsOf: ({ data }) => data.sheet(recipes).fields.map(({ id }) => ({ fieldId: id })),
	}),
];
