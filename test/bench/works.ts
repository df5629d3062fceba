import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { autoMapped } from '../engine/record/recordValues';
import { measurements, orders, type ReferenceService } from '../service';
import { Sheet } from '../service/data/sheet';
import { measurementsSheet } from '../service/demoData/measurements';
import { uploadTarget } from './form';
import { firstPollMilliseconds } from './replay';
import type { Task, Work } from './task';

/** A workload: its amount, the parameters of the node, and the check of the result. */
interface WorkPlan {
	/** Number of records, items, bytes or deliveries: `full` for measurements, `small` for tests of the benchmark itself. */
	full: number;
	small: number;
	title: (amount: number) => string;
	/** Parameters of the node. Omitted for deliveries. */
	parameters?: (task: Task) => INodeParameters;
	/** Parameters that are changed for the warm-up. */
	smaller?: (task: Task) => INodeParameters;
	/** @param first number of the first item: the items of the warm-up differ from those of the measurement */
	items?: (count: number, first: number) => IDataObject[];
	/** Prepares the data of the service. */
	begin?: (service: ReferenceService, amount: number) => void;
	/**
	 * Bodies that the other clients write to the first orders, because they cannot compare with stored values. If omitted, they
	 * repeat the requests of the node.
	 */
	writes?: (count: number) => object[];
	/** @param received number of records, bytes or deliveries, as counted by the client */
	isDone: (service: ReferenceService, amount: number, received: number) => boolean;
}

const megabyte = 1024 * 1024;
const { fields } = orders;
const { lines } = orders.subtables;

/** Returns the number of stored orders before a work with this number of records or items. */
export const demoOrders = (amount: number) =>
	amount < 1_000_000 ? Math.max(2_500, amount) : 2_500;

const written = (count: number) => count.toLocaleString('en-US');
const list = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));
const referenceOf = (index: number) => `REF-${String(index).padStart(6, '0')}`;
const stored = (service: ReferenceService, index: number) => service.data.record(orders, index + 1);

const getAll = (options: INodeParameters) => ({
	parameters: () => ({ resource: 'record', operation: 'getAll', returnAll: true, options }),
	smaller: () => ({ returnAll: false, limit: 10 }),
	// A client that only repeats the requests receives the records shared by two pages twice.
	isDone: ({ requests }: ReferenceService, amount: number, received: number) =>
		received >= amount && received < amount + requests.count,
});

const upsert = (options: INodeParameters) => () => ({
	...{ resource: 'record', operation: 'upsert', options },
	...autoMapped([fields.reference]),
});

const recordsAre = (amount: number, count: number) => (service: ReferenceService) =>
	service.data.sheet(orders).records.size === demoOrders(amount) + count;

/** One record in a hundred differs from the stored record; in the workload with rows, one of its rows differs. */
const remarkOf = (index: number) => (index % 100 === 0 ? 'New remark' : 'Remark as it is stored');
const lineNumbers = [1, 2, 3, 4, 5];
const rowId = (index: number, line: number) => index * 10 + line;
const quantityOf = (index: number, line: number) =>
	index % 100 === 0 && line === 1 ? '999' : String(line);

const itemsToSync = (count: number) =>
	list(count, (index) => ({
		[fields.reference]: referenceOf(index),
		[fields.remark]: remarkOf(index),
	}));

/** Stores this number of records with forty fields. */
function storeMeasurements({ data }: ReferenceService, amount: number, fieldCount?: number): void {
	if (data.sheet(measurements).records.size === amount) return;
	const otherSheets = data.sheets.filter(({ path }) => path !== measurements.path);
	data.sheets = [...otherSheets, new Sheet(measurementsSheet(amount, fieldCount))];
}

/** Items with the reference of one stored order each. */
const referencedOrders = {
	items: (count: number) => list(count, (index) => ({ [fields.reference]: referenceOf(index) })),
	begin(service: ReferenceService, amount: number) {
		for (let index = 0; index < amount; index += 1)
			stored(service, index).set(fields.reference, referenceOf(index));
	},
	isDone: (_: ReferenceService, amount: number, received: number) => received === amount,
};

