import {
	fetchUnlessRefused,
	fieldsByDefinition,
	fieldsByRecords,
	fieldsBySchema,
	type FieldSource,
} from '../../../../../nodes/api/sheet/sources/sources';
import { listSheets } from '../../../../../nodes/api/account/sheets';
import { FakeService, inOrder, type FakeAnswer } from '../../http/fakeService';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const sheet = { folders: ['sales'], sheetIndex: 1 };
const error = (code: number): FakeAnswer => ({ body: { status: 'ERROR', code, msg: 'No' } });
const page: FakeAnswer = { body: '<html></html>' };

/** The names of the fields of a source, the reason why there are no fields, or the kind of the error. */
async function fieldsOf(source: FieldSource, answers: FakeAnswer[]) {
	const service = new FakeService(inOrder(answers));
	const listing = source(await service.connect(), sheet).then(
		(list) => (typeof list === 'string' ? list : list.fields.map(({ name }) => name)),
		({ kind }) => `error ${kind}`,
	);
	await jest.advanceTimersByTimeAsync(60_000);
	const requests = service.requests.map(
		({ url }) => `${url.pathname.replace(/^\/[^/]+/, '')}${url.search}`,
	);
	return { fields: await listing, requests };
}

const schema: FakeAnswer = { body: { fields: [{ fieldId: 1000001, fieldName: 'Name' }] } };

it('the schema and the definition are read below the address of the sheet', async () => {
	const bySchema = await fieldsOf(fieldsBySchema, [schema]);
	expect(bySchema).toEqual({ fields: ['Name'], requests: ['/sales/1/metadata/schema?api'] });
	const byDefinition = await fieldsOf(fieldsByDefinition, [{ body: {} }]);
	expect(byDefinition).toEqual({ fields: 'none', requests: ['/sales/1?api&def'] });
});

const failures: Array<{
	title: string;
	answer: FakeAnswer;
	listed: string;
	byRecords?: string;
}> = [
	{ title: 'no right', answer: error(106), listed: 'refused' },
	{ title: 'HTTP 403', answer: { status: 403 }, listed: 'refused' },
	{ title: 'HTTP 404', answer: { status: 404 }, listed: 'refused' },
	{ title: 'a web page', answer: page, listed: 'inTrouble' },
	{ title: 'a web page with HTTP 404', answer: { ...page, status: 404 }, listed: 'refused' },
	{ title: 'HTTP 500', answer: { status: 500 }, listed: 'inTrouble', byRecords: 'error server' },
	{ title: 'HTTP 503', answer: { status: 503 }, listed: 'error server', byRecords: 'error server' },
	{
		title: 'half an answer',
		answer: { body: '{' },
		listed: 'inTrouble',
		byRecords: 'error malformed',
	},
	{
		title: 'a wrong key',
		answer: error(304),
		listed: 'error authentication',
		byRecords: 'error authentication',
	},
	{
		title: 'a wrong account',
		answer: error(101),
		listed: 'error refused',
		byRecords: 'error refused',
	},
	{
		title: 'a wrong account with HTTP 403',
		answer: { ...error(101), status: 403 },
		listed: 'error noAccess',
		byRecords: 'error noAccess',
	},
	{ title: 'a wrong path', answer: error(102), listed: 'refused', byRecords: 'error refused' },
	{ title: 'a wrong sheet', answer: error(103), listed: 'refused', byRecords: 'error refused' },
	{
		title: 'a redirect',
		answer: { status: 302, headers: { location: 'https://host/acme/other/2' } },
		listed: 'inTrouble',
		byRecords: 'error redirected',
	},
];

it.each(failures)('a source that fails says why, or throws: $title', async (row) => {
	for (const source of [fieldsBySchema, fieldsByDefinition]) {
		expect((await fieldsOf(source, [row.answer])).fields).toBe(row.listed);
	}
	const { fields } = await fieldsOf(fieldsByRecords, [row.answer]);
	expect(fields).toBe(row.byRecords ?? row.listed);
});

