import type { INodeParameters } from 'n8n-workflow';
import { externalUsers, orders } from '../../service';
import { exportOrder, report } from '../document/documentTestbed';
import { download, itemWithFiles, textFile, upload } from '../file/fileTestbed';
import { assign, byConditions, byIds, mass, quickly } from '../massOperation/massParameters';
import { asJson, autoMapped, withFiles } from '../record/recordValues';
import { onOrder, onOrders, type RecordTestbed } from '../recordTestbed';
import type { RunResult } from '../runner';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';

/** A run that fails, or that warns, and the same run after its advice was followed. */
export interface AdviceCase {
	/** The fault of the first run. */
	fault: string;
	/** Runs the node with the fault. */
	fail: (testbed: RecordTestbed) => Promise<RunResult>;
	/** The advice in the error, in `_warning` or in a hint. Its groups are the values that the user copies from it. */
	advice: RegExp;
	/** Does what the advice says, with the copied values. */
	follow: (testbed: RecordTestbed, ...copied: string[]) => Promise<RunResult>;
	/** Content of the first item of the second run, or one of its stored values. */
	result: object | ((testbed: RecordTestbed) => boolean);
}

const { city, internalMargin, remark, orderDate, description, contract, status } = orders.fields;
const { lines } = orders.subtables;
const { article } = lines.fields;

const update = (json: object, options: INodeParameters = {}) => ({
	...onOrder('update', 5),
	...asJson(json),
	options,
});
const list = (...conditions: INodeParameters[]) => ({
	...onOrders('getAll'),
	filters: { conditions },
});
const condition = (field: string, operator: string, value: unknown = '') => ({
	...{ field, operator },
	value: value as string,
});
const remarkOf = (testbed: RecordTestbed) => testbed.order(5).value(remark);
const found = { _recordId: expect.any(Number) as unknown };
const rows11 = (testbed: RecordTestbed) => linesOf(testbed.service, 11);
const firstRow = (testbed: RecordTestbed) => String(rows11(testbed)[0]?.[0]);
const rowsJson = (rows: object[]) => asJson({ [`_subtable_${lines.id}`]: rows });
const replaceRows = (rows: object[], rowMatchFields = '') => ({
	...onOrder('update', 11),
	...rowsJson(rows),
	options: { rowsMode: 'upsert', ...(rowMatchFields && { rowMatchFields }) },
});
const file = async () => [await itemWithFiles({}, { data: textFile('new.txt') })];

const credentialCases: AdviceCase[] = [
	{
		fault: 'a key that was copied incompletely',
		fail: async (testbed) =>
			await testbed.run(onOrder('get', 5), [{}], testbed.as('member', { apiKey: 'bm90LWEta2V5' })),
		advice: /Copy the complete API key again/,
		follow: async (testbed) => await testbed.run(onOrder('get', 5)),
		result: { _recordId: 5 },
	},
	{
		fault: 'a wrong password',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('get', 5), authentication: 'session' }, [{}], {
				credentials: testbed.sessionCredentials('member', { password: 'wrong' }),
			}),
		advice: /Check 'Email' and 'Password' in the credential|Check e-mail and password/,
		follow: async (testbed) =>
			await testbed.run({ ...onOrder('get', 5), authentication: 'session' }, [{}], {
				credentials: testbed.sessionCredentials(),
			}),
		result: { _recordId: 5 },
	},
	{
		fault: 'a base URL of another protocol',
		fail: async (testbed) => {
			const { host } = new URL(testbed.service.baseUrl);
			const baseUrl = `http://${host}`;
			return await testbed.run(onOrder('get', 5), [{}], testbed.as('member', { baseUrl }));
		},
		advice: /Set 'Base URL' in the credential to https:/,
		follow: async (testbed) => await testbed.run(onOrder('get', 5)),
		result: { _recordId: 5 },
	},
	{
		fault: 'the address of a sheet of another account',
		fail: async (testbed) => {
			const value = `${testbed.service.baseUrl}/other/sales/orders/1`;
			const address = { __rl: true, mode: 'url', value };
			return await testbed.run({ ...onOrder('get', 5), sheet: address });
		},
		advice: /select the sheet 'By Path'/,
		follow: async (testbed) => await testbed.run(onOrder('get', 5)),
		result: { _recordId: 5 },
	},
];

