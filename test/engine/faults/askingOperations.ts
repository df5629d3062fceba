import { orders, recipes, type ReferenceService } from '../../service';
import { download } from '../file/fileTestbed';
import { recordId, sheet } from '../recordTestbed';
import { asksFor, onlyAsks, type OperationCase } from './operation';

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

/** Operations that change nothing, one case or more of each. */
export const askingOperations: OperationCase[] = [
	{
		operation: 'record.get',
		parameters: { resource: 'record', operation: 'get', ...eleven },
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: () => [{ _recordId: 11 }],
	},
	{
		operation: 'record.getAll',
		parameters: {
			...{ resource: 'record', operation: 'getAll' },
			...{ ...ofOrders, returnAll: true, options: { pageSize: 40 } },
		},
		requests: [
			{ name: 'asks for the first page', kind: 'asks', matches: asksFor('offset=0') },
			{ name: 'asks for the page behind', kind: 'asks', matches: asksFor('offset=39') },
		],
		changesInAll: 0,
		itemsOf: (service) => orderIds(service).map((_recordId) => ({ _recordId })),
	},
	{
		operation: 'record.ifExists',
		parameters: {
			...{ resource: 'record', operation: 'ifExists', ...ofOrders },
			matchFields: [orders.fields.orderNumber],
		},
		items: () => [{ json: { [orders.fields.orderNumber]: 'SO-00011' } }],
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: () => [{ [orders.fields.orderNumber]: 'SO-00011' }],
	},
	{
		operation: 'subtableRow.getAll',
		parameters: {
			...{ resource: 'subtableRow', operation: 'getAll' },
			...{ ...eleven, subtableId: orders.subtables.lines.id },
		},
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: ({ data }) =>
			[...data.record(orders, 11).rows(orders.subtables.lines.id).keys()].map((_rowId) => ({
				_rowId,
			})),
	},
	{
		operation: 'comment.getAll',
		parameters: {
			...{ resource: 'comment', operation: 'getAll' },
			...{ ...ofOrders, recordId: recordId(1) },
		},
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: ({ data }) => data.record(orders, 1).comments.map(({ text }) => ({ comment: text })),
	},
	{
		operation: 'actionButton.getAll',
		parameters: {
			...{ resource: 'actionButton', operation: 'getAll' },
			...{ ...ofOrders, returnAll: true },
		},
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: ({ data }) => data.sheet(orders).actionButtons.map(({ id }) => ({ buttonId: id })),
	},
	{
		operation: 'task.get',
		parameters: askForTask('get'),
		prepare: submitTask,
		items: taskItems,
		requests: onlyAsks(),
		changesInAll: 0,
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	},
	{
		operation: 'task.wait',
		parameters: {
			...askForTask('wait'),
			options: { pollInterval: 0.01, timeout: '={{ $json.patience }}' },
		},
		prepare: submitTask,
		items: taskItems,
		requests: onlyAsks('watches'),
		changesInAll: 0,
		itemsOf: ({ tasks }) => tasks.all.map(({ id }) => ({ taskId: id, status: 'COMPLETED' })),
	},
	{
		operation: 'document.export',
		parameters: { resource: 'document', operation: 'export', ...eleven, format: 'pdf' },
		requests: onlyAsks('fetches'),
		changesInAll: 0,
		itemsOf: () => [{ _recordId: 11 }],
		isWhole: (file) => /^%PDF[^]*%%EOF\s*$/.test(file.toString('latin1')),
	},
	{
		operation: 'file.download',
		parameters: download('={{ $json.contract }}'),
		items: (service) => [{ json: { contract: contractOf(service) } }],
		// Downloads that need a session are tested elsewhere.
		prepare: ({ switches }) => {
			switches.keyReadsOpenSession = false;
		},
		requests: [{ name: 'asks', kind: 'fetches', matches: asksFor('/sims/file.jsp') }],
		changesInAll: 0,
		itemsOf: ({ data }) => [
			{ fileNames: [data.files.get(data.record(orders, 50).text(contract))?.name] },
		],
		isWhole: (file, service) =>
			service.data.files.get(contractOf(service))?.content.equals(file) === true,
	},
	{
		operation: 'sheet.getFields',
		parameters: { resource: 'sheet', operation: 'getFields', sheet: sheet(recipes) },
		requests: [{ name: 'asks for the definition', kind: 'looksUp', matches: asksFor('api&def') }],
		changesInAll: 0,
		itemsOf: ({ data }) => data.sheet(recipes).fields.map(({ id }) => ({ fieldId: id })),
	},
	{
		operation: 'sheet.getFields',
		variant: 'where only records tell',
		parameters: { resource: 'sheet', operation: 'getFields', sheet: sheet(recipes) },
		prepare: ({ switches }) => {
			switches.definition = 'code106';
		},
		requests: [
			{
				name: 'asks for records',
				kind: 'asks',
				matches: asksFor('naming=EID'),
				saysInstead: { 'web page': /does not tell this sheet's fields/ },
			},
		],
		changesInAll: 0,
		itemsOf: ({ data }) => data.sheet(recipes).fields.map(({ id }) => ({ fieldId: id })),
	},
];
