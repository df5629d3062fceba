import { createRequire } from 'node:module';
import { join } from 'node:path';
import { request } from 'undici';
import { orders, startReferenceService, type ReferenceService } from '../service';
import { childProcess, nextMessage } from './childProcess';
import { median } from './summary';

const load = createRequire(join(__dirname, '../../dist/nodes/'));

// Measure the published code, not the sources as compiled for tests.
const orderedJson: typeof import('../../nodes/api/json/orderedJson') = load(
	'./api/json/orderedJson.js',
);
const jsonReading: typeof import('../../nodes/api/json/jsonReading') = load(
	'./api/json/jsonReading.js',
);
const webhookDelivery: typeof import('../../nodes/api/webhooks/delivery') = load(
	'./api/webhooks/delivery.js',
);

/** Time of a parser compared with `JSON.parse` of the same text. */
export interface ParsingResult {
	title: string;
	megabytes: number;
	milliseconds: number;
	ratio: number;
	/** Maximum ratio. */
	aim: number;
}

const bytesInMegabyte = 1024 * 1024;
const roundsOfTwo = 31;

/** Measures in a new process how fast a page of records (keyed by field ID and by name) and a delivery are parsed. */
export async function measureParsing(pageMegabytes: number): Promise<ParsingResult[]> {
	return await nextMessage<ParsingResult[]>(childProcess('parsing.ts', { pageMegabytes }));
}

async function measure(pageMegabytes: number): Promise<ParsingResult[]> {
	const service = await startReferenceService({ demoRecords: 40_000 });
	try {
		const results: ParsingResult[] = [];
		for (const naming of ['FNAME', 'EID']) {
			const text = await page(service, naming, pageMegabytes * bytesInMegabyte);
			const title = `order-preserving parse of a page, ${naming}`;
			results.push(compared(title, text, orderedJson.parseOrderedJson, 2));
		}
		const body = delivery(service, bytesInMegabyte);
		results.push(compared('reading of a delivery', body, readSigned, 3));
		return results;
	} finally {
		await service.close();
	}
}

/** Parses a delivery without verifying its signature. */
function readSigned(text: string): void {
	const read = jsonReading.atOnce(webhookDelivery.parseDelivery(text));
	if (!read.envelope?.signedText) throw new Error('Nothing is signed');
}

function compared(
	title: string,
	text: string,
	read: (text: string) => unknown,
	aim: number,
): ParsingResult {
	const bytes = Buffer.from(text);
	const rounds = Array.from({ length: roundsOfTwo }, () => {
		const plain = millisecondsToRead(bytes, JSON.parse);
		return { plain, measured: millisecondsToRead(bytes, read) };
	});
	return {
		title,
		megabytes: bytes.length / bytesInMegabyte,
		milliseconds: median(rounds.map(({ measured }) => measured)),
		ratio: median(rounds.map(({ measured, plain }) => measured / plain)),
		aim,
	};
}

function millisecondsToRead(bytes: Buffer, read: (text: string) => unknown): number {
	// Decode the text again each time, as for a network response, so that the engine has no cached data about it.
	const text = bytes.toString();
	const begun = performance.now();
	read(text);
	return performance.now() - begun;
}

async function page(service: ReferenceService, naming: string, size: number): Promise<string> {
	const sample = await list(service, naming, 1_000);
	return await list(service, naming, Math.ceil((size / Buffer.byteLength(sample)) * 1_000));
}

async function list(service: ReferenceService, naming: string, limit: number): Promise<string> {
	const { baseUrl, account, identities } = service;
	const address = `/${account}/${orders.path}/${orders.index}?api&naming=${naming}&limit=${limit}`;
	const headers = { authorization: `Basic ${identities.member.apiKey}` };
	const { body } = await request(`${baseUrl}${address}`, { headers });
	return await body.text();
}

function delivery({ data, webhooks }: ReferenceService, size: number): string {
	const sheet = data.sheet(orders);
	const records = [...sheet.records.values()];
	const length = webhooks.body(sheet, 'UPDATE', records.slice(0, 100)).length;
	return webhooks.body(sheet, 'UPDATE', records.slice(0, Math.ceil((size / length) * 100)));
}

if (require.main === module) {
	process.once('message', ({ pageMegabytes }: { pageMegabytes: number }) => {
		void measure(pageMegabytes).then((results) => process.send?.(results, () => process.exit(0)));
	});
}
