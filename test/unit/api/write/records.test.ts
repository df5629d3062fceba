import { Journal } from '../../../../nodes/api/http/journal';
import {
	createRecord,
	deleteRecord,
	updateRecord,
	writingParameters,
	type Writing,
} from '../../../../nodes/api/write/records';
import {
	RecordMemory,
	recordMemory,
	sheetKey,
} from '../../../../nodes/api/read/memory/recordMemory';
import type { RecordContent } from '../../../../nodes/api/write/recordContent';
import { plain } from '../../../../nodes/api/read/record';
import { FakeService, inOrder, type FakeAnswer } from '../http/fakeService';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const address = { sheet, recordId: '5' };
const content: RecordContent = {
	changes: {
		fields: new Map([['1', 'a']]),
		subtables: new Map(),
		deletedRows: new Map(),
	},
	files: [],
	kinds: new Map(),
};

async function serviceWith(...answers: FakeAnswer[]) {
	const service = new FakeService(inOrder(answers));
	return { service, client: await service.connect() };
}

it.each<{ title: string; writing: Writing; parameters: unknown[] }>([
	{ title: 'nothing', writing: {}, parameters: [] },
	{
		title: 'each of them',
		writing: {
			...{ doFormula: true, doDefaultValue: false, doLinkLoad: 'first', doWorkflow: true },
			...{ notification: false, doValidation: true, checkLock: true, offsetHours: -3.5 },
			version: '2025-01-01',
		},
		parameters: [
			['doFormula', true],
			['doDefaultValue', false],
			['doLinkLoad', 'first'],
			['doWorkflow', true],
			['notification', false],
			['doValidation', true],
			['checkLock', true],
			['tz', -3.5],
			['version', '2025-01-01'],
		],
	},
	{
		title: 'those that are only sent when they are on',
		writing: { doValidation: false, checkLock: false, version: '', offsetHours: 0 },
		parameters: [['tz', 0]],
	},
])('the options of a write become parameters: $title', ({ writing, parameters }) => {
	expect(writingParameters(writing)).toEqual(parameters);
});

