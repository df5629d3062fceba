import { amount } from '../../amount';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

const data =
	'[{"_svcId":5,"105":"a\\/b","1000001":1.0,"512":12345678901234567890,"n":"\\u003c😀é"' +
	',"_subtable_7":{"10":{"x":[true,null]},"9":{}}},{"_svcId":6}]';
/** The string-to-sign, written by hand from the specification. */
const signed =
	'[{"1000001":1.0,"105":"a\\/b","512":12345678901234567890,"_subtable_7":{"10":{"x":[true,null]},"9":{}}' +
	',"_svcId":5,"n":"\\u003c😀é"},{"_svcId":6}]';

function body(signature = trigger.service.webhooks.sign(signed), content = data): string {
	const rest = `"apname":"acme","path":"/sales/orders","sheetIndex":1,"eventType":"UPDATE"`;
	return `{"data":${content},${rest},"signature":"${signature}"}`;
}

/** At how many characters a long text is altered: the unit tests do it at each. */
const step = amount(7, 1);

/** Texts that differ from the given one in one character: replaced, taken out, or put in. */
function altered(text: string): string[] {
	const texts = new Set<string>();
	for (let position = 0; position <= text.length; position += text.length > 50 ? step : 1) {
		const [before, after] = [text.slice(0, position), text.slice(position)];
		texts.add(before + after.slice(1));
		for (const character of ['0', '7', 'e', '"', ',', ' ', '\\', '}', 'é']) {
			texts.add(before + character + after);
			if (after !== '') texts.add(before + character + after.slice(1));
		}
	}
	texts.delete(text);
	return [...texts];
}

/** The value that a text holds, with numbers as they are written. */
function meaning(text: string): unknown {
	const numbersAsTexts = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
		token.startsWith('"') ? token : `"number ${token}"`,
	);
	return JSON.parse(numbersAsTexts);
}

async function statuses(listener: TriggerListener, bodies: string[]): Promise<Map<string, number>> {
	const answered = new Map<string, number>();
	for (let start = 0; start < bodies.length; start += 40) {
		const some = bodies.slice(start, start + 40);
		const answers = await Promise.all(some.map(async (text) => await listener.post(text)));
		some.forEach((text, index) => answered.set(text, answers[index]?.status ?? 0));
	}
	return answered;
}

describe('a delivery is refused after a change of any one character', () => {
	it('of its data, unless they mean the same after it', async () => {
		const listener = await trigger.listen();
		expect((await listener.post(body())).status).toBe(200);
		const genuine = trigger.service.webhooks.sign(signed);
		const contents = altered(data);
		const answered = await statuses(
			listener,
			contents.map((content) => body(genuine, content)),
		);
		const taken = contents.filter((content) => answered.get(body(genuine, content)) === 200);
		const meant = JSON.stringify(meaning(data));
		expect(taken.filter((content) => JSON.stringify(meaning(content)) !== meant)).toEqual([]);
		// Blanks between tokens, and nothing else.
		expect(taken.filter((content) => content.replace(/ /g, '') !== data)).toEqual([]);
		expect(new Set(answered.values())).toEqual(new Set([200, 401, 422]));
		expect(listener.executions).toHaveLength(1 + taken.length);
	}, 120_000);

	it('of its signature, unless it means the same after it', async () => {
		const listener = await trigger.listen();
		const genuine = trigger.service.webhooks.sign(signed);
		// `\\/` is another spelling of a slash.
		const signatures = altered(genuine).filter((text) => text.replaceAll('\\/', '/') !== genuine);
		const answered = await statuses(
			listener,
			signatures.map((text) => body(text)),
		);
		expect([...answered].filter(([, status]) => status === 200)).toEqual([]);
		expect(listener.executions).toEqual([]);
	}, 120_000);

	it('of the name of its data, of its signature, or of a member that says whose they are', async () => {
		const listener = await trigger.listen();
		const genuine = body();
		const bodies = ['data', 'signature', 'apname', 'path', 'sheetIndex', 'eventType'].flatMap(
			(name) => altered(name).map((text) => genuine.replace(`"${name}":`, `"${text}":`)),
		);
		const answered = await statuses(listener, bodies);
		expect([...answered].filter(([, status]) => status === 200)).toEqual([]);
		expect(listener.executions).toEqual([]);
	});
});

describe('a delivery is refused when', () => {
	it.each([
		['it is not signed', () => body().replace(/,"signature":"[^"]*"/, '')],
		['its signature is empty', () => body('')],
		['its signature is null', () => body().replace(/"signature":"[^"]*"/, '"signature":null')],
		['its signature is of other data', () => body(trigger.service.webhooks.sign('[]'))],
		[
			'its data are there twice, the signed ones first',
			() => body().replace('"apname"', '"data":[{"_svcId":9}],"apname"'),
		],
		[
			'its data are there twice in different spellings, the signed ones first',
			() => body().replace('"apname"', '"d\\u0061ta":[{"_svcId":9}],"apname"'),
		],
		[
			'its data are there twice in different spellings, the signed ones last',
			() => body().replace('"data"', '"d\\u0061ta":[{"_svcId":9}],"data"'),
		],
		[
			'a key of a record is there twice, in different spellings',
			() => body(undefined, data.replace('"n":', '"\\u006e":"x","n":')),
		],
		['records have changed places', () => body(undefined, `[{"_svcId":6},${data.slice(1, -14)}]`)],
		['a record is there twice', () => body(undefined, data.replace(']', ',{"_svcId":6}]'))],
		[
			'a long number is rounded',
			() => body(undefined, data.replace('12345678901234567890', '12345678901234567000')),
		],
	])('%s', async (_what, text) => {
		const listener = await trigger.listen();
		expect(text()).not.toBe(body());
		expect((await listener.post(text())).status).toBe(401);
		expect(listener.executions).toEqual([]);
	});

	it('only its other members were signed anew by somebody with another key', async () => {
		const listener = await trigger.listen();
		trigger.service.webhooks.key.rotate();
		const forged = body();
		trigger.service.webhooks.key.reset();
		expect((await listener.post(forged)).status).toBe(401);
	});
});

describe('what a delivery with keys twice in one spelling says', () => {
	it('is what was signed: the last of them', async () => {
		const listener = await trigger.listen();
		const twice = body().replace('"data"', '"data":[{"_svcId":9}],"data"');
		expect((await listener.post(twice)).status).toBe(200);
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([5, 6]);
	});
});
