import { amount } from '../../amount';
import { ProbeClient } from '../../probe/client';
import { probe, type ProbeResult } from '../../probe/probe';
import { questions, unasked, type Question } from '../../probe/questions';
import { hidden, report } from '../../probe/table';
import {
	startReferenceService,
	type ReferenceService,
	type SeenRequest,
	type Switches,
} from '../../service';
import { addScratchSheet, openScratchSheet } from './scratchSheet';

let service: ReferenceService;

beforeAll(async () => {
	service = await startReferenceService({ demoRecords: 10 });
});

afterAll(async () => await service.close());

beforeEach(() => {
	service.reset();
	service.clock.set(Date.UTC(2026, 2, 4, 9, 30, 17));
});

const heading = {
	version: '1.2.3',
	date: '2026-03-04',
	mayWrite: true,
	requests: 7,
	slowestMilliseconds: 1234,
};

/** The questions about some switches, where they show as much as all of them would. */
function about(...names: Array<keyof Switches>): Question[] {
	return questions.filter((question) => names.some((name) => name === question.about));
}

function shown({ rows, leftBehind }: ProbeResult): string {
	return report({ rows: [...rows, ...unasked], leftBehind }, heading);
}

/** All that nobody may see, in the spellings in which it travels. */
function secrets(): string[] {
	const { apiKey, email, password } = service.identities.admin;
	const plain = [apiKey, email, password, ...service.sessionIds];
	return [
		...plain,
		...plain.map(encodeURIComponent),
		...plain.map((secret) => Buffer.from(secret).toString('base64')),
		...plain.map((secret) => JSON.stringify(secret).slice(1, -1)),
		Buffer.from(apiKey, 'base64').toString('utf8'),
	];
}

function leaked(text: string): string[] {
	return secrets().filter((secret) => text.includes(secret));
}

describe('a whole run of the probe', () => {
	it('finds the usual answer to every question, on records of its own, and leaves the sheet as it was', async () => {
		const sheet = addScratchSheet(service);
		const before = [...sheet.records.values()].map(({ id, content }) => ({ id, content }));
		const { rows, leftBehind } = await probe(openScratchSheet(service));
		const found = rows.filter(({ about }) => about !== undefined);
		const done = { done: 'COMPLETED' };
		expect(found.map((row) => [row.about, 'standsFor' in row ? row.standsFor : row])).toEqual(
			found.map(({ about, point }) => [
				about,
				about === 'overloadAnswer' || about === 'retryAfter'
					? { about, point, notAsked: 'the probe keeps to its rate limit, and none came' }
					: about && (about === 'taskWords' ? done : service.switches[about]),
			]),
		);
		expect(
			rows.flatMap((row) => (row.about === undefined && 'seen' in row ? [row.seen] : [])),
		).toEqual([
			'HTTP 200, ERROR, code 201, “Error processing parameter: sheetRecordsProbe”',
			'both: answers 1 records; v=1, 2 and 3 answer alike',
			'POST merges; PUT merges; PATCH merges',
			'…/abc HTTP 200, ERROR, code 102, “Invalid path: /probe/scratch/21/abc”; …/5/2 HTTP 200, ERROR, code 102, “Invalid path: /probe/scratch/21/5/2”; …/5.json answers 2 records',
			'header: answers 1 records; query: answers 1 records',
			['eq', 'like', 'gte', 'regex']
				.map((operator) => `${operator} finds nothing but what is empty`)
				.join('; '),
			'the record itself',
			'lk HTTP 200, ERROR, code 201, “Unknown filter operator: lk”; range HTTP 200, ERROR, code 201, “Unknown filter operator: range”',
			'that field alone',
			'a text in a number field: accepted; with doValidation: HTTP 200, INVALID, code 202, “Field "Probe Number" (1900003): "no number" is no number.”',
			'adds',
		]);
		expect(leftBehind).toEqual([]);
		expect([...sheet.records.values()].map(({ id, content }) => ({ id, content }))).toEqual(before);

		const changing = service.requests.all().filter(({ method }) => method !== 'GET');
		const foreign = changing.filter(({ method, path, query }) => {
			const [, selected] = query.find(([name]) => name === 'recordId') ?? [];
			const recordId = Number(selected ?? path.split('/')[5] ?? NaN);
			const creates = method === 'POST' && path === '/acme/probe/scratch/21';
			return !creates && !(recordId >= before.length);
		});
		expect(foreign).toEqual([]);
	});

	it('only reads without --write', async () => {
		addScratchSheet(service);
		const { rows } = await probe(openScratchSheet(service, { mayWrite: false }));
		expect(service.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(rows.filter((row) => 'standsFor' in row).length).toBeGreaterThan(30);
		expect(rows).toContainEqual(
			expect.objectContaining({ about: 'uniqueFields', notAsked: 'it needs --write' }),
		);
	});

	it.each(
		amount(['null', '{"1":', '{"5":null}'], ['', '[]', 'null', '{"1":', '"text"', '{"5":null}']),
	)('comes to its end when everything is answered with %j', async (body) => {
		service.faults.inject({ kind: 'body', body, times: Infinity });
		const { rows } = await probe(openScratchSheet(service));
		expect(rows.length).toBeGreaterThan(70);
	});

	it('names the records that it could not delete', async () => {
		addScratchSheet(service);
		const isDeletion = ({ method }: SeenRequest) => method === 'DELETE';
		service.faults.inject({ kind: 'status', status: 500, when: isDeletion, times: Infinity });
		const asked = about('answerCarriesData', 'uniqueFields');
		const result = await probe(openScratchSheet(service), asked);
		expect(result.leftBehind).toEqual(['5', '6', '7']);
		expect(shown(result)).toMatch(/to be deleted by hand:\*\* records 5, 6, 7\.\n$/);
	});

	it('follows no redirect', async () => {
		const location = `${service.baseUrl}/elsewhere`;
		service.faults.inject({ kind: 'redirect', location, times: Infinity });
		await probe(openScratchSheet(service, { mayWrite: false }));
		expect(service.requests.all().filter(({ path }) => path === '/elsewhere')).toEqual([]);
	});
});

it('secrets never show, although the service repeats all that it was sent', async () => {
	addScratchSheet(service);
	let last: SeenRequest | undefined;
	service.faults.inject({
		kind: 'body',
		times: Infinity,
		when: (request) => {
			last = request;
			return request.path !== '/AUTH';
		},
		get body() {
			const { apiKey, password } = service.identities.admin;
			const padding = '.'.repeat(80);
			const sent = `${last?.rawUrl} ${JSON.stringify(last?.headers)} ${apiKey} ${password}`;
			const answer = { status: 'ERROR', code: 201, msg: `${apiKey}${padding}${apiKey} ${sent}` };
			return JSON.stringify(answer).replaceAll('/', '\\/');
		},
	});
	const text = shown(await probe(openScratchSheet(service)));
	expect(service.sessionIds.size).toBeGreaterThan(0);
	expect(text).toContain(hidden);
	expect(leaked(text)).toEqual([]);
});

describe('the client of the probe', () => {
	const connection = { account: 'acme', apiKey: 'key', intervalMilliseconds: 250 };

	it('makes no more than five requests in a second', async () => {
		let now = 0;
		const clock = {
			now: () => now,
			wait: async (milliseconds: number) => void (now += milliseconds),
		};
		const client = new ProbeClient({ ...connection, baseUrl: service.baseUrl, clock });
		for (let count = 0; count < 9; count += 1) await client.get('probe/scratch/21', 'api');
		expect(now).toBeGreaterThanOrEqual(8 * 200);
	});
});