export const workPlans: Record<Work, WorkPlan> = {
	read: {
		...{ full: 100_000, small: 3_000, title: (amount) => `read ${written(amount)} records` },
		...getAll({ subtables: false }),
	},
	wideRead: {
		...{ full: 20_000, small: 3_000, title: () => 'wide read, 3 of 40 fields' },
		...getAll({ subtables: false, onlyFields: 'Field 5, Field 20, Field 35' }),
		begin: (service, amount) => storeMeasurements(service, amount),
	},
	create: {
		...{ full: 500, small: 20, title: (amount) => `create ${written(amount)}` },
		parameters: () => ({ resource: 'record', operation: 'create', ...autoMapped() }),
		items: (count) =>
			list(count, (index) => ({
				[fields.customerNumber]: 'C-0001',
				[fields.remark]: `Created for item ${index}`,
			})),
		isDone: (service, amount) => recordsAre(amount, amount)(service),
	},
	update: {
		...{ full: 500, small: 20, title: (amount) => `update ${written(amount)}` },
		parameters: () => ({
			...{ resource: 'record', operation: 'update', ...autoMapped() },
			recordId: { __rl: true, mode: 'id', value: '={{ $json._recordId }}' },
		}),
		items: (count) =>
			list(count, (index) => ({ _recordId: index + 1, [fields.remark]: 'New remark' })),
		isDone: (_, amount, received) => received === amount,
	},
	upsert: {
		...{ full: 500, small: 20, title: (amount) => `upsert ${written(amount)}, half exist` },
		parameters: upsert({}),
		items: (count, first) =>
			list(count, (index) => ({
				[fields.reference]: referenceOf(first + index),
				[fields.customerNumber]: 'C-0001',
			})),
		begin(service, amount) {
			for (let index = 0; index < amount; index += 2)
				stored(service, index).set(fields.reference, referenceOf(index));
		},
		isDone: (service, amount) => recordsAre(amount, Math.floor(amount / 2))(service),
	},
	sync: {
		...{ full: 1_000, small: 200 },
		title: (amount) => `sync ${written(amount)}, ${Math.ceil(amount / 100)} differ`,
		parameters: upsert({ skipUnchanged: true }),
		items: itemsToSync,
		begin(service, amount) {
			for (let index = 0; index < amount; index += 1)
				stored(service, index)
					.set(fields.reference, referenceOf(index))
					.set(fields.remark, remarkOf(1));
		},
		writes: itemsToSync,
		isDone: (service, amount, received) =>
			received === amount &&
			list(amount, (index) => stored(service, index).text(fields.remark) === remarkOf(index)).every(
				Boolean,
			),
	},
	rowSync: {
		...{ full: 1_000, small: 200 },
		title: (amount) => `sync ${written(amount)} with ${written(amount * 5)} rows`,
		parameters: upsert({
			...{ skipUnchanged: true, rowsMode: 'replace', rowMatchFields: lines.fields.article },
		}),
		items: (count) =>
			list(count, (index) => ({
				[fields.reference]: referenceOf(index),
				[`_subtable_${lines.id}`]: lineNumbers.map((line) => ({
					[lines.fields.article]: `Article ${line}`,
					[lines.fields.quantity]: quantityOf(index, line),
				})),
			})),
		begin(service, amount) {
			for (let index = 0; index < amount; index += 1) {
				const rows = stored(service, index).set(fields.reference, referenceOf(index)).subtables;
				const values = (line: number) =>
					new Map([
						[lines.fields.article, `Article ${line}`],
						[lines.fields.quantity, String(line)],
					]);
				rows.set(lines.id, new Map(lineNumbers.map((line) => [rowId(index, line), values(line)])));
			}
		},
		writes: (count) =>
			list(count, (index) => {
				const rows = lineNumbers.map((line) => [
					...[rowId(index, line), { [lines.fields.quantity]: quantityOf(index, line) }],
				]);
				return { [`_subtable_${lines.id}`]: Object.fromEntries(rows) };
			}),
		isDone: (service, amount, received) =>
			received === amount &&
			list(amount, (index) => {
				const rows = [...stored(service, index).rows(lines.id)];
				const found = rows.map(([id, row]) => [id, row.get(lines.fields.quantity)]);
				const expectedQuantities = lineNumbers.map((line) => [
					rowId(index, line),
					quantityOf(index, line),
				]);
				return String(found) === String(expectedQuantities);
			}).every(Boolean),
	},
	ifExists: {
		...{ full: 1_000, small: 200, title: (amount) => `if exists, ${written(amount)} items` },
		parameters: () => ({ operation: 'ifExists', matchFields: [fields.reference] }),
		...referencedOrders,
	},
	getByMatch: {
		...{ full: 1_000, small: 200, title: (amount) => `get by match, ${written(amount)} items` },
		parameters: () => ({ operation: 'get', getBy: 'match', matchFields: [fields.reference] }),
		...referencedOrders,
	},
	count: {
		...{ full: 1_500, small: 200, title: (amount) => `count, ${written(amount)} equal items` },
		parameters: () => ({ operation: 'count' }),
		items: (count) => list(count, () => ({})),
		isDone: (_, amount, received) => received === amount,
	},
	addRows: {
		...{ full: 1_000, small: 100, title: (amount) => `add ${written(amount)} rows to 100 records` },
		parameters: () => ({
			...{ resource: 'subtableRow', operation: 'add', inputMode: 'json' },
			...{ recordId: { __rl: true, mode: 'id', value: '={{ $json.order }}' } },
			...{ subtableId: lines.id, rowJson: '={{ JSON.stringify($json.row) }}' },
		}),
		items: (count) =>
			list(count, (index) => ({
				order: (index % 100) + 1,
				row: { [lines.fields.article]: `Article ${index}`, [lines.fields.quantity]: 1 },
			})),
		isDone: (_, amount, received) => received === amount,
	},
	wideItems: {
		...{ full: 20_000, small: 3_000, title: (amount) => `read ${written(amount)} of 40 fields` },
		...getAll({ subtables: false }),
		begin: (service, amount) => storeMeasurements(service, amount),
	},
	manyFields: {
		...{ full: 2_500, small: 100, title: (amount) => `read ${written(amount)} of 500 fields` },
		...getAll({ subtables: false }),
		begin: (service, amount) => storeMeasurements(service, amount, 500),
	},
	rowItems: {
		...{ full: 2_500, small: 2_500, title: (amount) => `read ${written(amount)} with 50 rows` },
		...getAll({}),
		begin(service, amount) {
			const values = new Map([[lines.fields.article, 'Pen']]);
			for (let index = 0; index < amount; index += 1) {
				const rows = list(50, (row) => [index * 100 + row + 1, values] as const);
				stored(service, index).subtables.set(lines.id, new Map(rows));
			}
		},
	},
	massLock: {
		...{ full: 10_000, small: 1_000, title: (amount) => `mass lock ${written(amount)} items` },
		parameters: () => ({
			...{ resource: 'massOperation', operation: 'lock', selection: 'inputItems' },
			options: { pollInterval: firstPollMilliseconds / 1000 },
		}),
		items: (count) => list(count, (index) => ({ _recordId: index + 1 })),
		begin({ data, tasks }) {
			tasks.forget();
			for (const record of data.sheet(orders).records.values()) record.locked = false;
		},
		isDone: (service, amount) =>
			list(amount, (index) => stored(service, index).locked).every(Boolean),
	},
	download: {
		...{ full: 300 * megabyte, small: 5 * megabyte },
		title: (amount) => `${amount / megabyte} MB down`,
		parameters: ({ largeFile }) => ({
			...{ resource: 'file', operation: 'download', fileValue: largeFile },
		}),
		smaller: ({ smallFile }) => ({ fileValue: smallFile }),
		isDone: (_, amount, received) => received === amount,
	},
	upload: {
		...{ full: 300 * megabyte, small: 5 * megabyte },
		title: (amount) => `${amount / megabyte} MB up`,
		parameters: () => ({
			...{ resource: 'file', operation: 'upload', fieldId: uploadTarget.fieldId },
			recordId: { __rl: true, mode: 'id', value: uploadTarget.recordId },
		}),
		begin({ data }) {
			data.record(orders, Number(uploadTarget.recordId)).set(uploadTarget.fieldId, '');
		},
		isDone({ data }, amount) {
			const record = data.record(orders, Number(uploadTarget.recordId));
			const values = [record.value(uploadTarget.fieldId)].flat();
			return values.some((value) => data.files.get(value)?.size === amount);
		},
	},
	verify: {
		...{ full: 1_000, small: 20, title: (amount) => `verify ${written(amount)} deliveries` },
		isDone: (_, amount, received) => received === amount,
	},
};
