import { jsonStringify, type IDataObject } from 'n8n-workflow';
import type { Fault } from '../service';
import { operations } from './faults/matrix';
import type { OperationCase, Ran } from './faults/operation';
import { useRecordTestbed } from './recordTestbed';
import { casesOf, echoOf, secretsFoundIn, ways } from './secrets';

/** Every operation of both nodes, with each credential in each of its places, in good days and in bad ones. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const elsewhere = useRecordTestbed({ demoRecords: 10 });

const cases = operations.map((operation): [name: string, operation: OperationCase] => [
	[operation.operation, operation.variant].filter(Boolean).join(' '),
	operation,
]);

/** Runs an operation, and fails when anything secret shows in what n8n stores, prints or is given. */
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
	// `testbed.run` looks for secrets itself, in all that was recorded.
	const { items: made, error } = await testbed.runById(parameters, items, { credentials });
	return { items: made, error };
}

/** All requests but logins are answered so. */
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

describe.each(ways)('with the %s in %s no secret shows', (...way) => {
	it.each(casesOf(way, cases))('when all goes well: %s', async (_, operation) => {
		operation.prepare?.(testbed.service);
		const { error, items } = await run(operation, way);
		expect(error).toBeUndefined();
		expect(items).toMatchObject(operation.itemsOf(testbed.service).map((json) => ({ json })));
	});
});

// After all that goes well: refusals of fields are remembered for ten minutes.
describe.each(ways)('with the %s in %s no secret shows', (...way) => {
	it.each(casesOf(way, cases))(
		'when the service repeats the request in what it refuses: %s',
		async (_, operation) => {
			operation.prepare?.(testbed.service);
			answerAll({ kind: 'body' });
			expect((await run(operation, way)).error).toBeDefined();
		},
	);

	it.each(casesOf(way, cases))(
		'to another host that the service names: %s',
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
