import {
	customers,
	externalUsers,
	internalUsers,
	orders,
	recipes,
	salaries,
	type ReferenceService,
	type SheetAddress,
} from '../../service';
import { addressOf, massAddressOf, type Caller, type Part, type Reply } from './client';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;
const { lines } = orders.subtables;
const { photos } = recipes.fields;

type Ask = () => Promise<Reply>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const ask =
	(method: Method, address: string, caller?: Caller): Ask =>
	async () =>
		await client().send(method, address, caller);
const get = (address: string, caller?: Caller) => ask('GET', address, caller);
const post = (address: string, caller?: Caller) => ask('POST', address, caller);
const postJson =
	(address: string, body: unknown, caller?: Caller): Ask =>
	async () =>
		await client().postJson(address, body, caller);
const postForm =
	(address: string, caller: Caller, ...form: Array<[string, string]>): Ask =>
	async () =>
		await client().postForm(address, form, caller);
const postParts =
	(address: string, ...parts: Part[]): Ask =>
	async () =>
		await client().postParts(address, parts);

function outcomeOf({ status, text }: Reply): string {
	if (status !== 200) return `HTTP ${status}`;
	const [, word, code] = /^\{"status":"(\w+)","code":(\d+),"msg":"./.exec(text) ?? [];
	return word === undefined ? text : `${word} ${code}`;
}

/** A text for each record. */
function recordsOf({ data }: ReferenceService): string[] {
	const records = data.sheets.flatMap((sheet) => [...sheet.records.values()]);
	return records.map((record) => JSON.stringify(record, plainMember));
}

/** Maps as their entries, without the sheet that a record is of. */
function plainMember(key: string, member: unknown): unknown {
	if (key === 'original' || key === 'content' || key === 'isShared') return undefined;
	return member instanceof Map ? [...member] : member;
}

const list = (query: string) => addressOf(orders, undefined, query);
const order = (query = '') => addressOf(orders, 2, query);
const buttonList = '/acme/sales/orders/1/metadata/actionButton?api';
const valid = { [fields.customerNumber]: 'C-0001' };
const someFile: Part = ['at', 'x', 'x.txt'];
const lock = { action: 'lock' };

const submit = (type: string, body: object, caller?: Caller) =>
	postJson(massAddressOf(orders, type, 'recordId=10'), body, caller);
const act = (type: string, ...action: object[]) => submit(type, { action });
const select = (query: string) => postJson(massAddressOf(orders, 'massLock', query), lock);
const setForUser = (field: string, value: unknown, users: SheetAddress = internalUsers) =>
	postJson(
		massAddressOf(users, 'massUpdate', 'recordId=3'),
		{ action: [{ field: Number(field), value }] },
		'admin',
	);
const sheetQuery = 'ap=acme&path=%2Fsales%2Forders&si=1';

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
		'ERROR 201',
		'a file or a comment in the wrong form',
		[
			postJson(addressOf(recipes, 0), { [photos]: 'x@new.png' }),
			postParts(addressOf(recipes, 0), [recipes.fields.title, 'x', 'x.txt']),
			postParts(order(), someFile),
			postParts(order(), ['c', ''], someFile),
		],
	],
	[
		'ERROR 202',
		'what cannot be carried out',
		[
			...['99', ''].map((button) => post(order(`bId=${button}`))),
			postForm(addressOf(customers), 'admin', ['importData', '']),
			...['1', '4', '10', '31', '43'].flatMap((field) =>
				[internalUsers, externalUsers].map((users) => setForUser(field, 'x', users)),
			),
		],
	],
	[
		'ERROR 201',
		'a mass operation that is none',
		[
			postForm(massAddressOf(orders, 'massLock', 'recordId=10'), 'member', ['action', 'lock']),
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
	[
		'ERROR 106',
		'what the caller has no right to',
		[
			get(order(), 'outsider'),
			get(addressOf(salaries)),
			get('/acme/sales/orders/1/metadata/schema?api'),
			get(`/sims/webhooks.jsp?n8n&${sheetQuery}`, 'reader'),
			postJson(order(), { [fields.remark]: 'x' }, 'reader'),
			post(order('lock'), 'reader'),
			post(order(`bId=${buttons.clearMargin}`)),
			submit('massLock', lock, 'reader'),
		],
	],
];

it.each(refusals)('%s: %s, of which nothing is kept', async (outcome, _, asked) => {
	service().data.record(orders, 3).locked = true;
	const before = recordsOf(service());
	const files = [...service().data.files.keys()];
	const outcomes: string[] = [];
	for (const send of asked) outcomes.push(outcomeOf(await send()));
	expect(outcomes).toEqual(asked.map(() => outcome));
	expect(recordsOf(service())).toEqual(before);
	expect([...service().data.files.keys()]).toEqual(files);
	expect(service().data.notifications).toEqual([]);
	expect(service().tasks.all).toEqual([]);
});
