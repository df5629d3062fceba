import { orders } from '../../service';
import { exportOrder, report } from '../document/documentTestbed';
import { download, itemWithFiles, textFile, upload } from '../file/fileTestbed';
import { assign, byConditions, byIds, mass, replace } from '../massOperation/massParameters';
import { onOrder, onOrders } from '../recordTestbed';
import { asJson, autoMapped } from '../record/recordValues';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';
import type { Mistake } from './mistakes';

const { fields, buttons } = orders;
const { lines } = orders.subtables;

type Row = [
	operation: string,
	mistake: string,
	parameters: Mistake['parameters'],
	names: RegExp,
	says: RegExp,
	more?: Partial<Mistake>,
];

const conditions = (field: string, value: string, operator = 'eq') => ({
	filters: { conditions: [{ field, operator, value }] },
});
const list = onOrders('getAll');
const update = (json: object | string) => ({ ...onOrder('update', 5), ...asJson(json) });
const button = (value: string) => ({ buttonId: { __rl: true, mode: 'id', value } });
const runButton = { resource: 'actionButton', ...onOrder('run', 5) };
const comment = { resource: 'comment', ...onOrder('add', 5) };
const row999 = { json: { order: 11, line: 999 } };
const oneFile = async () => [await itemWithFiles({}, { data: textFile('new.txt') })];