const filterCases: AdviceCase[] = [
	{
		fault: 'a condition without a value',
		fail: async (testbed) =>
			await testbed.run(list(condition('Remark', 'eq', '={{ $json.nothing }}'))),
		advice: /choose the operator 'Is Empty' in 'Filters'/,
		follow: async (testbed) => await testbed.run(list(condition('Remark', 'empty'))),
		result: { Remark: '' },
	},
	{
		fault: 'an operator in Raw Conditions that the service does not have',
		fail: async (testbed) =>
			await testbed.run({ ...onOrders('getAll'), options: { where: `${status},ne,Open` } }),
		advice: /Use '(Is Not Equal To)' or 'Is Not Empty' in 'Filters'/,
		follow: async (testbed) => await testbed.run(list(condition('Status', 'ne', 'Open'))),
		result: { Status: expect.not.stringMatching(/^Open$/) as unknown },
	},
	{
		fault: 'a list and another condition on its field',
		fail: async (testbed) =>
			await testbed.run(
				list(
					condition('Status', 'in', '={{ ["Open", "Shipped"] }}'),
					condition('Status', 'eq', 'Cancelled'),
				),
			),
		advice: /Add the value to the list of 'Is One Of'/,
		follow: async (testbed) =>
			await testbed.run(list(condition('Status', 'in', '={{ ["Open", "Shipped", "Cancelled"] }}'))),
		result: { Status: expect.stringMatching(/^(?:Open|Shipped|Cancelled)$/) as unknown },
	},
	{
		fault: 'a name that two fields have',
		fail: async (testbed) => await testbed.run(list(condition('Note', 'eq', 'x'))),
		advice: /fields \((\d+), (\d+)\) Use the ID of the one/,
		follow: async (testbed, _, id = '') => {
			testbed.order(5).set(id, 'x');
			return await testbed.run(list(condition(id, 'eq', 'x')));
		},
		result: { _recordId: 5 },
	},
	{
		fault: 'a misspelled name of a field',
		fail: async (testbed) => await testbed.run(list(condition('Citty', 'notEmpty'))),
		advice: /Did you mean '(City)'/,
		follow: async (testbed, name = '') => await testbed.run(list(condition(name, 'notEmpty'))),
		result: found,
	},
	{
		fault: 'a list that is an error if it is empty',
		fail: async (testbed) =>
			await testbed.run({
				...list(condition('Reference', 'eq', 'no such')),
				options: { emptyResult: 'error' },
			}),
		advice: /set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'/,
		follow: async (testbed) =>
			await testbed.run({
				...list(condition('Reference', 'eq', 'no such')),
				options: { emptyResult: 'emptyItem' },
			}),
		result: {},
	},
	{
		fault: 'values whose types are unknown',
		fail: async (testbed) => {
			testbed.service.switches.definition = 'code106';
			const options = { typedValues: true, onlyFields: 'Tags' };
			for (const record of testbed.orders.records.values()) record.set(orders.fields.tags, []);
			return await testbed.run({ ...onOrder('get', 5), options });
		},
		advice: /types of '(Tags)' are unknown.*multiple selections in 'List Fields'/,
		follow: async (testbed, name = '') => {
			const options = { typedValues: true, onlyFields: name, listFields: name };
			return await testbed.run({ ...onOrder('get', 5), options });
		},
		result: { Tags: [] },
	},
];

/**
 * A value that no record has, and the same run after a person has entered it in the newest record. The remarks of all records are
 * numbers.
 */
function newValueCase(
	fault: string,
	[fieldId, value]: [string, string],
	parameters: INodeParameters,
): AdviceCase {
	return {
		fault,
		fail: async (testbed) => {
			for (const record of testbed.orders.records.values()) record.set(remark, `${record.id}`);
			return await testbed.run(parameters);
		},
		advice: /(?:use|enter) (?:it|one) in one of the newest records first/,
		follow: async (testbed) => {
			testbed.service.people.edit(orders, 300, { [fieldId]: value });
			return await testbed.run(parameters);
		},
		result: {},
	};
}

