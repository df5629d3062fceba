import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import type { Switches } from '../../service/switches';
import { byConditions, byItems, mass, assign } from '../massOperation/massParameters';
import { asJson, filesOption } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';

const { fields } = orders;
const { lines } = orders.subtables;
const { article } = lines.fields;

/** An operation on orders 4 to 7 that writes. `null` stands for an item without a file. */
export interface Scenario {
	parameters: INodeParameters;
	items: IDataObject[];
	/** Whether each item has a file in `data`. */
	hasFiles: boolean;
	switches: Partial<Switches>;
}

/** Text that differs in each attempt, because the expression of the record puts the current time in its place. */
const now = 'NOW';
const texts = fc.constantFrom('a', 'b', now);
const recordIds = fc.constantFrom(4, 5, 6, 7);
const rowNumbers = fc.constantFrom(0, 1);

const newRows = fc.uniqueArray(fc.constantFrom('Pen', 'Ink', now, 'first'), { maxLength: 3 });
const values = fc.record({
	key: fc.constantFrom('K1', 'K1', 'K2', 'K3'),
	id: recordIds,
	remark: texts,
	rows: fc.option(newRows),
	/** Positions of the rows to delete in the record. */
	deleted: fc.uniqueArray(rowNumbers, { maxLength: 2 }),
});
type Values = typeof values extends fc.Arbitrary<infer Value> ? Value : never;

const switches = fc.record({
	deletionsWithRows: fc.constantFrom('together', 'refused', 'passedOver'),
	answerCarriesData: fc.boolean(),
	newRowOrder: fc.constantFrom('byNumber', 'bodyOrder'),
});

const onOrder = { sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };
/** Replaces the time by a text that is new in each attempt. Its letters keep it from being a part of a session ID. */
const withTime = (property: string) =>
	`={{ JSON.stringify($json.${property}).replaceAll('${now}', 'at ' + Math.random().toString(36)) }}`;

/** ID of the row at a position of an order, as `prepare` numbers the rows. */
export const rowIdOf = (order: number, position: number) => order * 100 + position;

/** Date between the change of the orders of the demo data and every write of the test. */
const readDate = '2026/01/01 00:00:00';

/** Returns the item of a write of whole records. */
function recordItem({ key, id, remark, rows, deleted }: Values, operation: string): IDataObject {
	const isUpdate = operation === 'update';
	const rowIds = deleted.map((position) => rowIdOf(id, position));
	return {
		id,
		_update_date: readDate,
		Reference: key,
		record: {
			...(isUpdate ? {} : { [fields.reference]: key }),
			...(operation === 'update' ? {} : { [fields.customerNumber]: 'C-0001' }),
			[fields.remark]: remark,
			...(rows ? { [`_subtable_${lines.id}`]: rows.map((text) => ({ [article]: text })) } : {}),
			...(isUpdate && rowIds.length > 0 ? { [`_DELSUB_${lines.id}`]: rowIds } : {}),
		},
	};
}

const recordOptions = fc.record({
	onMultipleMatches: fc.constantFrom('updateAll', 'updateFirst'),
	upsertMode: fc.constantFrom('createOrUpdate', 'createOrUpdate', 'createOnly', 'updateOnly'),
	skipUnchanged: fc.boolean(),
	onConflict: fc.constantFrom('overwrite', 'error'),
	rowsMode: fc.constantFrom('append', 'upsert', 'replace'),
	rowMatchFields: fc.constantFrom(article, ''),
	filesMode: fc.constantFrom('add', 'replace'),
});

