import { isClean, probe, type ProbeResult } from '../../probe/probe';
import { questions, unasked, type Question } from '../../probe/questions';
import { hidden, report } from '../../probe/table';
import type { Fault, SeenRequest, Switches } from '../../service';
import { specifiedPositions } from '../../service/switches';
import {
	addScratchSheet,
	openScratchSheet,
	savedDelivery,
	service,
	withService,
} from './scratchSheet';

withService();

const heading = {
	version: '1.2.3',
	date: '2026-03-04',
	mayWrite: true,
	requests: 7,
	overloads: 1,
	passingRefusals: 0,
	slowest: 1234,
};

/** Returns the questions about some switches, for tests that do not need all questions. */
function about(...names: Array<keyof Switches>): Question[] {
	return questions.filter((question) => names.some((name) => name === question.about));
}

function visible({ rows, left }: ProbeResult): string {
	return report({ rows: [...rows, ...unasked], left }, heading);
}

/** Returns all secrets in the spellings used in requests. */
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
	it.each([
		['as captured', {}],
		['as specified', specifiedPositions()],
	])(
		'finds every answer of a service %s, on records of its own, and leaves the sheet as it was',
		async (_, switches) => {
			Object.assign(service.switches, switches);
			const sheet = addScratchSheet(service);
			const before = [...sheet.records.values()].map(({ id, content }) => ({ id, content }));
			const delivery = savedDelivery(service);
			const { rows, left } = await probe(openScratchSheet(service, { delivery }));
			const found = rows.filter(({ about }) => about !== undefined);
			const done = { done: 'COMPLETED' };
			expect(found.map((row) => [row.about, 'standsFor' in row ? row.standsFor : row])).toEqual(
				found.map(({ about }) => [
					about,
					about && (about === 'taskWords' ? done : service.switches[about]),
				]),
			);
			expect(
				rows.flatMap((row) => (row.about === undefined && 'seen' in row ? [row.seen] : [])),
			).toEqual([
				'HTTP 200, ERROR, code 201, “Error processing parameter: sheetRecordsProbe”',
				'header: answers 1 records; query: answers 1 records',
				'date, file, multipleSelection, number, singleSelection, text, user',
				'that field alone',
				'the workbook: sent',
				'a text in a number field: accepted; with doValidation: HTTP 200, INVALID, code 202, “Field "Probe Number" (1900003): "no number" is no number.”',
				'adds',
			]);
			expect(left).toEqual({ addresses: [], unknown: [] });
			expect([...sheet.records.values()].map(({ id, content }) => ({ id, content }))).toEqual(
				before,
			);

			const changing = service.requests.all().filter(({ method }) => method !== 'GET');
			const foreign = changing.filter(({ method, path, query }) => {
				const [, selected] = query.find(([name]) => name === 'recordId') ?? [];
				const recordId = Number(selected ?? path.split('/')[5] ?? NaN);
				const creates = method === 'POST' && path === '/acme/probe/scratch/21';
				return !creates && !(recordId >= before.length);
			});
			expect(foreign).toEqual([]);
		},
	);

	it('only reads without --write', async () => {
		addScratchSheet(service);
		const { rows } = await probe(openScratchSheet(service, { mayWrite: false }));
		const changing = service.requests.all().filter(({ method }) => method !== 'GET');
		expect(changing.filter(({ path }) => path !== '/AUTH')).toEqual([]);
		expect(rows.filter((row) => 'standsFor' in row).length).toBeGreaterThan(25);
		expect(rows).toContainEqual(
			expect.objectContaining({ about: 'uniqueFields', notAsked: 'it needs --write' }),
		);
	});

	it('follows no redirect', async () => {
		const location = `${service.baseUrl}/elsewhere`;
		service.faults.inject({ kind: 'redirect', location, times: Infinity });
		await probe(openScratchSheet(service, { mayWrite: false }));
		expect(service.requests.all().filter(({ path }) => path === '/elsewhere')).toEqual([]);
	});
});

describe('the cleanup of the probe', () => {
	const asked = about('answerCarriesData', 'uniqueFields');
	const isDeletion = ({ method }: SeenRequest) => method === 'DELETE';
	const refused = '{"status":"ERROR","code":106,"msg":"No access right."}';

	beforeEach(() => {
		const sheet = addScratchSheet(service);
		for (let count = 0; count < 1_500; count += 1) {
			sheet.add({ at: Date.UTC(2024, 1, 1), user: 'ada.admin@acme.example' });
		}
	});

	it.each<[string, Fault, left: object]>([
		[
			'deletions are refused',
			{ kind: 'body', body: refused, when: isDeletion },
			{
				addresses: [1505, 1506, 1507].map((id) =>
					expect.stringMatching(`/acme/probe/scratch/21/${id} \\(the deletion: .*code 106`),
				),
				unknown: [],
			},
		],
		[
			'the list for its mark fails',
			{ kind: 'status', status: 500, when: ({ rawUrl }) => rawUrl.includes(',like,') },
			{ addresses: [], unknown: [expect.stringMatching(/could not be looked for: HTTP 500/)] },
		],
		[
			'reading its records fails',
			{
				kind: 'status',
				status: 500,
				when: ({ path, method }) => method === 'GET' && /21\/15\d\d$/.test(path),
			},
			{ addresses: Array(3).fill(expect.stringMatching(/reading it: HTTP 500/)), unknown: [] },
		],
	])('reports the result correctly when %s', async (_, fault, left) => {
		service.faults.inject({ ...fault, times: Infinity });
		const result = await probe(openScratchSheet(service), asked);
		expect(result.left).toEqual(left);
		expect(isClean(result)).toBe(false);
		expect(visible(result)).toMatch(/Still on the sheet, or perhaps|Not known/);
		expect(service.requests.all().filter(isDeletion).length).toBeGreaterThanOrEqual(3);
	});
});

it('secrets are never printed, although the service repeats everything that was sent', async () => {
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
	const text = visible(await probe(openScratchSheet(service)));
	expect(service.sessionIds.size).toBeGreaterThan(0);
	expect(text).toContain(hidden);
	expect(leaked(text)).toEqual([]);
});
