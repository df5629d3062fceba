import { jsonStringify, type IDataObject } from 'n8n-workflow';
import type { Fault } from '../service';
import { operations } from './faults/matrix';
import { isWrite, requestFor, type OperationCase, type Ran } from './faults/operation';
import { useRecordTestbed } from './recordTestbed';
import { casesOf, echoOf, secretsFoundIn, ways } from './secrets';

/** Every operation of both nodes, with each credential in each place, with and without errors of the service. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const elsewhere = useRecordTestbed({ demoRecords: 10 });

const cases = operations.map((operation): [name: string, operation: OperationCase] => [
	[operation.operation, operation.variant].filter(Boolean).join(' '),
	operation,
]);

const changing = cases.filter(([, { requests }]) =>
	requests.some(({ kind }) => kind === 'changes'),
);

/** Runs an operation. Fails if anything that n8n stores, prints or receives contains a secret. */
async function run(
	operation: OperationCase,
	[authentication, place]: [string, string],
): Promise<Ran> {
	const identity = operation.identity ?? 'member';
	const credentials = {
		...testbed.credentials(identity, { apiKeyIn: place }),
		...testbed.sessionCredentials(identity, { sessionIn: place }),
	};
	const parameters = { ...operation.parameters, authentication };
	const found = (await operation.items?.(testbed.service)) ?? [{ json: {} }];
	const items = found.map((item) => ({ ...item, json: { ...item.json, patience: 20 } }));
	if (operation.run) {
		const ran = await operation.run({ testbed, parameters, items, credentials });
		await ran.end?.();
		expect(secretsFoundIn(jsonStringify([ran.items, ran.error]), testbed.service)).toEqual([]);
		return ran;
	}
	// `testbed.run` itself searches all recorded texts for secrets.
	const { items: made, error } = await testbed.runById(parameters, items, { credentials });
	return { items: made, error };
}

/** Answers all requests except logins, or only some of them. */
function answerAll(
	fault: Fault,
	bodyOf = (echo: string): IDataObject => ({ status: 'ERROR', code: 201, msg: echo }),
): void {
	const answering: Fault = {
		times: Infinity,
		...fault,
		when: (request) => {
			if (request.path === '/AUTH' || fault.when?.(request) === false) return false;
			if (fault.kind === 'body') answering.body = JSON.stringify(bodyOf(echoOf(request)));
			return true;
		},
	};
	testbed.inject(answering);
}

/** Returns a success of each changing request, with words in each place that an answer has for them. */
function successWith(words: string): IDataObject {
	const ids = { svcId: 5, taskId: 't1', 61: '', 65: 'x', 66: 'x', 67: '', 73: '' };
	return { status: 'SUCCESS', ...ids, msg: words, message: words, warning: words };
}

describe.each(ways)('with the %s in %s, no secret is stored, shown or logged', (...way) => {
	it.each(casesOf(way, cases))('when the operation succeeds: %s', async (_, operation) => {
		operation.prepare?.(testbed.service);
		const { error, items } = await run(operation, way);
		expect(error).toBeUndefined();
		expect(items).toMatchObject(operation.itemsOf(testbed.service).map((json) => ({ json })));
	});
});

// These tests run last, because error responses of the sources of fields are cached for ten minutes.
describe.each(ways)('with the %s in %s, no secret is stored, shown or logged', (...way) => {
	it.each(casesOf(way, cases))(
		'when the error message of the service repeats the request: %s',
		async (_, operation) => {
			operation.prepare?.(testbed.service);
			answerAll({ kind: 'body' });
			expect((await run(operation, way)).error).toBeDefined();
		},
	);

	it.each(casesOf(way, changing))(
		'when the words of a success repeat the request: %s',
		async (_, operation) => {
			operation.prepare?.(testbed.service);
			answerAll({ kind: 'body', when: isWrite }, successWith);
			const isOfTask = requestFor('taskId=');
			answerAll({ kind: 'body', when: isOfTask }, (message) => ({ status: 'DONE', message }));
			const { items } = await run(operation, way);
			if (items.length > 0) expect(jsonStringify(items)).toContain('is redacted');
		},
	);

	it.each(casesOf(way, cases))(
		'and none is sent to another host that the service redirects to: %s',
		async (_, operation) => {
			operation.prepare?.(testbed.service);
			answerAll({
				kind: 'redirect',
				status: 307,
				location: `${elsewhere.service.baseUrl}/acme/x/1`,
			});
			expect((await run(operation, way)).error).toBeDefined();
			expect(elsewhere.service.requests.count).toBe(0);
		},
	);
});
