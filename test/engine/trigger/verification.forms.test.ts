import {
	jsonSpellings,
	orders,
	type JsonSpelling,
	type PublicKeyForm,
	type SignatureForm,
} from '../../service';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const keyForms: PublicKeyForm[] = ['der', 'json', 'pem'];
const signatureForms: SignatureForm[] = ['base64', 'base64url', 'hex'];
const spellings = Object.keys(jsonSpellings).filter(
	(name): name is JsonSpelling => name in jsonSpellings,
);
const remark = 'a/b </i> <&=\'"\\ é ÿ – “€” \u2028 😀\u0085\n\u0001';

/** Sends an order whose remark writers of JSON spell differently. */
async function takesEdit(): Promise<boolean> {
	const listener = await trigger.subscribe();
	trigger.service.people.edit(orders, 5, { [orders.fields.remark]: remark });
	const log = await trigger.service.webhooks.settled();
	expect(log.map(({ status }) => status)).toEqual([200]);
	const [item] = await listener.items();
	expect(item).toHaveProperty(['record', orders.fields.remark], remark);
	return item?.verified === true;
}

describe('a signed delivery is taken', () => {
	it.each(keyForms.flatMap((key) => signatureForms.map((signature) => ({ key, signature }))))(
		'with the key as $key and the signature as $signature',
		async ({ key, signature }) => {
			const { switches } = trigger.service;
			Object.assign(switches, { publicKeyForm: key, signatureForm: signature });
			expect(await takesEdit()).toBe(true);
		},
	);

	it.each(spellings.flatMap((body) => spellings.map((signed) => ({ body, signed }))))(
		'with texts spelled $body in the body and $signed in what was signed',
		async ({ body, signed }) => {
			Object.assign(trigger.service.switches, { bodySpelling: body, signedSpelling: signed });
			expect(await takesEdit()).toBe(true);
		},
	);

	it.each(['pem', 'json', 'der'] as const)('with a pasted key: %s', async (form) => {
		const { pem, der } = trigger.service.webhooks.key;
		const texts = { pem, der, json: JSON.stringify({ publicKey: der }) };
		const listener = await trigger.listen({ publicKeySource: 'pem', publicKeyPem: texts[form] });
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
		expect(await listener.items()).toHaveLength(1);
		expect(trigger.keyRequests).toEqual([]);
	});
});

/** Data as it is delivered, and the string-to-sign, written by hand from the specification. */
const cases: Array<[what: string, delivered: string, signed: string]> = [
	[
		'"105" beside "1000001"',
		'[{"105":"a","1000001":"b","_svcId":5}]',
		'[{"1000001":"b","105":"a","_svcId":5}]',
	],
	['1.0', '[{"_svcId":5,"1":1.0}]', '[{"1":1.0,"_svcId":5}]'],
	[
		'a number of 20 digits',
		'[{"_svcId":5,"1":12345678901234567890}]',
		'[{"1":12345678901234567890,"_svcId":5}]',
	],
	['1E400', '[{"_svcId":5,"1":1E400}]', '[{"1":1E400,"_svcId":5}]'],
	['\\/', '[{"_svcId":5,"1":"a\\/b"}]', '[{"1":"a\\/b","_svcId":5}]'],
	['\\u003c', '[{"_svcId":5,"1":"\\u003cb\\u003e"}]', '[{"1":"\\u003cb\\u003e","_svcId":5}]'],
	['emoji', '[{"_svcId":5,"1":"😀","😀":"1"}]', '[{"1":"😀","_svcId":5,"😀":"1"}]'],
	['emoji, escaped', '[{"_svcId":5,"1":"\\ud83d\\ude00"}]', '[{"1":"\\ud83d\\ude00","_svcId":5}]'],
	[
		'nested subtables',
		'[{"_svcId":5,"_subtable_7":{"2":{"9":"b","10":"a"},"11":{"_subtable_8":{"3":{},"1":[{"b":1,"a":2}]}}}}]',
		'[{"_subtable_7":{"11":{"_subtable_8":{"1":[{"a":2,"b":1}],"3":{}}},"2":{"10":"a","9":"b"}},"_svcId":5}]',
	],
	['white space', ' [ { "b" : 1 ,\n\t"_svcId" : 5 } ] ', '[{"_svcId":5,"b":1}]'],
	[
		'null, booleans and an empty key',
		'[{"_svcId":5,"":null,"z":true,"A":false}]',
		'[{"":null,"A":false,"_svcId":5,"z":true}]',
	],
];

function bodyOf(data: string, signed: string): string {
	const { webhooks } = trigger.service;
	const rest = `"apname":"acme","path":"/sales/orders","sheetIndex":1,"eventType":"UPDATE"`;
	return `{"data":${data},${rest},"signature":"${webhooks.sign(signed)}"}`;
}

describe('data that JavaScript would change', () => {
	it.each(cases)('%s', async (_what, delivered, signed) => {
		const listener = await trigger.listen();
		expect(await listener.post(bodyOf(delivered, signed))).toMatchObject({ status: 200 });
		expect(await listener.items()).toEqual([
			expect.objectContaining({ recordId: 5, verified: true }),
		]);
	});

	it('no records at all: verified, and nothing to start for', async () => {
		const listener = await trigger.listen();
		expect(await listener.post(bodyOf('[ ]', '[]'))).toMatchObject({ status: 200 });
		expect(await listener.post(bodyOf('[ ]', '[{}]'))).toMatchObject({ status: 401 });
		expect(listener.executions).toEqual([]);
	});

	it.each([
		['JSON in text', 'text/plain'],
		['a type of its own', 'application/vnd.api+json'],
		['no type', 'application/octet-stream'],
		['JSON in UTF-8', 'application/json; charset=utf-8'],
		['a form', 'application/x-www-form-urlencoded'],
	])('sent as %s', async (_what, type) => {
		const listener = await trigger.listen();
		const answer = await listener.post(trigger.body([5]), { 'content-type': type });
		expect(answer.status).toBe(200);
		expect(listener.executions).toHaveLength(1);
	});

	it('sent with a byte order mark, or compressed', async () => {
		const { gzipSync } = await import('node:zlib');
		const listener = await trigger.listen();
		const compressed = gzipSync(trigger.body([5]));
		const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
		expect((await listener.post(compressed, headers)).status).toBe(200);
		const marked = Buffer.from(`\ufeff${trigger.body([5])}`);
		expect((await listener.post(marked, { 'content-type': 'text/plain' })).status).toBe(200);
		expect(listener.executions).toHaveLength(2);
	});
});