describe('a record that is created', () => {
	it('is sent to the sheet, and its saved values and ID are returned', async () => {
		const data = { 1: 'a', _svcId: 12 };
		const { service, client } = await serviceWith({ body: { status: 'SUCCESS', data } });
		const writing = { checkLock: true, doFormula: true };
		const { recordId, saved, warning, notes } = await createRecord(client, sheet, content, writing);
		expect({ recordId, warning, notes }).toEqual({ recordId: '12', warning: undefined, notes: [] });
		expect(saved && plain(saved)).toEqual(data);
		const [{ method, url, body } = {}] = service.requests;
		expect(`${method} ${url?.pathname.replace(/^\/[^/]+/, '')}${url?.search}`).toBe(
			'POST /sales/1?api&doFormula=true',
		);
		expect(JSON.parse(String(body))).toEqual({ 1: 'a' });
	});

	it.each(['svcId', 'ragicId', '_svcId', '_ragicId', '_ragic_id'])(
		'has an ID with the key %s',
		async (key) => {
			const { client } = await serviceWith({ body: { status: 'SUCCESS', [key]: '12' } });
			expect(await createRecord(client, sheet, content, {})).toMatchObject({ recordId: '12' });
		},
	);

	it.each<{ title: string; body: object; saved?: object }>([
		{ title: 'by field IDs', body: { 12: { 1000001: 'a' } }, saved: { 1000001: 'a' } },
		{ title: 'by names', body: { 12: { Name: 'a', 1000001: 'b' } } },
		{ title: 'of system keys alone', body: { 12: { _svcId: 12 } } },
		{
			title: 'by field IDs, with a system key',
			body: { 12: { 1000001: 'a', _svcId: 12 } },
			saved: { 1000001: 'a', _svcId: 12 },
		},
	])('may be returned alone: $title', async ({ body, saved }) => {
		const { client } = await serviceWith({ body });
		const created = await createRecord(client, sheet, content, {});
		expect(created.recordId).toBe('12');
		expect(created.saved && plain(created.saved)).toEqual(saved);
	});

	it.each<{ title: string; body: object }>([
		{ title: 'two records', body: { 12: { 1000001: 'a' }, 13: { 1000001: 'b' } } },
		{ title: 'a record with something else', body: { 12: { 1000001: 'a' }, other: 1 } },
		{ title: 'a record with another ID in it', body: { 12: { 1000001: 'a', _svcId: 13 } } },
		{ title: 'a list', body: [{ 1000001: 'a' }] },
		{ title: 'nothing', body: {} },
	])('is not confirmed by $title', async ({ body }) => {
		const { client } = await serviceWith({ body });
		const creating = createRecord(client, sheet, content, {});
		await expect(creating).rejects.toHaveProperty('kind', 'unconfirmed');
	});

	it('is not confirmed by several records, which the message counts', async () => {
		const { client } = await serviceWith({ body: { 12: { 1000001: 'a' }, 13: { 1000001: 'b' } } });
		await expect(createRecord(client, sheet, content, {})).rejects.toThrow(
			'it answered with 2 records, which do not show the new one',
		);
	});

	const search = 'Look for it on the sheet before you run this again.';

	it.each([
		{ msg: undefined, description: search },
		{ msg: 'Sent to the approver', description: `${search} It says: Sent to the approver` },
	])('without an ID is an error with the advice to search for it: $msg', async (answer) => {
		const { msg, description } = answer;
		const { client } = await serviceWith({ body: { status: 'SUCCESS', msg } });
		await expect(createRecord(client, sheet, content, {})).rejects.toMatchObject({
			kind: 'malformed',
			message: 'The service confirmed a new record but did not say which',
			details: { description, serviceMessage: msg },
		});
	});

	it('without an ID, but with words that something was not found, may not have been created', async () => {
		const { client } = await serviceWith({ body: { status: 'SUCCESS', msg: 'Form not found' } });
		await expect(createRecord(client, sheet, content, {})).rejects.toMatchObject({
			kind: 'unconfirmed',
			message: 'The service did not confirm the change: Form not found',
		});
	});

	it.each<{ path: string; folders: string[]; recordId: number; isDoubtful: boolean }>([
		{
			path: 'sales/orders/7/12',
			folders: ['sales', 'orders', '7'],
			recordId: 12,
			isDoubtful: true,
		},
		{ path: 'sales/7/12', folders: ['sales', '7'], recordId: 12, isDoubtful: true },
		{ path: 'sales/7/12', folders: ['sales', '7'], recordId: 13, isDoubtful: false },
		{ path: 'sales/7a/12', folders: ['sales', '7a'], recordId: 12, isDoubtful: false },
		{ path: 'sales/a7/12', folders: ['sales', 'a7'], recordId: 12, isDoubtful: false },
		{ path: '7/12', folders: ['7'], recordId: 12, isDoubtful: false },
	])(
		'at $path with the ID $recordId may be another record that was changed: $isDoubtful',
		async ({ folders, recordId, isDoubtful }) => {
			const { client } = await serviceWith({ body: { status: 'SUCCESS', svcId: recordId } });
			const { warning } = await createRecord(client, { folders, sheetIndex: 12 }, content, {});
			const other = folders.join('/');
			expect(warning).toBe(
				isDoubtful
					? `The path ${other}/12 may be that of record 12 of the sheet ${other}: then this record was changed, and none was created. If you mean this sheet, enter its path without the record ID.`
					: undefined,
			);
		},
	);

	it('also has the words of the service in its warning', async () => {
		const { client } = await serviceWith({
			body: { status: 'SUCCESS', svcId: 12, msg: 'Low stock' },
		});
		expect(await createRecord(client, sheet, content, {})).toHaveProperty('warning', 'Low stock');
	});

	it.each([
		{ title: 'and exists', stored: { 12: { 1: 'other' } }, isCreated: true },
		{ title: 'and does not exist', stored: {}, isCreated: false },
	])('of which something was not found is read: $title', async ({ stored, isCreated }) => {
		const { service, client } = await serviceWith(
			{ body: { status: 'SUCCESS', svcId: 12, msg: 'Link target not found' } },
			{ body: stored },
		);
		const outcome = await createRecord(client, sheet, content, {}).catch((error: unknown) => error);
		if (isCreated) {
			expect(outcome).toMatchObject({
				recordId: '12',
				warning: 'Link target not found',
				notes: [{ fieldId: '1', reason: 'notKept' }],
			});
		} else expect(outcome).toHaveProperty('kind', 'unconfirmed');
		expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	});

	it('is an error of the service if the HTTP status is one, even with a record in the answer', async () => {
		const { client } = await serviceWith({ status: 400, body: { 12: { 1000001: 'a' } } });
		await expect(createRecord(client, sheet, content, {})).rejects.toHaveProperty(
			'kind',
			'refused',
		);
	});

	it('is remembered with its values', async () => {
		const { client } = await serviceWith({
			body: { status: 'SUCCESS', svcId: 12, data: { 2: 'B' } },
		});
		await createRecord(client, sheet, content, {});
		const memory = recordMemory(client, sheet);
		expect(memory.writtenForms('12', '1')).toEqual(['a']);
		expect(memory.writtenForms('12', '2')).toEqual(['b']);
	});
});

