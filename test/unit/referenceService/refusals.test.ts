import { readFileSync } from 'node:fs';
import { Agent, FormData, request, type Dispatcher } from 'undici';
import {
	customers,
	externalUsers,
	internalUsers,
	orders,
	startReferenceService,
	tasks,
	type IdentityName,
	type ReferenceService,
	type SheetAddress,
} from '../../service';
import { specifiedPositions } from '../../service/switches';

const { fields } = orders;
const customForm = tasks;
const { lines } = orders.subtables;

let service: ReferenceService;
let agent: Agent;

beforeAll(async () => {
	service = await startReferenceService({ demoRecords: 50 });
	agent = new Agent({ connect: { ca: readFileSync(service.caCertificatePath, 'utf8') } });
	Object.assign(service.switches, specifiedPositions());
	service.data.sheet(customForm).acceptsPost = false;
});

afterAll(async () => {
	await agent.destroy();
	await service.close();
});

/** Sends a request. Returns the HTTP status, or the status and code in the body. */
type Ask = () => Promise<string>;

const ask =
	(
		method: Dispatcher.HttpMethod,
		address: string,
		caller: IdentityName = 'member',
		body?: Dispatcher.RequestOptions['body'],
		type?: string,
	): Ask =>
	async () => {
		const { statusCode, body: answer } = await request(`${service.baseUrl}${address}`, {
			...{ dispatcher: agent, method, body },
			headers: {
				authorization: `Basic ${service.identities[caller].apiKey}`,
				...(type === undefined ? {} : { 'content-type': type }),
			},
		});
		const text = await answer.text();
		if (statusCode !== 200) return `HTTP ${statusCode}`;
		const [, word, code] = /^\{"status":"(\w+)","code":(\d+),"msg":"./.exec(text) ?? [];
		return word === undefined ? text : `${word} ${code}`;
	};
const get = (address: string, caller?: IdentityName) => ask('GET', address, caller);
const post = (address: string, caller?: IdentityName) => ask('POST', address, caller);
const postJson = (address: string, body: unknown, caller?: IdentityName) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return ask('POST', address, caller, text, 'application/json');
};
/** Posts a comment with an attachment and these form fields. */
const postComment = (address: string, ...texts: Array<[string, string]>) => {
	const form = new FormData();
	for (const [name, text] of texts) form.append(name, text);
	form.append('at', new Blob(['x']), 'x.txt');
	return ask('POST', address, 'member', form);
};

/** Returns the address of a sheet or record for an API request. */
function addressOf({ path, index }: SheetAddress, recordId?: number, query = ''): string {
	const record = recordId === undefined ? '' : `/${recordId}`;
	return `/acme/${path}/${index}${record}?api${query && `&${query}`}`;
}
const massAddressOf = ({ path, index }: SheetAddress, type: string, query: string) =>
	`/acme/${path}/${index}/massOperation/${type}?api&${query}`;

/** Returns a text for each record, to compare all records. */
function recordsOf({ data }: ReferenceService): string[] {
	const records = data.sheets.flatMap((sheet) => [...sheet.records.values()]);
	return records.map((record) => JSON.stringify(record, plainMember));
}

/** Converts maps to their entries, and skips internal members of a record. */
function plainMember(key: string, member: unknown): unknown {
	if (key === 'original' || key === 'content' || key === 'isShared') return undefined;
	return member instanceof Map ? [...member] : member;
}

const list = (query: string) => addressOf(orders, undefined, query);
const order = (query = '') => addressOf(orders, 2, query);
const buttonList = '/acme/sales/orders/1/metadata/actionButton?api';
const valid = { [fields.customerNumber]: 'C-0001' };
const lock = { action: 'lock' };

const submit = (type: string, body: object, caller?: IdentityName) =>
	postJson(massAddressOf(orders, type, 'recordId=10'), body, caller);
const act = (type: string, ...action: object[]) => submit(type, { action });
const select = (query: string) => postJson(massAddressOf(orders, 'massLock', query), lock);
const setForUser = (field: string, value: unknown, users: SheetAddress = internalUsers) =>
	postJson(
		massAddressOf(users, 'massUpdate', 'recordId=3'),
		{ action: [{ field: Number(field), value }] },
		'admin',
	);

const refusals: Array<[outcome: string, what: string, asked: Ask[]]> = [
	[
		'HTTP 405',
		'a method that makes no sense',
		[
			ask('DELETE', addressOf(orders)),
			get(massAddressOf(orders, 'massLock', 'recordId=10')),
			ask('POST', '/sims/webhooks.jsp?n8n'),
		],
	],
	[
		'ERROR 201',
		'a reading with a wrong parameter',
		[
			...['lk', 'range', 'EQ'].map((operator) => get(list(`where=1000007,${operator},Open`))),
			get(list(`where=${fields.orderDate},gte,2023-01-05`)),
			get(list('limit=all')),
			get(list('tz=Berlin')),
			...['', '&category=', '&category=form'].map((query) => get(`${buttonList}${query}`)),
		],
	],
	[
		'ERROR 201',
		'a write with a field, a row or a parameter that is none',
		[
			...[{ 999999: 'x' }, { Remark: 'x' }, { [fields.remark]: ['x'] }].map((values) =>
				postJson(order(), { ...valid, ...values }),
			),
			postJson(order(), { [`DELSUB_${lines.id}`]: [2] }),
			postJson(order(), { _subtable_1: { '-1': {} } }),
			postJson(order(), { [`_subtable_${lines.id}`]: { 99999: { [lines.fields.article]: 'x' } } }),
			postJson(order(), '{"1000002": '),
			...['PAGEID=abc', 'naming=EID', 'subtables=0', 'tz=far'].map((query) =>
				postJson(list(query), valid),
			),
		],
	],
	[
		'ERROR 104',
		'a POST on a sheet that takes none',
		[postJson(addressOf(customForm), valid), postJson(addressOf(customForm, 1), valid)],
	],
	['ERROR 201', 'a comment without text', [postComment(order()), postComment(order(), ['c', ''])]],
	[
		'ERROR 202',
		'what cannot be carried out',
		[
			...['99', ''].map((button) => post(order(`bId=${button}`))),
			postJson(addressOf(customers), { importData: '' }, 'admin'),
			...['1', '4', '10', '31', '43'].flatMap((field) =>
				[internalUsers, externalUsers].map((users) => setForUser(field, 'x', users)),
			),
		],
	],
	[
		'ERROR 201',
		'a mass operation that is none',
		[
			submit('massLock', { action: 'open' }),
			submit('massApproval', { action: 'maybe' }),
			submit('massActionButton', {}),
			act('massUpdate'),
			act('massUpdate', { field: 99, value: 'x' }),
			act('massSearchReplace', { field: 1000007 }),
			select('recordId=7&where=1000001,eq,C'),
			...[['Sales'], 'Sales', '[1]', '{"a":1}', 5].map((value) => setForUser('3', value)),
		],
	],
];

it.each(refusals)('%s: %s, and nothing is changed', async (outcome, _, asked) => {
	service.data.record(orders, 3).locked = true;
	const before = recordsOf(service);
	const files = [...service.data.files.keys()];
	const outcomes: string[] = [];
	for (const send of asked) outcomes.push(await send());
	expect(outcomes).toEqual(asked.map(() => outcome));
	expect(recordsOf(service)).toEqual(before);
	expect([...service.data.files.keys()]).toEqual(files);
	expect(service.data.notifications).toEqual([]);
	expect(service.tasks.all).toEqual([]);
});