const assignRemark = mass('update', { ...byIds('5'), ...assign([remark, 'n/a']) });
const newValueCases: AdviceCase[] = [
	newValueCase(
		'a choice that no record has',
		[status, 'Paused'],
		update({ Status: 'Paused' }, { unknownChoices: 'error' }),
	),
	newValueCase(
		'a text in a field that only has numbers',
		[remark, 'n/a'],
		update({ Remark: 'n/a' }),
	),
	newValueCase(
		'a text in a field that only has dates',
		[orderDate, 'later'],
		update({ 'Order Date': 'later' }),
	),
	newValueCase('a text for many records in a field of numbers', [remark, 'n/a'], assignRemark),
	newValueCase('a text in a filter of a field of numbers', [remark, 'n/a'], {
		...list(condition('Remark', 'gte', 'n/a')),
	}),
	newValueCase('a text in a raw condition of a field of numbers', [remark, 'n/a'], {
		...list(),
		options: { where: `${remark},gte,n/a` },
	}),
];

const valueCases: AdviceCase[] = [
	{
		fault: 'a date in another format',
		fail: async (testbed) => await testbed.run(update({ 'Order Date': '31.12.2025' })),
		advice: /e\.g\. (\{\{ .* \}\})/,
		follow: async (testbed, expression = '') =>
			await testbed.run(
				{ ...onOrder('update', 5), ...asJson(`={{ { "Order Date": ${inner(expression)} } }}`) },
				[{ 'Order Date': '31.12.2025' }],
			),
		result: (testbed: RecordTestbed) => testbed.order(5).value(orderDate) === '2025/12/31',
	},
	{
		fault: 'a number in another format',
		fail: async (testbed) => {
			const row = rowAsJson({ 'Unit Price': '1.234,56 €' });
			return await testbed.run(onLines('add', row), [{ order: 11 }], testbed.as('admin'));
		},
		advice: /Write (1234\.5) or 1,234\.5, without a percent sign, unit or currency/,
		follow: async (testbed, number) => {
			const row = rowAsJson({ 'Unit Price': number });
			return await testbed.run(onLines('add', row), [{ order: 11 }], testbed.as('admin'));
		},
		result: { 'Unit Price': '1234.5' },
	},
	{
		fault: 'a number with a decimal comma',
		fail: async (testbed) => {
			const row = rowAsJson({ 'Unit Price': '1.234,56 €' });
			return await testbed.run(onLines('add', row), [{ order: 11 }], testbed.as('admin'));
		},
		advice: /decimal comma with an expression, e\.g\. (\{\{ .* \}\})/,
		follow: async (testbed, expression = '') => {
			const row = { inputMode: 'json', rowJson: `={{ { 'Unit Price': ${inner(expression)} } }}` };
			const item = { order: 11, 'Unit Price': '1.234,56 €' };
			return await testbed.run(onLines('add', row), [item], testbed.as('admin'));
		},
		result: { 'Unit Price': '1234.56' },
	},
	{
		fault:
			'a time zone of the workflow that does not exist, such as DEFAULT of an imported workflow',
		fail: async (testbed) =>
			await testbed.run(update({ 'Delivery Time': '2026-01-31T10:00:00Z' }), [{}], {
				timezone: 'DEFAULT',
			}),
		advice: /time zone 'DEFAULT' does not exist.*settings of the workflow, e\.g\. ([\w/]+)/,
		follow: async (testbed, timezone = '') =>
			await testbed.run(update({ 'Delivery Time': '2026-01-31T10:00:00Z' }), [{}], { timezone }),
		result: { 'Delivery Time': '2026/01/31 11:00:00' },
	},
	{
		fault: 'a date of an expression in a time zone that does not exist',
		fail: async (testbed) =>
			await testbed.run(
				{ ...onOrder('update', 5), ...asJson("={{ { 'Delivery Time': $now } }}") },
				[{}],
				{ timezone: 'Pacific' },
			),
		advice: /time zone in the workflow's settings must exist/,
		follow: async (testbed) =>
			await testbed.run(
				{ ...onOrder('update', 5), ...asJson("={{ { 'Delivery Time': $now } }}") },
				[{}],
				{ timezone: 'US/Pacific' },
			),
		result: { _recordId: 5 },
	},
	{
		fault: 'choices of another database, which are objects',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, [
				{ Tags: [{ id: 1, name: 'Gift' }] },
			]),
		advice: /a list of objects.*e\.g\. \{\{ \$json\.tags(\.map\(.*?\)) \}\}/,
		follow: async (testbed, names = '') =>
			await testbed.run(
				{ ...onOrder('update', 5), ...asJson(`={{ { Tags: $json.Tags${names} } }}`) },
				[{ Tags: [{ id: 1, name: 'Gift' }] }],
			),
		result: { Tags: ['Gift'] },
	},
	{
		fault: 'a key of another node, such as the row number of a spreadsheet',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, [
				{ row_number: 2, City: 'Ulm' },
			]),
		advice: /'(row_number)' is not a field.*enter it in the option 'Ignore Field Names or IDs'/,
		follow: async (testbed, ignoreFields = '') =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped(), options: { ignoreFields } }, [
				{ row_number: 2, City: 'Ulm' },
			]),
		result: { City: 'Ulm' },
	},
	{
		fault: 'keys of another node, some without a name',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, [{ '': '', City: 'Ulm' }]),
		advice: /'' is not a field.*set the option 'Unknown Fields' to '(Ignore)'/,
		follow: async (testbed, choice = '') => {
			const options = { unknownFields: choice.toLowerCase() };
			return await testbed.run({ ...onOrder('update', 5), ...autoMapped(), options }, [
				{ '': '', City: 'Ulm' },
			]);
		},
		result: { City: 'Ulm' },
	},
	{
		fault: 'an item of an error output',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, [
				{ Remark: 'x', error: 'No' },
			]),
		advice: /Enter (error) in the option 'Ignore Field Names or IDs'/,
		follow: async (testbed, ignoreFields = '') =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped(), options: { ignoreFields } }, [
				{ Remark: 'x', error: 'No' },
			]),
		result: (testbed: RecordTestbed) => remarkOf(testbed) === 'x',
	},
	{
		fault: 'a list of records as JSON',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...asJson('[{"City":"x"},{"City":"y"}]') }),
		advice: /Split Out/,
		follow: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...asJson('={{ JSON.stringify($json) }}') }, [
				{ City: 'x' },
				{ City: 'y' },
			]),
		result: (testbed: RecordTestbed) => testbed.order(5).value(city) === 'y',
	},
	{
		fault: 'only empty values to write',
		fail: async (testbed) => await testbed.run(update({ Remark: '' }, { clearEmpty: false })),
		advice: /'Clear Empty'/,
		follow: async (testbed) => await testbed.run(update({ Remark: '' }, { clearEmpty: true })),
		result: (testbed: RecordTestbed) => remarkOf(testbed) === '',
	},
	{
		fault: 'rich text that was read as HTML',
		fail: async (testbed) => {
			testbed.order(5).set(description, '[b]Old[/b]');
			return await writeBack(testbed, {});
		},
		advice: /'Description'.*read it with 'Raw Markup'/,
		follow: async (testbed) => await writeBack(testbed, { bbcode: true }),
		result: (testbed: RecordTestbed) => testbed.order(5).value(description) === '[b]Old[/b]',
	},
	{
		fault: 'a conflict check of an item without its change date',
		fail: async (testbed) =>
			await testbed.run({ ...onOrder('update', 5), ...autoMapped(), options: conflict }, [
				{ _recordId: 5, Remark: 'x' },
			]),
		advice: /Read the record with the option 'Include Record Information'/,
		follow: async (testbed) => {
			const read = await testbed.run({ ...onOrder('get', 5), options: { info: true } });
			const [item] = read.json;
			return await testbed.run({ ...onOrder('update', 5), ...autoMapped(), options: conflict }, [
				{ ...item, Remark: 'x' },
			]);
		},
		result: (testbed: RecordTestbed) => remarkOf(testbed) === 'x',
	},
];