describe('a record that is updated', () => {
	it('is sent to its address, and its messages are returned as plain text without secrets', async () => {
		const body = {
			...{ status: 'SUCCESS', msg: 'Saved &amp; sent' },
			...{ warning: 'The key a+secret/key== is old' },
		};
		const { service, client } = await serviceWith({ body });
		const { recordId, warning, answer } = await updateRecord(client, address, content, {
			checkLock: true,
		});
		expect(recordId).toBe('5');
		expect(answer?.get('msg')).toBe('Saved & sent');
		expect(warning).toMatch(/^What the service said is redacted/);
		expect(service.requests[0]?.url.pathname).toMatch(/\/sales\/1\/5$/);
		expect(service.requests[0]?.url.search).toBe('?api&checkLock=true');
	});

	it.each([{ offsetHours: 8 }, { offsetHours: 0 }])(
		'a record that is updated with the UTC offset $offsetHours is not remembered with the returned values',
		async ({ offsetHours }) => {
			const { client } = await serviceWith({ body: { status: 'SUCCESS', data: { 2: 'b' } } });
			const saved = await updateRecord(client, address, content, { offsetHours });
			expect(saved.offsetHours).toBe(offsetHours);
			expect(recordMemory(client, sheet).writtenForms('5', '2')).toBeUndefined();
			expect(recordMemory(client, sheet).writtenForms('5', '1')).toEqual(['a']);
		},
	);

	it('with words that something was not found is read, and returned as stored', async () => {
		const { client } = await serviceWith(
			{ body: { status: 'SUCCESS', msg: 'Link target not found' } },
			{ body: { 5: { 1: 'a', 2: 'b' } } },
		);
		const { saved } = await updateRecord(client, address, content, {});
		expect(saved && plain(saved)).toEqual({ 1: 'a', 2: 'b' });
	});

	it('with files is sent as a form', async () => {
		const { service, client } = await serviceWith({ body: { status: 'SUCCESS' } });
		const file = { name: 'a.txt', type: 'text/plain', size: 0, stream: async function* () {} };
		await updateRecord(client, address, { ...content, files: [{ fieldId: '9', file }] }, {});
		expect(typeof service.requests[0]?.body).toBe('object');
	});

	it('keeps the status of the answer, and other members as plain text', async () => {
		const body = { status: 'success', note: 'a &lt; b', count: 2 };
		const { client } = await serviceWith({ body });
		const { answer } = await updateRecord(client, address, content, {});
		expect(plain(answer ?? null)).toEqual({ status: 'success', note: 'a < b', count: 2 });
	});

	it('is returned without the other members of its answer', async () => {
		const { client } = await serviceWith({
			body: { status: 'SUCCESS', rv: '0', data: { 1: 'a' } },
		});
		const { answer, saved } = await updateRecord(client, address, content, {});
		expect(answer).toBeUndefined();
		expect(plain(saved ?? null)).toEqual({ 1: 'a' });
	});

	it('is not what filters may find for a while, whether the write succeeds or fails', async () => {
		for (const answer of [{ body: { status: 'SUCCESS' } }, { status: 500 }]) {
			const { client } = await serviceWith(answer);
			const sent = jest.spyOn(RecordMemory.prototype, 'sent');
			await updateRecord(client, address, content, {}).catch(() => undefined);
			expect(sent).toHaveBeenLastCalledWith('5');
			await deleteRecord(client, { ...address, recordId: '6' }).catch(() => undefined);
			expect(sent).toHaveBeenLastCalledWith('6');
			sent.mockRestore();
		}
	});

	it.each([404, 202])('that fails with code %i does not count as deleted', async (code) => {
		const { client } = await serviceWith({ body: { status: 'ERROR', code, msg: 'No' } });
		await expect(updateRecord(client, address, content, {})).rejects.toThrow('No');
		expect(recordMemory(client, sheet).mayBeGone('5')).toBe(false);
	});
});

