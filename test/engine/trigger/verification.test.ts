import { gzipSync } from 'node:zlib';

import { jsonSpellings, orders, type JsonSpelling, type Switches } from '../../service';
import { useTriggerTestbed } from './triggerTestbed';

/** What may be altered, and which texts are signed, is tried in `test/unit`. */
const trigger = useTriggerTestbed();

const data =
	'[{"_svcId":5,"105":"a\\/b","1000001":1.0,"512":12345678901234567890,"n":"\\u003c😀é","":null' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}}},{"_svcId":6}]';
/** The string-to-sign, written by hand from the specification. */
const signed =
	'[{"":null,"1000001":1.0,"105":"a\\/b","512":12345678901234567890' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}},"_svcId":5,"n":"\\u003c😀é"},{"_svcId":6}]';

function body(signature = trigger.service.webhooks.sign(signed), content = data): string {
	const rest = `"apname":"acme","path":"/sales/orders","sheetIndex":1,"eventType":"UPDATE"`;
	return `{"data":${content},${rest},"signature":"${signature}"}`;
}

describe('verification', () => {
	it('required: the answer to ids names the checkbox to tick', async () => {
		const listener = await trigger.subscribe({}, { fullContent: false });
		trigger.service.people.edit(orders, 5, {});
		const [delivery] = await trigger.service.webhooks.settled();
		expect(delivery).toMatchObject({ body: '[5]', status: 401 });
		expect(delivery?.answer).toContain("Tick 'Send full content of the changed record'");
		expect(listener.executions).toEqual([]);
	});

	it('off: the service is never asked', async () => {
		const listener = await trigger.listen({ verification: 'off' });
		await listener.post(trigger.body([5]));
		expect(trigger.service.requests.count).toBe(0);
	});
});

describe('a signed delivery is taken', () => {
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
	])('in the forms %j', async (forms) => {
		Object.assign(trigger.service.switches, forms);
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 5, { [orders.fields.remark]: remark });
		await trigger.service.webhooks.settled();
		const [item] = await listener.items();
		expect(item).toHaveProperty(['record', orders.fields.remark], remark);
		expect(item?.verified).toBe(true);
	});

	it('with a pasted key', async () => {
		const publicKeyPem = trigger.service.webhooks.key.pem;
		const listener = await trigger.listen({ publicKeySource: 'pem', publicKeyPem });
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
		expect(await listener.items()).toHaveLength(1);
		expect(trigger.keyRequests).toEqual([]);
	});

	it('of what JavaScript would change, whatever its type, its spaces and its encoding', async () => {
		const listener = await trigger.listen();
		const spaced = body(undefined, data.replaceAll('":', '" :\n\t').replace('[', ' [ '));
		const twice = body().replace('"data"', '"data":[{"_svcId":9}],"data"');
		const json = 'application/json; charset=utf-8';
		const sent: Array<[text: string | Buffer, headers: Record<string, string>]> = [
			[body(), { 'content-type': json }],
			[spaced, { 'content-type': 'text/plain' }],
			// What counts is what was signed: the last of two.
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

	it('of no records, for which nothing starts', async () => {
		const listener = await trigger.listen();
		const sign = (text: string) => body(trigger.service.webhooks.sign(text), '[ ]');
		expect((await listener.post(sign('[]'))).status).toBe(200);
		expect((await listener.post(sign('[{}]'))).status).toBe(401);
		expect(listener.executions).toEqual([]);
	});
});
