import { createPublicKey } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { jsonSpellings, orders, recipes, type JsonSpelling, type Switches } from '../../service';
import { sheet } from '../recordTestbed';
import { useTriggerTestbed } from './triggerTestbed';

/** Signatures of deliveries. Altered deliveries and signed texts are tested in `test/unit`. */
const trigger = useTriggerTestbed();

const data =
	'[{"_svcId":5,"105":"a\\/b","1000001":1.0,"512":12345678901234567890,"n":"\\u003c😀é","":null' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}}},{"_svcId":6}]';
/** Canonical text for the signature, written by hand from the specification. */
const signed =
	'[{"":null,"1000001":1.0,"105":"a\\/b","512":12345678901234567890' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}},"_svcId":5,"n":"\\u003c😀é"},{"_svcId":6}]';

/** Returns a delivery with this data, the signature of `signed`, and changed properties. */
function body(content = data, changes: object = {}): string {
	const target = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };
	const signature = trigger.service.webhooks.sign(signed);
	return `{"data":${content},${JSON.stringify({ ...target, signature, ...changes }).slice(1)}`;
}

describe('the verification of a signature', () => {
	it.each([
		['require', [/^401 .*Tick 'Send full/, /^401 .*not signed/, /^401 .*not valid/, /^200/]],
		['ifPresent', [/^200/, /^200/, /^401 .*not valid/, /^200/]],
		['off', [/^200/, /^200/, /^200/, /^200/]],
	] as const)(
		'%s: deliveries with only IDs, and unsigned, forged and signed deliveries',
		async (verification, expected) => {
			const listener = await trigger.listen({ verification });
			const bodies = [
				'[5]',
				body(data, { signature: '' }),
				body(data, { signature: 'Zm9y' }),
				body(),
			];
			for (const [index, text] of bodies.entries()) {
				const answer = await listener.post(text);
				expect(`${answer.status} ${answer.body}`).toMatch(expected[index] ?? '');
			}
			const verified = (await listener.items()).slice(-2).map((item) => item.verified);
			expect(verified).toEqual(Array(2).fill(verification !== 'off'));
			if (verification === 'off') expect(trigger.service.requests.count).toBe(0);
		},
	);
});

describe('a delivery with a valid signature is rejected if it is for another target:', () => {
	it.each([
		{ apname: 'other' },
		...['/sales/invoices', '/sales', '/sales/orders/1', '/sales/x/../orders'].map((path) => ({
			path,
		})),
		...[2, '11'].map((sheetIndex) => ({ sheetIndex })),
	])('%j', async (changes) => {
		for (const verification of ['require', 'off']) {
			const listener = await trigger.listen({ verification });
			expect(await listener.post(body(data, changes))).toEqual({
				status: 401,
				body: expect.stringContaining('another account, path or sheet'),
			});
			expect(listener.executions).toEqual([]);
			expect(trigger.keyRequests).toEqual([]);
		}
	});

	it.each([
		'küche/é t é',
		'/k%C3%BCche/%C3%A9%20t%20%C3%A9',
		'k%C3%BCche/%C3%A9%20t%20%C3%A9/',
		'/k%c3%bcche/é%20t+é',
	])('unless only the spelling of its account or path differs: %s', async (path) => {
		const listener = await trigger.listen({ sheet: sheet(recipes) });
		const changes = { apname: 'ACME', path, sheetIndex: recipes.index };
		expect((await listener.post(body(data, changes))).status).toBe(200);
	});
});

describe('a delivery is rejected when', () => {
	it.each([
		['its signature is that of other data', '[]'],
		['a record has a key twice, in two spellings', data.replace('"n":', '"\\u006e":"x","n":')],
		['it has the data twice, in two spellings', `${data},"d\\u0061ta":[{"_svcId":9}]`],
	])('%s', async (_what, content) => {
		const listener = await trigger.listen();
		expect(content).not.toBe(data);
		expect((await listener.post(body(content))).status).toBe(401);
		expect(listener.executions).toEqual([]);
	});

	it('it is not JSON, or not UTF-8', async () => {
		const listener = await trigger.listen();
		const type = { 'content-type': 'text/plain' };
		expect((await listener.post('data=1', type)).body).toContain('The body is not JSON');
		const latin = Buffer.from(body(data, { more: 'ÿ' }), 'latin1');
		expect((await listener.post(latin, type)).body).toContain('The body is not UTF-8');
	});
});

describe('a signed delivery is accepted', () => {
	const spellings = Object.keys(jsonSpellings).filter(
		(name): name is JsonSpelling => name in jsonSpellings,
	);
	const remark = 'a/b </i> <&=\'"\\ é ÿ – “€” \u2028 😀\u0085\n\u0001';

	it.each<Partial<Switches>>([
		{ publicKeyForm: 'der', signatureForm: 'base64' },
		{ publicKeyForm: 'json', signatureForm: 'base64url' },
		{ publicKeyForm: 'pem', signatureForm: 'hex' },
		...spellings.map((bodySpelling, index) => ({
			bodySpelling,
			signedSpelling: spellings[(index + 1) % spellings.length],
		})),
	])('in the formats %j', async (forms) => {
		Object.assign(trigger.service.switches, forms);
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 5, { [orders.fields.remark]: remark });
		await trigger.service.webhooks.settled();
		const [item] = await listener.items();
		expect(item).toHaveProperty(['record', orders.fields.remark], remark);
		expect(item?.verified).toBe(true);
	});

	it.each(['spki', 'pkcs1'] as const)('with a pasted key in the format %s', async (type) => {
		const { pem } = trigger.service.webhooks.key;
		const publicKeyPem = createPublicKey(pem).export({ type, format: 'pem' }).toString();
		const listener = await trigger.listen({ publicKeySource: 'pem', publicKeyPem });
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
		expect(await listener.items()).toHaveLength(1);
		expect(trigger.keyRequests).toEqual([]);
	});

	it('also if JavaScript would change its data, with any content type, white space and encoding', async () => {
		const listener = await trigger.listen();
		const spaced = body(data.replaceAll('":', '" :\n\t').replace('[', ' [ '));
		const twice = body().replace('"data"', '"data":[{"_svcId":9}],"data"');
		const json = 'application/json; charset=utf-8';
		const sent: Array<[text: string | Buffer, headers: Record<string, string>]> = [
			[body(), { 'content-type': json }],
			[spaced, { 'content-type': 'text/plain' }],
			// The last value of a duplicate key is signed.
			[twice, { 'content-type': 'application/vnd.api+json' }],
			[body(), { 'content-type': 'application/octet-stream' }],
			[body(), { 'content-type': 'application/x-www-form-urlencoded' }],
			[gzipSync(body()), { 'content-type': json, 'content-encoding': 'gzip' }],
			[Buffer.from(`\ufeff${body()}`), { 'content-type': 'text/plain' }],
		];
		for (const [text, headers] of sent) {
			const { status } = await listener.post(text, headers);
			expect([headers, status]).toEqual([headers, 200]);
		}
		expect((await listener.items()).map(({ recordId, verified }) => [recordId, verified])).toEqual(
			sent.flatMap(() => [
				[5, true],
				[6, true],
			]),
		);
	});

	it('without records, and starts nothing', async () => {
		const listener = await trigger.listen();
		const sign = (text: string) => body('[ ]', { signature: trigger.service.webhooks.sign(text) });
		expect((await listener.post(sign('[]'))).status).toBe(200);
		expect((await listener.post(sign('[{}]'))).status).toBe(401);
		expect(listener.executions).toEqual([]);
	});
});
