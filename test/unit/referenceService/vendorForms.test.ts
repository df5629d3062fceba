import { orders } from '../../service';
import type { Switches } from '../../service';
import { addressOf, type Part, type Reply } from './client';
import { useService } from './useService';

/**
 * Sends the request forms of the vendor's own samples and page, and of clients in production. Each gets the answer that its
 * client expects.
 */

const { service, client } = useService({ demoRecords: 50 });
const { customerNumber, remark, customerName, status } = orders.fields;
const { lines } = orders.subtables;
const sheet = '/acme/sales/orders/1';
const record = `${sheet}/5`;
const valid = { [customerNumber]: 'C-0007' };

const captured: Partial<Switches> = {
	...{ dialect: 'ragic', bodyParameters: 'known', writeNaming: 'known' },
};

beforeEach(() => Object.assign(service().switches, captured));

const order = (id = 5) => service().data.record(orders, id);
const created = () => order(51);
const parts = async (address: string, ...form: Part[]) => await client().postParts(address, form);
const basic = () => ({ authorization: `Basic ${service().identities.member.apiKey}` });
const done = (id: number) => expect.objectContaining({ status: 'SUCCESS', ragicId: id });
const login = () => {
	const { email, password } = service().identities.member;
	return `u=${encodeURIComponent(email)}&p=${encodeURIComponent(password)}&login_type=sessionId`;
};

type Case = [form: string, ask: () => Promise<Reply>, expected: (reply: Reply) => void];

const writes: Case[] = [
	[
		'a multipart create with the mark in its body',
		async () => await parts(sheet, [customerNumber, 'C-0007'], ['api', ''], ['v', '3']),
		(reply) => {
			expect(reply.json()).toEqual(done(51));
			expect(created().text(customerNumber)).toBe('C-0007');
		},
	],
	[
		'a multipart update',
		async () => await parts(record, [remark, 'changed'], ['api', '']),
		(reply) => {
			expect(reply.json()).toEqual(done(5));
			expect(order().text(remark)).toBe('changed');
		},
	],
	[
		'a row that is deleted',
		async () => await parts(record, [`DELSUB_${lines.id}`, '5'], ['api', '']),
		(reply) => {
			expect(reply.json()).toEqual(done(5));
			expect(order().rows(lines.id).has(5)).toBe(false);
		},
	],
	[
		'a create by a form that answers a page',
		async () => await client().postForm(`${sheet}?html&api`, [[customerNumber, 'C-0007']]),
		(reply) => {
			expect(reply.headers['content-type']).toMatch('text/html');
			expect(created().text(customerNumber)).toBe('C-0007');
		},
	],
	[
		'a comment',
		async () => await parts(record, ['c', 'hello'], ['api', '']),
		() => expect(order().comments.at(-1)?.text).toBe('hello'),
	],
	[
		'a comment without a word, which is refused',
		async () => await parts(record, ['c', ''], ['api', '']),
		(reply) => expect(reply.json()).toMatchObject({ status: 'ERROR' }),
	],
	[
		'a JSON create with naming',
		async () => await client().postJson(`${sheet}?api&v=3&naming=EID&info=true`, valid),
		(reply) =>
			expect(reply.json()).toMatchObject({
				ragicId: 51,
				data: { ...valid, _create_user: expect.any(String) },
			}),
	],
	...(['PUT', 'PATCH'] as const).map((method): Case => [
		`a ${method} with naming and checkLock`,
		async () =>
			await client().postJson(
				`${record}?api&v=3&naming=EID&checkLock=true`,
				{ [remark]: method },
				'member',
				method,
			),
		() => expect(order().text(remark)).toBe(method),
	]),
	[
		'a JSON create with parameters among the fields',
		async () =>
			await client().postJson(`${sheet}?api=&v=3`, {
				...{ doLinkLoad: 'first', doFormula: true, doDefaultValue: true },
				...valid,
			}),
		(reply) => {
			expect(reply.json()).toEqual(done(51));
			expect(created().text(customerName)).not.toBe('');
			expect(created().text(status)).toBe('Open');
		},
	],
	[
		'a create that speaks of a session',
		async () => await client().postJson(`${sheet}?api=&v=3&login_type=sessionId`, valid),
		(reply) => expect(reply.json()).toEqual(done(51)),
	],
	...['', '?v=3&api=&naming=EID'].map((query): Case => [
		`a deletion ${query === '' ? 'with the mark in its body' : 'with naming'}`,
		async () =>
			await client().send('DELETE', `${record}${query}`, 'member', {
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
				...(query === '' ? { body: 'api' } : {}),
			}),
		(reply) => {
			expect(reply.json()).toEqual({ status: 'SUCCESS' });
			expect(service().data.sheet(orders).records.has(5)).toBe(false);
		},
	]),
];

