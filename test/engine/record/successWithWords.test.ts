import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../service';
import { orders, siteVisits } from '../../service';
import { onOrder, onOrders, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { mass, byIds } from '../massOperation/massParameters';
import { retrying } from '../retryOnFail/retrying';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields, subtables } = orders;

const update = { ...onOrder('update', 5), ...asJson({ [fields.remark]: 'new' }) };
const create = { ...onOrders('create'), ...asJson({ [fields.customerNumber]: 'C-0001' }) };
const addLine = onLines('add', rowAsJson({ [subtables.lines.fields.article]: 'new' }));
const words = 'Field id 1000011 not found';

/** Answers the next write with SUCCESS and a message, before or after the work. */
function answerWith(msg: string, more: object = {}, afterWork = false, status = 'SUCCESS'): void {
	const when: Fault['when'] = ({ method }) => method !== 'GET';
	const body = JSON.stringify({ status, msg, ...more });
	testbed.inject({ kind: 'body', body, when, afterWork });
}

const addComment = { resource: 'comment', ...onOrder('add', 5), comment: 'Hello' };
const lock = { resource: 'lock', ...onOrder('lock', 5) };
const lineRow = () => String(linesOf(testbed.service, 5)[0]?.[0]);
const updateLine = () =>
	onLines('update', {
		rowId: lineRow(),
		...rowAsJson({ [subtables.lines.fields.article]: 'new' }),
	});
const deleteLine = () => onLines('delete', { rowId: lineRow() });
const uploadFile = (): INodeParameters => ({
	...{ resource: 'file', operation: 'upload', sheet: sheet(siteVisits), recordId: recordId(7) },
	fieldId: siteVisits.fields.report,
});
const runButton: INodeParameters = {
	...{ resource: 'actionButton', ...onOrder('run', 4) },
	buttonId: { __rl: true, mode: 'id', value: orders.buttons.ship },
};

describe('SUCCESS with a message that a deletion was not carried out', () => {
	const denial = 'The record could not be moved to the recycle bin';

	it.each([denial, 'Der Datensatz konnte nicht gelöscht werden', '資料無法移至回收筒'])(
		'is an error if the record still exists: %s',
		async (words) => {
			answerWith(words);
			expect(await testbed.errorOf(onOrder('delete', 5))).toContain(words);
		},
	);

	it('is a warning if it does not', async () => {
		answerWith(denial, {}, true);
		const { json } = await testbed.run(onOrder('delete', 5));
		expect(json).toEqual([{ deleted: true, _recordId: 5, _warning: denial }]);
	});
});