const rows: Row[] = [
	['record.getAll', 'an unknown field', { ...list, ...conditions('Citty', 'x') }, /'Citty'/, /not a field of the sheet.*'City'/],
	['record.getAll', 'a condition without a value', { ...list, ...conditions('City', '={{ $json.nothing }}') }, /'City' in 'Filters'/, /has no value/],
	['record.getAll', 'a condition with a list', { ...list, ...conditions('City', '={{ ["a", "b"] }}') }, /'City' in 'Filters'/, /returned a list/],
	['record.getAll', 'a raw condition that is none', { ...list, options: { where: 'City is Paris' } }, /'Raw Conditions'/, /'City is Paris'/],
	['record.getAll', 'a limit that is no number', { ...list, returnAll: false, limit: '={{ "many" }}' }, /'Limit'/, /whole number/],
	['record.getAll', 'an unknown field of Only Fields', { ...list, options: { onlyFields: 'Citty' } }, /'Citty'/, /not a field/],
	['record.getAll', 'a list as search text', { ...list, options: { fullText: '={{ ["a"] }}' } }, /'Full-Text Search'/, /returned a list/],
	['record.count', 'an unknown field', { ...onOrders('count'), ...conditions('Citty', 'x') }, /'Citty'/, /not a field of the sheet.*'City'/],
	['record.count', 'a condition without a value', { ...onOrders('count'), ...conditions('City', '={{ $json.nothing }}') }, /'City' in 'Filters'/, /has no value/],
	['record.update', 'an unknown field', update({ Citty: 'x' }), /'Citty'/, /not a field of the sheet.*'City'/],
	['record.update', 'no JSON', update('{"City": '), /'JSON'|JSON/, /character|end/],
	['record.update', 'a list of records', update('[{"City":"x"},{"City":"y"}]'), /JSON/, /list of 2 records.*Split Out/],
	['record.update', 'nothing to write', update('{}'), /'Clear Empty'/, /nothing to write/],
	['record.update', 'no date', update({ 'Order Date': '31.12.2025' }), /'Order Date'/, /'31\.12\.2025'.*\$json\['Order Date'\], 'dd\.MM\.yyyy'/],
	['record.update', 'an object in a field', update({ Remark: { a: 1 } }), /'Remark'/, /an object/],
	['record.update', 'an unknown choice that is rejected', { ...update({ Status: 'Opne' }), options: { unknownChoices: 'error' } }, /'Status'/, /'Opne'/],
	['record.update', 'a locked record', { ...onOrder('update', 3), ...asJson({ Remark: 'x' }), options: { checkLock: true } }, /'Check Lock'/, /locked/i],
	['record.update', 'an item of an error output', { ...onOrder('update', 5), ...autoMapped() }, /'Ignore Field Names or IDs'/, /'error'/, { items: () => [{ json: { Remark: 'x', error: 'The record was not saved' } }] }],
	['record.update', 'a missing file', { ...update({ Remark: 'x' }), options: { files: { file: [{ fieldId: 'Contract', inputDataFieldName: 'data' }] } } }, /input data field 'data'/, /no file/],
	['record.create', 'an unknown field', { ...onOrders('create'), ...asJson({ Citty: 'x' }) }, /'Citty'/, /not a field of the sheet.*'City'/],
	['record.create', 'a value that the sheet rejects', { ...onOrders('create'), ...asJson({ Remark: 'x' }) }, /not saved|refused|Correct the value/, /Correct the value|browser/, { prepare: undefined }],
	['record.create', 'an item of an error output', { ...onOrders('create'), ...autoMapped() }, /'Ignore Field Names or IDs'/, /'error'/, { items: () => [{ json: { Remark: 'x', error: { message: 'No' } } }] }],
	['record.upsert', 'no value to match on', { ...onOrders('upsert'), ...asJson({ Remark: 'x' }), matchFields: ['Reference'] }, /'Reference'/, /no value/],
	['record.upsert', 'an unknown match field', { ...onOrders('upsert'), ...asJson({ Remark: 'x' }), matchFields: ['Refrence'] }, /'Refrence'/, /not a field/],
	['record.upsert', 'no match field', { ...onOrders('upsert'), ...asJson({ Remark: 'x' }), matchFields: '={{ $json.nothing }}' }, /'Match Field Names or IDs'/, /empty|Choose/],
	['record.upsert', 'an item of an error output', { ...onOrders('upsert'), ...autoMapped(['Reference']) }, /'Ignore Field Names or IDs'/, /'error'/, { items: () => [{ json: { Reference: 'x', error: 'No' } }] }],
	['record.upsert', 'several matches', { ...onOrders('upsert'), ...asJson({ Status: 'Open', Remark: 'x' }), matchFields: ['Status'] }, /'Status'|'On Multiple Matches'/, /records match/],
	['record.delete', 'an empty value to match on', { ...onOrders('delete'), deleteBy: 'match', matchFields: ['Reference'] }, /'Reference'/, /no value|empty/],
	['record.ifExists', 'an unknown match field', { ...onOrders('ifExists'), matchFields: ['Refrence'] }, /'Refrence'/, /not a field/],
	['record.get', 'an unknown field of Only Fields', { ...onOrder('get', 5), options: { onlyFields: 'Citty' } }, /'Citty'/, /not a field/],
	['subtableRow.getAll', 'an unknown subtable', { resource: 'subtableRow', ...onOrder('getAll', 5), subtableId: 'Lines of Order' }, /'Lines of Order'/, /not a subtable/],
	['subtableRow.getAll', 'no subtable', { resource: 'subtableRow', ...onOrder('getAll', 5), subtableId: '={{ $json.nothing }}' }, /'Subtable Name or ID'/, /is empty/],
	['subtableRow.add', 'an unknown field', onLines('add', rowAsJson({ Artikel: 'x' })), /'Artikel'/, /not a field of subtable/, { items: () => [row999] }],
	['subtableRow.update', 'a row that is gone', onLines('update', { ...rowAsJson({ [lines.fields.article]: 'x' }), rowId: '999' }), /'Order Lines'.*'Row ID'/, /no row 999/, { items: () => [row999], identity: 'admin' }],
	['subtableRow.update', 'no row', onLines('update', { ...rowAsJson({ [lines.fields.article]: 'x' }), rowId: '={{ $json.nothing }}' }), /'Row ID'/, /is empty/, { items: () => [row999] }],
	['subtableRow.delete', 'a row that is gone', onLines('delete', { rowId: '999' }), /'Order Lines'.*'Row ID'/, /no row 999/, { items: () => [row999], identity: 'admin' }],
	['subtableRow.delete', 'a row that is no ID', onLines('delete', { rowId: 'first' }), /row ID/, /'first'/, { items: () => [row999] }],
	['comment.add', 'no text', { ...comment, comment: '={{ $json.nothing }}' }, /'Comment'/, /is empty/],
	['comment.add', 'a list', { ...comment, comment: '={{ ["a"] }}' }, /'Comment'/, /needs a text, but the expression returned a list/],
	['comment.add', 'an object', { ...comment, comment: '={{ ({ a: 1 }) }}' }, /'Comment'/, /needs a text, but the expression returned an object/],
	['comment.add', 'a missing file', { ...comment, comment: 'x', inputDataFieldName: 'photo' }, /input data field 'photo'/, /no file/],
	['comment.add', 'several files', { ...comment, comment: 'x', inputDataFieldName: '={{ ["a", "b"] }}' }, /'Input Data Field Name'/, /2 files.*one: a, b/],
	['actionButton.run', 'a button that is gone', { ...runButton, ...button('99') }, /'Action Button'/, /no action button 99/],
	['actionButton.run', 'no button', { ...runButton, ...button('={{ $json.nothing }}') }, /'Action Button'/, /is empty/],
	['actionButton.run', 'an unknown name', { ...runButton, buttonId: { __rl: true, mode: 'name', value: 'Shipp' } }, /'Shipp'/, /no action button.*'Mark as Shipped'/],
	['massOperation.runActionButton', 'a button that is gone', mass('runActionButton', { ...byIds('10'), ...button('99') }), /'Action Button'/, /no action button 99/],
	['massOperation.lock', 'no records', mass('lock', byIds('={{ $json.nothing }}')), /'Record IDs'/, /empty|no record/i],
	['massOperation.lock', 'a record that is no ID', mass('lock', byIds('10, x')), /'Record IDs'|record ID/, /'x'/],
	['massOperation.lock', 'a condition without a value', mass('lock', byConditions(['City', 'eq', '={{ $json.nothing }}'])), /'City' in 'Filters'/, /has no value/],
	['massOperation.lock', 'an unknown field', mass('lock', byConditions(['Citty', 'eq', 'x'])), /'Citty'/, /not a field of the sheet.*'City'/],
	['massOperation.approve', 'no condition', mass('approve', byConditions()), /condition/, /selection is empty|no condition/i],
	['massOperation.update', 'an unknown field', mass('update', { ...byIds('10'), ...assign(['Citty', 'x']) }), /'Citty'/, /not a field of the sheet.*'City'/],
	['massOperation.update', 'no date', mass('update', { ...byIds('10'), ...assign(['Order Date', '31.12.2025']) }), /'Order Date'/, /'31\.12\.2025' is not a valid date/],
	['massOperation.update', 'no assignment', mass('update', byIds('10')), /'Assignments'|assignment/i, /empty|no |Add/],
	['massOperation.searchReplace', 'an unknown field', mass('searchReplace', { ...byIds('10'), ...replace('Citty', 'a', 'b') }), /'Citty'/, /not a field of the sheet.*'City'/],
	['task.get', 'no task', { resource: 'task', operation: 'get', taskId: '={{ $json.nothing }}' }, /'Task ID'/, /is empty/],
	['task.get', 'a task that is gone', { resource: 'task', operation: 'get', taskId: 'nope' }, /task/, /task nope/],
	['task.wait', 'a task that is gone', { resource: 'task', operation: 'wait', taskId: 'nope' }, /task/, /task nope/],
	['document.export', 'no template', exportOrder(5, { format: 'mailMerge' }), /'Template ID'/, /is empty/],
	['document.export', 'an unknown template', exportOrder(5, { format: 'mailMerge', templateId: '999' }), /'Template ID'/, /no template 999 for this sheet/],
	['document.export', 'an unknown template of a report', exportOrder(5, report('pdf', { templateId: '999' })), /'Template ID'/, /999/, { prepare: ({ switches }) => { switches.dialect = 'standard'; } }],
	['file.download', 'no file', download('={{ $json.nothing }}'), /'File Value'/, /is empty|no value/],
	['file.download', 'a value that is no file', download('={{ ({ a: 1 }) }}'), /'File Value'/, /returned an object/],
	['file.download', 'a file that is gone', download('abcde@a.pdf'), /'a\.pdf'/, /does not exist any more/],
	['file.upload', 'a missing file', upload(5, { inputDataFieldName: 'photo' }), /input data field 'photo'/, /Binary data of this item: data/, { items: oneFile }],
	['file.upload', 'no field', upload(5, { fieldId: '={{ $json.nothing }}' }), /'Field Name or ID'/, /is empty/, { items: oneFile }],
	['file.upload', 'no name of an input field', upload(5, { inputDataFieldName: '={{ $json.nothing }}' }), /'Input Data Field Name'/, /is empty/, { items: oneFile }],
	['file.upload', 'an unknown field', upload(5, { fieldId: 'Contrct' }), /'Contrct'/, /not a field/, { items: oneFile }],
	['sheet.importFromUrl', 'an import that is not set up', { resource: 'sheet', ...onOrders('importFromUrl') }, /import from URL|SYSAdmin/, /not enabled|privilege/],
	['lock.lock', 'a list as record', { resource: 'lock', ...onOrder('lock', '={{ [5] }}') }, /'Record'/, /returned a list/],
];

export const ownMistakes: Mistake[] = rows.map(
	([operation, mistake, parameters, names, says, more]) => ({
		...{ operation, mistake, parameters, names, says },
		...more,
	}),
);
export const unused = [fields, buttons, linesOf];