const hasSession = ({ headers }: Reply) =>
	expect(String(headers['set-cookie'])).toMatch(/^JSESSIONID=\w+/);

const reads: Case[] = [
	...['naming=EId&limit=1', 'naming=EID&limit=1&sid=&login_type=sessionId'].map((query): Case => [
		`a list with ${query}`,
		async () => await client().get(`${sheet}?api&${query}`),
		(reply) =>
			expect(Object.values(Object(reply.json()))).toMatchObject([{ [remark]: expect.any(String) }]),
	]),
	[
		'a login with the key',
		async () => await client().get('/AUTH', 'nobody', { headers: basic() }),
		hasSession,
	],
	[
		'a login by a form',
		async () =>
			await client().postForm('/AUTH', [...new URLSearchParams(`api&v=3&${login()}`)], 'nobody'),
		hasSession,
	],
	[
		'a login that asks for the key beside the session',
		async () => await client().get(`/AUTH?${login()}&json=1&apikey=&api=`, 'nobody'),
		(reply) => {
			hasSession(reply);
			expect(reply.json()).toMatchObject({ apikey: service().identities.member.apiKey });
		},
	],
	...(
		[
			['xlsx', /^PK/],
			['custom?cid=3&listingMode=true&start=1&end=10', /^PK/],
			['5.carbone?fileFormat=pdf&customPrintTemplateId=12', /^%PDF/],
		] as const
	).map(([address, bytes]): Case => [
		`the document ${address}`,
		async () => await client().get(`${sheet}${address.startsWith('5') ? '/' : '.'}${address}`),
		(reply) => expect(reply.text).toMatch(bytes),
	]),
	[
		'the credential of the vendor’s automation node',
		async () => await client().get('/api/n8n/n8nCredentialCheck.jsp?n8n'),
		(reply) => expect(reply.json()).toEqual({ code: 200 }),
	],
];

it.each([...writes, ...reads])('%s', async (_, ask, expected) => {
	expected(await ask());
});

it('the vendor’s check of a credential distinguishes a missing key, a wrong key and a wrong account by codes', async () => {
	const address = '/api/n8n/n8nCredentialCheck.jsp?n8n';
	const wrong = { headers: { authorization: 'Basic x' } };
	const replies = [
		await client().get(address, 'nobody'),
		await client().get(address, 'nobody', wrong),
		await client().get(`${address}&ap=other`),
	];
	expect(replies.map((reply) => reply.json())).toEqual([400, 403, 404].map((code) => ({ code })));
});

it('linked fields without a source are silently cleared, and rows of linked records are silently dropped', async () => {
	order().set(customerName, 'somebody');
	const subtable = service().data.sheet(orders).subtable(lines.id);
	Object.assign(subtable ?? {}, { showsLinkedRecords: true });
	const before = order().rows(lines.id).size;
	const reply = await client().postJson(addressOf(orders, 5, 'doLinkLoad=true'), {
		[customerNumber]: 'none',
		[`_subtable_${lines.id}`]: { '-1': { [lines.fields.article]: 'Desk' } },
	});
	expect(reply.json()).toEqual(done(5));
	expect([order().text(customerName), order().rows(lines.id).size]).toEqual(['', before]);
});

it('a list, its records and their rows equal the captured answers', async () => {
	Object.assign(service().switches, {
		...{ defaultOrder: 'newestFirst', sequence: 'place', keysBesideRecords: true },
		...{ rowKeys: 'placesToo', emptySubtables: 'leftOut', unnamedFields: 'untitled' },
	} satisfies Partial<Switches>);
	Object.assign(service().data.sheet(orders).field(orders.fields.unnamed) ?? {}, { name: '' });
	const reply = await client().get(`${sheet}?api&limit=3`);
	const { _metaData, _ragicAnnotation_, info, ...records } = Object(reply.json());
	expect([_metaData, _ragicAnnotation_, info]).not.toContain(undefined);
	expect([...reply.text.matchAll(/"(\d+)":\{"_ragicId":\d+,"_star"/g)].map(([, id]) => id)).toEqual(
		['50', '49', '44'],
	);
	expect(records['44']).toMatchObject({ _ragicId: 44, _seq: 3, Untitled: '' });
	expect(records['44']).not.toHaveProperty(`_subtable_${lines.id}`);
	const rows: unknown[] = Object.values(records['50'][`_subtable_${lines.id}`]);
	expect(rows[0]).toMatchObject({
		...{ _parentRagicId: 50, _header_Y: expect.any(Array), _start_X: expect.any(Number) },
	});
});

it('a list has no keys beside its records unless a switch says so', async () => {
	const keys = async () => Object.keys(Object((await client().get(`${sheet}?api&limit=2`)).json()));
	expect(await keys()).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
	service().switches.keysBesideRecords = true;
	expect(await keys()).toEqual(expect.arrayContaining(['_metaData', '_ragicAnnotation_', 'info']));
});
