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

	it.each(['svcId', 'ragicId', '_svcId', '_ragicId'])('has an ID with the key %s', async (key) => {
		const { client } = await serviceWith({ body: { status: 'SUCCESS', [key]: '12' } });
		expect(await createRecord(client, sheet, content, {})).toMatchObject({ recordId: '12' });
	});

	it.each<{ title: string; body: object; saved?: object }>([
		{ title: 'by field IDs', body: { 12: { 1000001: 'a' } }, saved: { 1000001: 'a' } },
		{ title: 'by names', body: { 12: { Name: 'a', 1000001: 'b' } } },
		{ title: 'of system keys alone', body: { 12: { _svcId: 12 } } },
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
		{ title: 'nothing', body: {} },
	])('is not confirmed by $title', async ({ body }) => {
		const { client } = await serviceWith({ body });
		const creating = createRecord(client, sheet, content, {});
		await expect(creating).rejects.toHaveProperty('kind', 'unconfirmed');
	});

	it('without an ID is an error with the advice to search for it', async () => {
		const { client } = await serviceWith({ body: { status: 'SUCCESS' } });
		await expect(createRecord(client, sheet, content, {})).rejects.toMatchObject({
			kind: 'malformed',
			message: 'The service confirmed a new record but did not say which',
			details: { description: 'Look for it on the sheet before you run this again.' },
		});
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
			...{ warning: 'The key a+secret/key== is old', data: { 1: 'a' } },
		};
		const { service, client } = await serviceWith({ body });
		const { recordId, warning, answer } = await updateRecord(client, address, content, {
			checkLock: true,
		});
		expect(recordId).toBe('5');
		expect(answer.get('msg')).toBe('Saved & sent');
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
