import fc from 'fast-check';
import { amount, runs } from '../../amount';
import { orders, type Fault, type SeenRequest } from '../../service';
import { timeLimit } from '../../timeLimit';
import { useSkippingClock } from '../clock';
import { stateOf } from '../hostile/state';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { useRecordTestbed } from '../recordTestbed';
import { forgetPreviousTest } from '../runner';
import { rowIdOf, scenarios, type Scenario } from './scenarios';

// One test runs thirty scenarios twice, a hundred in long runs, or two thousand in weekly runs.
jest.setTimeout(timeLimit(amount(90, 90, 1_800)));
useSkippingClock();
const testbed = useRecordTestbed({ demoRecords: 8 });
const { fields } = orders;
const { lines } = orders.subtables;

const error = (code: number, status = 'ERROR') => JSON.stringify({ status, code, msg: 'Not now.' });

/** Error responses after which the write was certainly not carried out. */
const refusals: Record<string, Fault> = {
	'code 201': { kind: 'body', body: error(201) },
	'code 202': { kind: 'body', body: error(202) },
	INVALID: { kind: 'body', body: error(202, 'INVALID') },
	'code 106': { kind: 'body', body: error(106) },
	'code 204': { kind: 'body', body: error(204) },
	'code 402': { kind: 'body', body: error(402) },
	'code 404': { kind: 'body', body: error(404) },
	'HTTP 400': { kind: 'status', status: 400, body: '' },
	'HTTP 401': { kind: 'status', status: 401, body: '' },
	'HTTP 402': { kind: 'status', status: 402, body: '' },
	'HTTP 403': { kind: 'status', status: 403, body: '' },
	'HTTP 404': { kind: 'status', status: 404, body: '' },
	'HTTP 413': { kind: 'status', status: 413, body: '' },
	'HTTP 429': { kind: 'status', status: 429, body: '' },
	'web page with HTTP 404': { kind: 'status', status: 404, body: '<html>Not found</html>' },
	'redirect to another host': { kind: 'redirect', status: 307, location: 'https://example.com/' },
};

/** Numbers of the rejected writes, each with the name of its error response. n8n makes five attempts at most. */
const chosenRefusals = fc.uniqueArray(
	fc.record({ write: fc.nat(8), name: fc.constantFrom(...Object.keys(refusals)) }),
	{ minLength: 1, maxLength: 4, selector: ({ write }) => write },
);
type Chosen = typeof chosenRefusals extends fc.Arbitrary<infer Value> ? Value : never;

/** Gives orders 4 to 7 two rows, an old file, a remark and a reference: 4 and 5 have the same. */
function prepare(): void {
	testbed.service.reset();
	forgetPreviousTest();
	testbed.service.clock.set(Date.UTC(2026, 5, 1));
	for (const [id, key] of Object.entries({ 4: 'K1', 5: 'K1', 6: 'K2', 7: 'K4' })) {
		const order = testbed.order(Number(id));
		const file = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		order.set(fields.reference, key);
		order.set(fields.contract, [file]);
		// Some items with Skip Unchanged find their values.
		order.set(fields.remark, 'a');
		order.rows(lines.id).clear();
		for (const [position, text] of ['first', 'second'].entries()) {
			const row = new Map([[lines.fields.article, text]]);
			order.rows(lines.id).set(rowIdOf(Number(id), position), row);
		}
	}
	testbed.service.requests.clear();
}

/** Rejects the chosen writes. */
function refuse(chosen: Chosen): void {
	const numbers = new WeakMap<SeenRequest, number>();
	let writes = 0;
	const numberOf = (request: SeenRequest) => {
		if (request.method === 'GET') return undefined;
		const number = numbers.get(request) ?? writes++;
		numbers.set(request, number);
		return number;
	};
	for (const { write, name } of chosen) {
		const when = (request: SeenRequest) => numberOf(request) === write;
		testbed.inject({ kind: 'body', ...refusals[name], when });
	}
}

/** Removes texts that differ in each run: times, task IDs, and the random part of file values. */
function normalized(text: string): string {
	return text
		.replace(/at \d+(\.[\da-z]+)?/g, 'at')
		.replace(/\b\w{10}@(?=\w+\.txt)/g, '@')
		.replace(/"at":\d+|"time":"[^"]*"|"taskId":"[^"]*"/g, '');
}

/** Returns ID of a row → its order and its position in it, for the rows of the orders. */
function rowPositions(): Map<string, string> {
	const positions = new Map<string, string>();
	for (const order of testbed.orders.records.values()) {
		for (const [position, rowId] of [...order.rows(lines.id).keys()].entries()) {
			positions.set(String(rowId), `${order.id}.${position}`);
		}
	}
	return positions;
}

/**
 * Returns a function that replaces the IDs of new rows by their order and their position in it. The service numbers the rows of all
 * records together, so their numbers depend on the order of the requests, and a refused request that is sent again later changes it.
 *
 * @param before IDs of the rows before the run
 */
function withoutNewRowIds(before: Iterable<string>): (text: string) => string {
	const positions = rowPositions();
	for (const rowId of before) positions.delete(rowId);
	return (text) =>
		text.replace(
			new RegExp(`("_rowId":| ${lines.id} )(\\d+)`, 'g'),
			(found, place: string, rowId: string) => {
				const position = positions.get(rowId);
				return position === undefined ? found : `${place}new ${position}`;
			},
		);
}

/** Runs a scenario. Returns its items or its error, and the state of the service. */
async function outcomeOf({ parameters, items, hasFiles, switches }: Scenario, chosen: Chosen) {
	prepare();
	Object.assign(testbed.service.switches, switches);
	refuse(chosen);
	const input = items.map(async (json, index) =>
		hasFiles ? await itemWithFiles(json, { data: textFile(`${index}.txt`) }) : { json },
	);
	const retrying = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
	const rowsBefore = [...rowPositions().keys()];
	const result = await testbed.runById(parameters, await Promise.all(input), retrying);
	const withPositions = withoutNewRowIds(rowsBefore);
	const state = [...stateOf(testbed.service)]
		.filter(([name]) => name === 'files' || name.startsWith(`${orders.path}/`))
		.map(([name, text]) => `${name}: ${text}`);
	return {
		error: result.error?.message,
		items: result.items.map(({ json, pairedItem }) =>
			withPositions(normalized(JSON.stringify([json, pairedItem]))),
		),
		state: state.map((text) => withPositions(normalized(text))).sort(),
	};
}

it('rejected writes with Retry On Fail give the same items and the same sheet as no rejected writes', async () => {
	let successes = 0;
	const parameters = {
		numRuns: runs(30, 100, 2_000),
		seed: Number(process.env.SHEET_RECORDS_SEED ?? 1),
	};
	const property = fc.asyncProperty(scenarios, chosenRefusals, async (scenario, chosen) => {
		const expected = await outcomeOf(scenario, []);
		if (expected.error !== undefined) return;
		successes += 1;
		expect(await outcomeOf(scenario, chosen)).toEqual(expected);
	});
	await fc.assert(property, parameters);
	expect(successes).toBeGreaterThan(parameters.numRuns * 0.8);
});