const conflict = { onConflict: 'error' };

/** Returns the content of an n8n expression. */
function inner(expression: string): string {
	return expression.replace(/^\{\{\s*|\s*\}\}$/g, '');
}

/** Reads order 5 with the options, and writes its description back. */
async function writeBack(testbed: RecordTestbed, options: INodeParameters): Promise<RunResult> {
	const read = await testbed.run({ ...onOrder('get', 5), options });
	const items = read.json.map(({ _recordId, Description }) => ({ _recordId, Description }));
	return await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, items);
}

const recordCases: AdviceCase[] = [
	{
		fault: 'a locked record, unlocked',
		fail: async (testbed) => {
			testbed.order(5).locked = true;
			return await testbed.run(update({ Remark: 'x' }, { checkLock: true }));
		},
		advice: /Unlock the record first with the operation 'Unlock' of the resource 'Lock'/,
		follow: async (testbed) => {
			await testbed.run({ resource: 'lock', ...onOrder('unlock', 5) });
			return await testbed.run(update({ Remark: 'x' }, { checkLock: true }));
		},
		result: (testbed: RecordTestbed) => remarkOf(testbed) === 'x',
	},
	{
		fault: 'a locked record, without Check Lock',
		fail: async (testbed) => {
			testbed.order(5).locked = true;
			return await testbed.run(update({ Remark: 'x' }, { checkLock: true }));
		},
		advice: /turn off 'Check Lock'/,
		follow: async (testbed) => await testbed.run(update({ Remark: 'x' }, { checkLock: false })),
		result: (testbed: RecordTestbed) => remarkOf(testbed) === 'x',
	},
	{
		fault: 'several records that match',
		fail: async (testbed) =>
			await testbed.run({
				...onOrders('upsert'),
				...asJson({ Status: 'Open', Remark: 'x' }),
				matchFields: ['Status'],
				options: { onMultipleMatches: 'error' },
			}),
		advice: /'On Multiple Matches'/,
		follow: async (testbed) =>
			await testbed.run({
				...onOrders('upsert'),
				...asJson({ Status: 'Open', Remark: 'x' }),
				matchFields: ['Status'],
				options: { onMultipleMatches: 'updateFirst' },
			}),
		result: { _action: 'updated', Remark: 'x' },
	},
	{
		fault: 'a match field that the user may not see',
		fail: async (testbed) => {
			testbed.order(5).set(internalMargin, '30');
			return await testbed.run(matchOn, [margin]);
		},
		advice: /Match on another field, or use a credential whose user may see this one/,
		follow: async (testbed) => await testbed.run(matchOn, [margin], testbed.as('admin')),
		result: { _recordId: 5 },
	},
	{
		fault: 'a missing file',
		fail: async (testbed) =>
			await testbed.run(upload(5, { inputDataFieldName: 'photo' }), await file()),
		advice: /Binary data of this item: (\w+)/,
		follow: async (testbed, inputDataFieldName = '') =>
			await testbed.run(upload(5, { inputDataFieldName }), await file()),
		result: (testbed: RecordTestbed) => /new\.txt/.test(String(testbed.order(5).value(contract))),
	},
	{
		fault: 'a file of the record that is given as one of a row',
		fail: async (testbed) =>
			await testbed.run(
				{ ...update({ Remark: 'x' }), ...withFiles(['Contract_-1', 'data']) },
				await file(),
			),
		advice: /Leave out the row: '(Contract)' in place of/,
		follow: async (testbed, name = '') =>
			await testbed.run({ ...update({ Remark: 'x' }), ...withFiles([name, 'data']) }, await file()),
		result: (testbed: RecordTestbed) => /new\.txt/.test(String(testbed.order(5).value(contract))),
	},
	{
		fault: 'the name of a file in place of its stored value',
		fail: async (testbed) => await testbed.run(download('contract.pdf')),
		advice: /such as kq2Ab@.+\. Use the value of the field/,
		follow: async (testbed) =>
			await testbed.run(download(String(testbed.order(50).value(contract)))),
		result: {},
	},
];