const recordWrites = fc
	.record({
		operation: fc.constantFrom('create', 'update', 'upsert', 'upsert'),
		values: fc.array(values, { minLength: 1, maxLength: 4 }),
		options: recordOptions,
		hasFiles: fc.boolean(),
		switches,
	})
	.map(({ operation, options, hasFiles, ...rest }): Scenario => {
		const { filesMode, rowsMode, rowMatchFields, onConflict, skipUnchanged } = options;
		const { onMultipleMatches, upsertMode } = options;
		const rowOptions =
			rowsMode === 'upsert' ? { rowsMode, rowMatchFields: article } : { rowsMode, rowMatchFields };
		const ofOperation: { [operation: string]: INodeParameters } = {
			create: {},
			update: { onConflict, skipUnchanged, filesMode, ...rowOptions },
			upsert: {
				...{ onConflict, skipUnchanged, filesMode, onMultipleMatches, upsertMode },
				...rowOptions,
			},
		};
		return {
			parameters: {
				...{
					operation,
					...onOrder,
					matchFields: [fields.reference],
					...asJson(withTime('record')),
				},
				options: {
					...ofOperation[operation],
					...(hasFiles ? filesOption([fields.contract, 'data']) : {}),
				},
			},
			items: rest.values.map((item) => recordItem(item, operation)),
			hasFiles,
			switches: rest.switches,
		};
	});

const deletions = fc
	.record({
		deleteBy: fc.constantFrom('match', 'recordId'),
		onMultipleMatches: fc.constantFrom('all', 'updateFirst'),
		values: fc.uniqueArray(values, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
		switches,
	})
	.map(({ deleteBy, onMultipleMatches, ...rest }): Scenario => ({
		parameters: {
			...{ operation: 'delete', ...onOrder, deleteBy, matchFields: ['Reference'] },
			options: { onMultipleMatches },
		},
		items: rest.values.map((item) => recordItem(item, 'delete')),
		hasFiles: false,
		switches: rest.switches,
	}));

const rowWrites = fc
	.record({
		operation: fc.constantFrom('add', 'update', 'delete'),
		rows: fc.uniqueArray(fc.record({ id: recordIds, position: rowNumbers, text: texts }), {
			...{ minLength: 1, maxLength: 6, selector: ({ id, position }) => rowIdOf(id, position) },
		}),
		hasFiles: fc.constant(false),
		switches,
	})
	.map(({ operation, rows, ...rest }): Scenario => ({
		parameters: {
			...{ resource: 'subtableRow', operation, ...onOrder, subtableId: lines.id },
			...{ rowId: '={{ $json.line }}', inputMode: 'json', rowJson: withTime('row') },
		},
		items: rows.map(({ id, position, text }) => ({
			...{ id, line: rowIdOf(id, position), row: { [article]: text } },
		})),
		...rest,
	}));

const ids = fc.array(recordIds, { minLength: 1, maxLength: 4 });

const otherWrites = fc
	.record({
		kind: fc.constantFrom('add', 'replace', 'comment', 'lock', 'button', 'items', 'conditions'),
		ids,
		switches,
	})
	.map(({ kind, ids, ...rest }): Scenario => {
		const buttonId = { __rl: true, mode: 'id', value: orders.buttons.ship };
		const upload = { resource: 'file', operation: 'upload', ...onOrder, fieldId: fields.contract };
		const change = assign([fields.remark, '={{ $json.remark }}']);
		const parameters: { [kind: string]: INodeParameters } = {
			add: { ...upload, uploadMode: 'add' },
			replace: { ...upload, uploadMode: 'replace' },
			comment: {
				...{ resource: 'comment', operation: 'add', ...onOrder },
				comment: '={{ "at " + Date.now() }}',
				attachmentFieldName: 'data',
			},
			lock: { resource: 'lock', operation: 'lock', ...onOrder },
			button: { resource: 'actionButton', operation: 'run', ...onOrder, buttonId },
			items: mass('update', { ...byItems('id'), ...change }),
			conditions: mass('update', { ...byConditions([fields.reference, 'eq', 'K1']), ...change }),
		};
		const items = ids.map((id) => ({ id, remark: id > 5 ? 'high' : 'low' }));
		return { parameters: parameters[kind] ?? {}, items, hasFiles: true, ...rest };
	});

/** Writing operations with all options that divide a write into several steps. */
export const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
	{ weight: 6, arbitrary: recordWrites },
	{ weight: 2, arbitrary: deletions },
	{ weight: 2, arbitrary: rowWrites },
	{ weight: 2, arbitrary: otherWrites },
);
