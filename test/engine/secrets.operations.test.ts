import { jsonStringify, type IDataObject } from 'n8n-workflow';
import type { Fault } from '../service';
import { operations } from './faults/matrix';
import type { OperationCase, Ran } from './faults/operation';
import { useRecordTestbed } from './recordTestbed';
import { casesOf, echoOf, secretsFoundIn, ways } from './secrets';

/** Every operation of both nodes, with each credential in each place, with and without errors of the service. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const elsewhere = useRecordTestbed({ demoRecords: 10 });

const cases = operations.map((operation): [name: string, operation: OperationCase] => [
	[operation.operation, operation.variant].filter(Boolean).join(' '),
	operation,
]);

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

/** Returns this answer to all requests except logins. */
function answerAll(fault: Fault): void {
	const answering: Fault = {
		times: Infinity,
		...fault,
		when: (request) => {
			if (request.path === '/AUTH') return false;
			if (fault.kind === 'body') {
				const echo: IDataObject = { status: 'ERROR', code: 201, msg: echoOf(request) };
				answering.body = JSON.stringify(echo);
			}
			return true;
		},
	};
	testbed.inject(answering);
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