describe('fields by records', () => {
	const byId: FakeAnswer = { body: { 5: { 1000001: 'a', 1000002: 'b' } } };
	const byName: FakeAnswer = { body: { 5: { Name: 'a', City: 'b' } } };

	it('are read by ID and by name, from 20 records', async () => {
		const { fields, requests } = await fieldsOf(fieldsByRecords, [byId, byName]);
		expect(fields).toEqual(['Name', 'City']);
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatch(/naming=EID.*limit=20/);
		expect(requests[1]).toMatch(/naming=FNAME.*limit=20/);
	});

	it('are none without records, after one request', async () => {
		const { fields, requests } = await fieldsOf(fieldsByRecords, [{ body: {} }]);
		expect({ fields, count: requests.length }).toEqual({ fields: 'none', count: 1 });
	});

	it('are refused if the names are', async () => {
		const { fields } = await fieldsOf(fieldsByRecords, [byId, { status: 403 }]);
		expect(fields).toBe('refused');
	});
});

it('a key that is mistaken for a guest is asked a second time', async () => {
	const { fields, requests } = await fieldsOf(fieldsBySchema, [error(106), schema]);
	expect({ fields, count: requests.length }).toEqual({ fields: ['Name'], count: 2 });
});

it.each([
	{ title: 'a value', answer: { body: '[1]' }, value: [1] },
	{ title: 'a refusal', answer: { status: 403 }, value: undefined },
	{ title: 'a service that is down', answer: { status: 500 }, value: 'server' },
])('the last source yields $title', async ({ answer, value }) => {
	const client = await new FakeService(() => answer).connect();
	const fetching = fetchUnlessRefused(client, { path: '/acme', query: 'api' }).catch(
		({ kind }) => kind,
	);
	await jest.advanceTimersByTimeAsync(60_000);
	expect(await fetching).toEqual(value);
});

describe('the sheets of an account', () => {
	const menu = { children: { sales: { name: 'Sales', children: { 1: { name: 'Orders' } } } } };
	const list: FakeAnswer = { body: [{ displayName: 'Sales / Orders', path: 'acme/sales/1' }] };

	async function sheetsFrom(menuAnswer: FakeAnswer, listAnswer: FakeAnswer) {
		const service = new FakeService(({ url: { pathname } }) =>
			pathname === '/acme' ? menuAnswer : listAnswer,
		);
		const listing = service.connect({ account: 'acme' }).then(listSheets);
		await jest.advanceTimersByTimeAsync(60_000);
		const sheets = await listing;
		return {
			names: sheets?.map(({ name, folderNames }) => [...folderNames, name].join('/')),
			paths: service.requests.map(({ url }) => `${url.pathname}${url.search}`),
		};
	}

	it('come from the menu', async () => {
		expect(await sheetsFrom({ body: { acme: menu } }, list)).toEqual({
			...{ names: ['Sales/Orders'], paths: ['/acme?api'] },
		});
	});

	it.each([
		{ title: 'is refused', answer: { status: 403 } },
		{ title: 'is empty', answer: { body: {} } },
		{ title: 'is no menu', answer: { body: '[]' } },
	])('come from the other list if the menu $title', async ({ answer }) => {
		const { names, paths } = await sheetsFrom(answer, list);
		expect(names).toEqual(['Sales / Orders']);
		expect(paths.at(-1)).toBe('/api/http/integromatForms.jsp?n8n');
	});

	it('are not known if both are refused', async () => {
		expect((await sheetsFrom({ status: 403 }, { status: 403 })).names).toBeUndefined();
	});

	it('may come from a menu of another name', async () => {
		expect((await sheetsFrom({ body: { 'Acme Ltd.': menu } }, list)).names).toEqual([
			'Sales/Orders',
		]);
	});
});