const margin = { 'Internal Margin': '30' };
const matchOn = { ...onOrders('get'), getBy: 'match', matchFields: ['Internal Margin'] };

const rowCases: AdviceCase[] = [
	{
		fault: 'a row that is gone',
		fail: async (testbed) =>
			await testbed.run(
				onLines('update', { ...rowAsJson({ [article]: 'x' }), rowId: '999' }),
				[{ order: 11 }],
				testbed.as('admin'),
			),
		advice: /use the operation 'Get Many' of the resource 'Subtable Row'/,
		follow: async (testbed) => {
			const rows = await testbed.run(onLines('getAll'), [{ order: 11 }], testbed.as('admin'));
			const rowId = String(rows.json[0]?._rowId);
			const parameters = onLines('update', { ...rowAsJson({ [article]: 'x' }), rowId });
			return await testbed.run(parameters, [{ order: 11 }], testbed.as('admin'));
		},
		result: (testbed: RecordTestbed) => rows11(testbed)[0]?.[1] === 'x',
	},
	{
		fault: 'the name of a subtable for a user who does not see it',
		fail: async (testbed) =>
			await testbed.run(onLines('getAll', { subtableId: 'Order Lines' }), [{ order: 11 }]),
		advice: /give its ID, e\.g\. (\d+)/,
		follow: async (testbed, subtableId = '') =>
			await testbed.run(onLines('getAll', { subtableId }), [{ order: 11 }]),
		result: { _recordId: 11 },
	},
	{
		fault: 'two stored rows for one row of the item',
		fail: async (testbed) => {
			for (const row of testbed.order(11).rows(lines.id).values()) row.set(article, 'same');
			return await testbed.run(replaceRows([{ Article: 'same', Quantity: 7 }], 'Article'));
		},
		advice: /name the row that is meant by (_rowId)/,
		follow: async (testbed, key = '') =>
			await testbed.run(
				replaceRows([{ [key]: firstRow(testbed), Article: 'same', Quantity: 7 }], 'Article'),
			),
		result: (testbed: RecordTestbed) => String(rows11(testbed)[0]?.[2]) === '7',
	},
	{
		fault: 'a row without an ID',
		fail: async (testbed) =>
			await testbed.run(replaceRows([{ _rowId: '', Article: 'new' }], 'Article')),
		advice: /A row without _rowId is a new one/,
		follow: async (testbed) => await testbed.run(replaceRows([{ Article: 'new' }], 'Article')),
		result: (testbed: RecordTestbed) => rows11(testbed).at(-1)?.[1] === 'new',
	},
];

