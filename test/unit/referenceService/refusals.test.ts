import {
	customers,
	externalUsers,
	internalUsers,
	orders,
	recipes,
	salaries,
	siteVisits,
	tasks,
	type SheetAddress,
} from '../../service';
import { addressOf, massAddressOf, type Caller, type Part, type Reply } from './client';
import { recordsOf } from './everything';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });
const { fields, buttons } = orders;
const { lines } = orders.subtables;
const { photo, caption } = siteVisits.subtables.photos.fields;
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

const list = (query: string) => addressOf(orders, undefined, query);
const order = (query = '') => addressOf(orders, 2, query);
const document = (more: string) => get(`/acme/sales/orders/1/2.${more}`);
const report = 'customprint?svcCustomPrintTemplateId=12';
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
const subscribe = (sheet: string, more = '') =>
	get(`/sims/webhookSubscribe.jsp?n8n&${sheet}&url=https%3A%2F%2Fn8n.example${more}`);
const sheetQuery = 'ap=acme&path=%2Fsales%2Forders&si=1';

const refusals: Array<[outcome: string, what: string, asked: Ask[]]> = [
	[
		'HTTP 405',
		'a method that makes no sense',
		[
			ask('DELETE', addressOf(orders)),
			post('/acme/sales/orders/1/7.json?api'),
			post(buttonList),
			get(massAddressOf(orders, 'massLock', 'recordId=10')),
			...[
				'/sims/file.jsp?a=acme&f=x%40y',
				'/api/http/getWebhookSignaturePublicKey.jsp?type=string',
				'/sims/webhooks.jsp?n8n',
			].flatMap((address) =>
				(['POST', 'PUT', 'DELETE'] as const).map((method) => ask(method, address)),
			),
		],
	],
	[
		'ERROR 201',
		'a reading with a wrong parameter',
		[
			...['lk', 'range', 'EQ'].map((operator) => get(list(`where=1000007,${operator},Open`))),
			get(list(`where=${fields.status},regex,(`)),
			get(list('where=999999,eq,1')),
			get(list(`where=${fields.orderDate},gte,2023-01-05`)),
			get(list('limit=all')),
			get(list('tz=Berlin')),
			...['', '&category=', '&category=form'].map((query) => get(`${buttonList}${query}`)),
			...['custom?api', 'custom?cid=99', report, `${report}&fileFormat=gif`].map(document),
			document(`${report}&fileFormat=pdf&fileNameRefDomainId=7`),
			subscribe(sheetQuery),
			subscribe(sheetQuery, '&event=DeleteCreate'),
			get(`/sims/webhookSubscribe.jsp?n8n&${sheetQuery}&event=Create`),
		],
	],
	[
		'ERROR 201',
		'a write with a field, a row or a parameter that is none',
		[
			...[{ 999999: 'x' }, { Remark: 'x' }, { [fields.remark]: ['x'] }].map((values) =>
				postJson(order(), { ...valid, ...values }),
			),
			postJson(order(), { ...valid, [fields.remark]: { x: 1 } }),
			postJson(order(), { [`DELSUB_${lines.id}`]: [2] }),
			postJson(order(), { _subtable_1: { '-1': {} } }),
			postJson(order(), { [`_subtable_${lines.id}`]: { 99999: { [lines.fields.article]: 'x' } } }),
			postForm(order(), 'member', [fields.remark, 'x'], [`${lines.fields.quantity}_99999`, '9']),
			postJson(order(), '{"1000002": '),
			...['PAGEID=abc', 'naming=EID', 'subtables=0', 'tz=far'].map((query) =>
				postJson(list(query), valid),
			),
			...['lock', 'unlock', `bId=${buttons.ship}`].flatMap((query) =>
				['PAGEID=abc', 'doFormula=true', 'tz=2'].map((stranger) =>
					post(order(`${query}&${stranger}`)),
				),
			),
			postForm(addressOf(customers, undefined, 'tz=2'), 'admin', ['importData', '']),
		],
	],
	[
		'ERROR 201',
		'a file or a comment in the wrong form',
		[
			postJson(addressOf(recipes, 0), { [photos]: 'x@new.png' }),
			postParts(addressOf(recipes, 0), [recipes.fields.title, 'x', 'x.txt']),
			postParts(addressOf(recipes, 0, 'tz=far'), [photos, 'x', 'x.png']),
			// A row that is not there; fields that take none, that no subtable has, of the record, and without their row.
			...[
				`${photo}_777`,
				`${caption}_-1`,
				'3899999_-1',
				`${siteVisits.fields.report}_-1`,
				photo,
			].map((name) => postParts(addressOf(siteVisits, 3), [name, 'x', 'x.jpg'])),
			postParts(order(), someFile),
			postParts(order(), ['c', ''], someFile),
			postParts(order('tz=3'), ['c', 'x'], someFile),
		],
	],
	[
		'INVALID 202',
		'what the rules of a sheet forbid',
		[
			postJson(addressOf(orders), { [fields.remark]: 'x' }),
			postJson(addressOf(tasks, 1), { [tasks.fields.title]: '' }),
			...[addressOf(recipes), addressOf(recipes, 0)].map((address) =>
				postParts(address, [recipes.fields.title, ''], [photos, 'x', 'x.png']),
			),
			...[
				{ [fields.orderDate]: '2024-05-01' },
				{ [fields.orderDate]: '2024/02/30' },
				{ [fields.deliveryTime]: '2024/05/01 25:00' },
				{ [fields.total]: 'many' },
				{ [fields.status]: 'Lost' },
				{ [fields.tags]: ['Gift', 'Lost'] },
				{ [`_subtable_${lines.id}`]: { '-1': { [lines.fields.quantity]: '1.5' } } },
			].map((values) => postJson(list('doValidation=true'), { ...valid, ...values })),
		],
	],
	[
		'ERROR 404',
		'what is about a record that is not there',
		[
			postJson(addressOf(orders, 99_999), { [fields.remark]: 'x' }),
			post(addressOf(orders, 99_999, `bId=${buttons.ship}`)),
			get('/acme/sales/orders/1/99999.pdf'),
		],
	],
	[
		'ERROR 402',
		'a write that asks for the lock, to a locked record',
		[postJson(addressOf(orders, 3, 'checkLock=true'), { [fields.remark]: 'x' })],
	],
	[
		'ERROR 202',
		'what cannot be carried out',
		[
			...['99', ''].map((button) => post(order(`bId=${button}`))),
			postForm(addressOf(customers), 'admin', ['importData', '']),
			postJson(addressOf(customers), { importData: '' }, 'admin'),
			submit('massActionButton', { buttonId: 99 }),
			...['1', '4', '10', '31', '43'].flatMap((field) =>
				[internalUsers, externalUsers].map((users) => setForUser(field, 'x', users)),
			),
			setForUser('3', '["Sales"]', externalUsers),
		],
	],
	[
		'ERROR 201',
		'a mass operation that is none',
		[
			postForm(massAddressOf(orders, 'massLock', 'recordId=10'), 'member', ['action', 'lock']),
			submit('massLock', { action: 'open' }),
			submit('massLock', { lock: true }),
			submit('massApproval', { action: 'maybe' }),
			submit('massActionButton', {}),
			submit('massActionButton', { bId: 11 }),
			act('massUpdate'),
			submit('massUpdate', { [fields.status]: 'Cancelled' }),
			act('massUpdate', { field: 99, value: 'x' }),
			act('massUpdate', { field: 1000007, value: ['a', 'b'] }),
			act('massSearchReplace', { field: 1000007 }),
			act('massSearchReplace', { field: 99, valueReplaced: 'a', valueNew: 'b' }),
			act('massSearchReplace', { field: 1000011, valueReplaced: '', valueNew: 'b' }),
			submit('massDelete', lock),
			select('recordId=7&where=1000001,eq,C'),
			...['recordId=x', 'where=99,eq,x', 'recordId=7&naming=EID'].map(select),
			...[['Sales'], 'Sales', '[1]', '{"a":1}', 5].map((value) => setForUser('3', value)),
		],
	],
	[
		'ERROR 106',
		'what the caller has no right to',
		[
			get(order(), 'outsider'),
			get(addressOf(salaries)),
			get(`/acme/${salaries.path}/${salaries.index}/1.pdf`),
			get(addressOf(internalUsers)),
			get('/acme/sales/orders/1/metadata/schema?api'),
			get(list('def'), 'outsider'),
			get(`${buttonList}&category=massOperation`, 'outsider'),
			get(`/sims/webhooks.jsp?n8n&${sheetQuery}`, 'reader'),
			postJson(order(), { [fields.remark]: 'x' }, 'reader'),
			postJson(list(''), valid, 'reader'),
			ask('DELETE', order(), 'reader'),
			post(order('lock'), 'reader'),
			post(order(`bId=${buttons.clearMargin}`)),
			post(order(`bId=${buttons.ship}`), 'reader'),
			submit('massLock', lock, 'reader'),
			submit('massActionButton', { buttonId: 27 }),
			postJson(massAddressOf(salaries, 'massLock', 'recordId=1'), lock),
			postForm(addressOf(customers), 'member', ['importData', '']),
		],
	],
	['HTTP 401', 'a request of nobody', [get(order(), 'nobody'), post(order('lock'), 'nobody')]],
	[
		'HTTP 404',
		'a document in the spelling of the other dialect',
		[document('carbone?fileFormat=pdf&ragicCustomPrintTemplateId=12')],
	],
	[
		'ERROR 103',
		'an address without a sheet',
		['/8?api', '/8/12?api', '/8/metadata/actionButton?api', '?api'].map((end) =>
			get(`/acme/sales/orders${end}`),
		),
	],
	[
		'ERROR 102',
		'an address that leads nowhere',
		['sales/nothing/1', 'archive/2024', 'sales/orders/1/abc', 'sales/orders/1/1/2'].map((path) =>
			get(`/acme/${path}?api`),
		),
	],
	['ERROR 101', 'a sheet of another account', [get('/other/sales/orders/1?api')]],
	['ERROR 101', 'a file of another account', [get('/sims/file.jsp?a=other&f=x%40y')]],
	['ERROR 101', 'a webhook of another account', [subscribe(sheetQuery.replace('acme', 'other'))]],
	['ERROR 102', 'a webhook of no sheet', [subscribe(sheetQuery.replace('orders', 'nothing'))]],
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