describe('SUCCESS with a message that something was not found, and nothing was done', () => {
	it.each<[string, () => INodeParameters]>([
		['record: update', () => update],
		['record: create', () => create],
		['record: delete', () => onOrder('delete', 5)],
		['subtable row: add', () => addLine],
		['subtable row: update', updateLine],
		['subtable row: delete', deleteLine],
		['lock: lock', () => lock],
		['comment: add', () => addComment],
		['file: upload', uploadFile],
		['action button: run', () => runButton],
	])(
		'a write that was not carried out is an error with the words of the service: %s',
		async (_, parameters) => {
			answerWith(words);
			const item = await itemWithFiles({ order: 5 }, { data: textFile('new.txt') });
			const { status, error, items } = await testbed.runById(parameters(), [item]);
			expect([status, items]).toEqual(['error', []]);
			expect(error?.message).toBe(`The service did not confirm the change: ${words}`);
			expect(error?.description).toContain('unknown whether the change was made');
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it.each(['Form Index 1', 'record 5 does not exist', 'No such field: 1000011'])(
		'an update with the message %j is not reported as done',
		async (message) => {
			answerWith(message);
			expect(await testbed.errorOf(update)).toContain(message);
			expect(testbed.order(5).text(fields.remark)).not.toBe('new');
		},
	);

	it('a record that the user may not lock is not reported as locked', async () => {
		answerWith('You may not lock this record');
		const { error, items } = await testbed.runById(lock);
		expect(items).toEqual([]);
		expect(error?.message).toContain('You may not lock this record');
		answerWith('The record is locked now.', {}, true);
		const { json } = await testbed.run(lock);
		expect(json).toMatchObject([{ locked: true, _warning: 'The record is locked now.' }]);
	});

	it('a record that the service did not find is not reported as deleted', async () => {
		testbed.service.switches.falseSuccess = true;
		const result = await testbed.runAll(onOrder('delete'), [{ id: 99999 }, { id: 12 }]);
		expect(result.items).toEqual([
			{ json: { deleted: true, _recordId: 12 }, pairedItem: { item: 1 } },
		]);
		testbed.expectErrors(result, [
			'There is no record 99999, and nothing was deleted: Record 99999 not found.',
		]);
	});

	it('with Retry On Fail, a write whose outcome is unknown is not sent again', async () => {
		answerWith(words);
		const { status } = await testbed.runById(update, [{}], retrying);
		expect(status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	});

	it.each([
		['another time', { at: 1000 }],
		['another file', { attachment: 'kq2Ab@old.txt' }],
		['another text', { text: 'Hello!' }],
	])('an earlier comment with %s does not confirm a new one', async (_, earlier) => {
		const author = 'max.member@acme.example';
		const comment = { id: 9, author, text: 'Hello', attachment: '', at: 2000, ...earlier };
		testbed.order(5).comments.push(comment);
		answerWith(words, { 65: author, 66: 'Hello', 67: '', 73: '2000' });
		const { error } = await testbed.run(addComment);
		expect(error?.message).toBe(`The service did not confirm the change: ${words}`);
	});
});

describe('SUCCESS with a message that something was not found, and no read shows the record', () => {
	it.each<[string, () => INodeParameters, object]>([
		['record: update', () => update, {}],
		['record: delete', () => onOrder('delete', 5), {}],
		['lock: lock', () => lock, {}],
		['lock: unlock', () => ({ ...lock, operation: 'unlock' }), {}],
		['comment: add', () => addComment, { 65: 'a@b.example', 66: 'Hello', 67: '', 73: '2000' }],
	])('the outcome is unknown, although the change was made: %s', async (_, parameters, more) => {
		answerWith(words, more, true);
		testbed.refuse(({ method, path }) => method === 'GET' && path.endsWith('/orders/1/5'), 9);
		const { error, items } = await testbed.runById(parameters());
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service did not confirm the change: ${words}`);
		expect(error?.description).toContain('unknown whether the change was made');
		expect(testbed.writes).toHaveLength(1);
	});
});

describe('SUCCESS with a message that something was not found, and the change was made', () => {
	it.each<[string, () => INodeParameters, object]>([
		['record: update', () => update, { _recordId: 5, [fields.remark]: 'new' }],
		['record: delete', () => onOrder('delete', 5), { deleted: true, _recordId: 5 }],
		['subtable row: update', updateLine, { _recordId: 5 }],
		['subtable row: add', () => addLine, { _recordId: 5 }],
		['subtable row: delete', deleteLine, { deleted: true, _recordId: 5 }],
	])(
		'a change that a read confirms is a success with a warning: %s',
		async (_, parameters, expected) => {
			answerWith(words, {}, true);
			const { items } = await testbed.runById(parameters(), [{ order: 5 }]);
			expect(items).toMatchObject([
				{ json: { ...expected, _warning: words }, pairedItem: { item: 0 } },
			]);
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('a new record whose ID the answer contains is read, and returned with a warning', async () => {
		answerWith(words, { ragicId: 301 }, true);
		const { json } = await testbed.runById(create);
		expect(json).toMatchObject([
			{ _recordId: 301, [fields.orderNumber]: 'SO-00301', _warning: words },
		]);
	});

	it('an uploaded file that the record shows is a success with a warning', async () => {
		answerWith(words, {}, true);
		const item = await itemWithFiles({}, { data: textFile('new.txt') });
		const { json } = await testbed.runById(uploadFile(), [item]);
		expect(json).toMatchObject([{ _recordId: 7, _fileNames: ['new.txt'], _warning: words }]);
	});

	it('a comment that is among those of the record is a success with a warning', async () => {
		const time = { 65: 'max.member@acme.example', 66: 'Hello', 67: '' };
		testbed
			.order(5)
			.comments.push({ id: 9, author: time[65], text: 'Hello', attachment: '', at: 1000 });
		answerWith(words, { ...time, 73: '1000' });
		const { json } = await testbed.run(addComment);
		expect(json).toMatchObject([{ _recordId: 5, comment: 'Hello', _warning: words }]);
	});
});

describe('a number field that the service leaves blank', () => {
	beforeEach(() => (testbed.service.switches.wrongNumbers = 'blank'));
	const said = 'Invalid numeric value format.';
	const values = { [fields.customerNumber]: 'C-0001', [fields.total]: '5' };

	it.each<[string, INodeParameters]>([
		['create', { ...onOrders('create'), ...asJson(values) }],
		['update', { ...onOrder('update', 5), ...asJson(values) }],
		['upsert', { ...onOrders('upsert'), ...asJson(values), matchFields: [fields.customerNumber] }],
	])(
		'a record is saved, and the words of the service are in its warning: %s',
		async (_, parameters) => {
			answerWith(said, { ragicId: 5 });
			const { json, status } = await testbed.runById(parameters, [{}]);
			expect(status).toBe('success');
			expect(json[0]?._warning).toContain(said);
		},
	);
});

describe('an action button with the status WARN', () => {
	it('a button that was carried out with a warning is a success', async () => {
		testbed.service.switches.buttonStatus = 'WARN';
		const { items } = await testbed.run(runButton);
		const message = `Order ${testbed.order(4).text(fields.orderNumber)} is on its way.`;
		const json = { _recordId: 4, buttonId: orders.buttons.ship, message, _warning: message };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(testbed.order(4).text(fields.status)).toBe('Shipped');
		expect(testbed.writes).toHaveLength(1);
	});

	it('a mass operation that starts with a warning is a success, and returns the warning', async () => {
		const taskId = 'task-1';
		answerWith('2 records are locked', { taskId }, false, 'WARN');
		const more = { ...byIds('4,5'), buttonId: runButton.buttonId ?? '', waitForCompletion: false };
		const { json } = await testbed.run(mass('runActionButton', more));
		expect(json).toEqual([{ taskId, _warning: '2 records are locked' }]);
	});
});

describe('the ID in the answer to a creation', () => {
	it.each(['underscored', 'asText', 'asInRecords'] as const)(
		'the ID of a new record is found: %s',
		async (answerId) => {
			Object.assign(testbed.service.switches, { answerId, answerCarriesData: false });
			expect((await testbed.runById(create)).records).toEqual(['301 #0']);
		},
	);

	it('all records of the sheet show no ID, so the outcome is unknown', async () => {
		testbed.service.switches.createAnswer = 'wholeSheet';
		const { error } = await testbed.runById(create);
		expect(error?.message).toContain('answered with 301 records, which do not show the new one');
		expect(error?.description).toContain('unknown whether the change was made');
		expect(testbed.writes).toHaveLength(1);
	});
});