describe('a record that is deleted', () => {
	it('is remembered as deleted for the user who deleted it', async () => {
		const { service, client } = await serviceWith({ body: { status: 'SUCCESS' } });
		recordMemory(client, sheet).wrote('5', [['1', 'a']]);
		await deleteRecord(client, address);
		expect(service.requests.map(({ method, url }) => `${method} ${url.search}`)).toEqual([
			'DELETE ?api',
		]);
		const memory = recordMemory(client, sheet);
		const key = new Map([['1', ['a']]]);
		expect(memory.find(key)).toEqual([]);
		const ofOther = new RecordMemory(sheetKey(client, sheet), 'another user');
		expect(ofOther.find(key)).toEqual(['5']);
		expect(memory.writtenForms('5', '1')).toEqual(['a']);
	});

	it.each(['Not allowed to delete', 'Permission denied', 'Record locked', 'Rechazado'])(
		'with words that deny it is an error with them, if the record still exists: %s',
		async (msg) => {
			const denied: FakeAnswer = { body: { status: 'SUCCESS', msg } };
			const { client } = await serviceWith(denied, { body: { 5: { 1: 'a' } } });
			await expect(deleteRecord(client, address)).rejects.toThrow(msg);
		},
	);

	it('with words that deny it returns them, if the record is gone', async () => {
		const denied: FakeAnswer = { body: { status: 'SUCCESS', msg: 'File not deleted' } };
		const { client } = await serviceWith(denied, { body: {} });
		expect(await deleteRecord(client, address)).toBe('File not deleted');
	});

	it('without being found is an error', async () => {
		const missing: FakeAnswer = { body: { status: 'SUCCESS', msg: 'Record not found' } };
		const { client } = await serviceWith(missing, { body: {} });
		await expect(deleteRecord(client, address)).rejects.toMatchObject({
			kind: 'notFound',
			message: 'There is no record 5, and nothing was deleted: Record not found',
			details: { description: 'Check the record ID.' },
		});
	});

	const empty: FakeAnswer = { body: {} };

	it.each<{ title: string; answers: FakeAnswer[]; isDeleted: boolean }>([
		{
			title: 'an empty answer, and no such record',
			answers: [empty, { body: {} }],
			isDeleted: true,
		},
		{
			title: 'an empty answer, and the record',
			answers: [empty, { body: { 5: { 1: 'a' } } }],
			isDeleted: false,
		},
		{
			title: 'an empty answer, and no right to read',
			answers: [empty, { status: 403 }],
			isDeleted: false,
		},
		{
			title: 'an answer with a code',
			answers: [{ body: { status: 'DONE', code: 7 } }, { body: {} }],
			isDeleted: false,
		},
		{ title: 'a refusal', answers: [{ status: 403 }, { body: {} }], isDeleted: false },
	])(
		'counts as deleted only if that is certain: $title: $isDeleted',
		async ({ answers, isDeleted }) => {
			const { client } = await serviceWith(...answers);
			const outcome = await deleteRecord(client, address).then(
				() => true,
				() => false,
			);
			expect(outcome).toBe(isDeleted);
			expect(recordMemory(client, sheet).mayBeGone('5')).toBe(isDeleted);
		},
	);
});

it('a write that an earlier attempt confirmed is not sent again, and is not noted as a new change', async () => {
	const { service, client } = await serviceWith({ body: { status: 'SUCCESS', svcId: 5 } });
	const journal = new Journal();
	const attempt = client.withJournal(journal);
	const afterWrite = jest.fn(async () => await Promise.resolve());
	for (let attempts = 0; attempts < 2; attempts++) {
		journal.startOver();
		await updateRecord(attempt, address, content, { afterWrite });
	}
	expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	expect(afterWrite).toHaveBeenCalledTimes(1);
});

it('a saved record has no keys of Information, which only the check for other changes gets', async () => {
	const info = {
		_create_date: 'a',
		_create_user: 'b',
		_update_date: 'c',
		_update_user: 'd',
		_seq: 1,
	};
	const data = { 1: 'a', _svcId: 5, _star: false };
	const { client } = await serviceWith({ body: { status: 'SUCCESS', data: { ...data, ...info } } });
	const returned: unknown[] = [];
	const afterWrite: Writing['afterWrite'] = async (_, record) => {
		await Promise.resolve(returned.push(record && plain(record)));
	};
	for (const writing of [{ afterWrite }, {}]) {
		const { saved } = await updateRecord(client, address, content, writing);
		expect(saved && plain(saved)).toEqual(data);
	}
	expect(returned).toEqual([{ ...data, ...info }]);
});