const massCases: AdviceCase[] = [
	{
		fault: 'a mass operation without a selection',
		fail: async (testbed) => await testbed.run(mass('lock', byConditions())),
		advice: /enter IDs in 'Record IDs'/,
		follow: async (testbed) => await testbed.run(mass('lock', byIds('10'))),
		result: (testbed: RecordTestbed) => testbed.order(10).locked,
	},
	{
		fault: 'a task that takes longer than the time-out',
		fail: async (testbed) => {
			testbed.service.tasks.recordsPerLook = 1;
			return await testbed.run(
				mass('lock', {
					...byIds('10,11,12,13,14,15,16,17,18,19'),
					options: { ...quickly, timeout: 0.03 },
				}),
			);
		},
		advice: /use the operation 'Wait' of the resource 'Task' with this task ID/,
		follow: async (testbed) => {
			const taskId = testbed.service.tasks.all[0]?.id ?? '';
			return await testbed.run({ resource: 'task', operation: 'wait', taskId, options: quickly });
		},
		result: { finished: true, succeeded: true },
	},
	{
		fault: 'a group of external users without its prefix',
		fail: async (testbed) => await testbed.run(groups('Partners'), [{}], testbed.as('admin')),
		advice: /Write it as '(x-Partners)'/,
		follow: async (testbed, name = '') =>
			await testbed.run(groups(name), [{}], testbed.as('admin')),
		result: { succeeded: true },
	},
	{
		fault: 'an unknown action button',
		fail: async (testbed) => await testbed.run(runButton('Shipp')),
		advice: /'(Mark as Shipped)'/,
		follow: async (testbed, name = '') => await testbed.run(runButton(name)),
		result: (testbed: RecordTestbed) => testbed.order(5).value(status) === 'Shipped',
	},
	{
		fault: 'a report in the wrong spelling',
		fail: async (testbed) => {
			testbed.service.switches.dialect = 'ragic';
			const standard = testbed.as('member', { serviceDialect: 'standard' });
			return await testbed.run(exportOrder(5, report('pdf')), [{}], standard);
		},
		advice: /set 'Service Dialect' in the credential to '(Ragic)'/,
		follow: async (testbed, dialect = '') => {
			const serviceDialect = dialect.toLowerCase();
			const ragic = testbed.as('member', { serviceDialect });
			return await testbed.run(exportOrder(5, report('pdf')), [{}], ragic);
		},
		result: {},
	},
];

const runButton = (value: string) => ({
	...{ resource: 'actionButton', ...onOrder('run', 5) },
	buttonId: { __rl: true, mode: 'name', value },
});

const groups = (name: string) => {
	const options = { ...quickly, userSheet: 'external' };
	return mass('update', { ...byIds('1'), ...assign(['3', name]), options }, externalUsers);
};

export const adviceCases: readonly AdviceCase[] = [
	...credentialCases,
	...filterCases,
	...valueCases,
	...newValueCases,
	...recordCases,
	...rowCases,
	...massCases,
];
