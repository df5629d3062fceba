import { ACTIONABLE_CAUSES, NodeOperationError, TIMED_CAUSES, type INode } from 'n8n-workflow';
import { errorOutputJson, nodeError, toolError, withAdvice } from '../../nodes/shared/nodeError';
import type { FailureDetails, FailureKind } from '../../nodes/api/http/serviceError';
import { ServiceError } from '../../nodes/api/http/serviceError';
import { InputError } from '../../nodes/api/values/inputError';

const node: INode = {
	id: '1',
	name: 'Sheet Records',
	type: 'sheetRecords',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function textOf(details: Omit<FailureDetails, 'kind'>): unknown {
	const thrown = new ServiceError({ kind: 'refused', ...details });
	return errorOutputJson(nodeError(node, thrown, 3), thrown);
}

describe('an item on the error output', () => {
	it('an item on the error output contains what happened, what to do and the message of the service in one text', () => {
		expect(
			textOf({
				message: 'The record was not saved',
				description: 'Look at record 1069.',
				status: 503,
				code: 106,
				serviceMessage: 'No access right',
			}),
		).toEqual({
			error:
				'The record was not saved. (HTTP 503, code 106) The service said: No access right. Look at record 1069.',
		});
	});

	it('an item on the error output repeats nothing', () => {
		const message = 'The record was not saved: Name is required (HTTP 400)';
		const details = { status: 400, code: 202, serviceMessage: 'Name is required' };
		const description = 'The service gave code 202. Correct the value.';
		expect(textOf({ message, description, ...details })).toEqual({
			error: `${message}. ${description}`,
		});
	});
});

const kinds = (...names: FailureKind[]) => names.map((kind) => ({ kind }));

it.each([
	['configuration-invalid', false],
	['temporarily-unavailable', true],
])('an input error declares whether n8n tries again: %s', (cause, isPassing) => {
	const thrown = new InputError('No', undefined, undefined, isPassing);
	expect(nodeError(node, thrown, 0).failure).toEqual({ cause });
});

it.each<[cause: string, details: Array<Omit<FailureDetails, 'message'>>]>([
	['rate-limited', [{ kind: 'tooFrequent' }, { kind: 'tooFrequent', code: 204 }]],
	['temporarily-unavailable', kinds('server', 'unreachable', 'connectionLost', 'malformed')],
	['temporarily-unavailable', kinds('tooSlow', 'taskUnfinished')],
	['credential-invalid', kinds('authentication', 'sessionExpired', 'noAccess')],
	['configuration-invalid', kinds('notFound', 'redirected', 'untrusted')],
	['configuration-invalid', [101, 102, 103, 104, 108].map((code) => ({ kind: 'refused', code }))],
	['', kinds('rejected', 'unconfirmed', 'locked', 'webPage', 'refused')],
])('a service error declares whether n8n tries again: %s', (cause, all) => {
	for (const details of all) {
		const thrown = new ServiceError({ message: 'No', retryAfterSeconds: 7, ...details });
		const error = nodeError(node, thrown, 0);
		const isTimed = TIMED_CAUSES.some((timed) => timed === cause);
		const isKnown = isTimed || ACTIONABLE_CAUSES.some((lasting) => lasting === cause);
		expect(isKnown).toBe(cause !== '');
		const expected = isTimed ? { cause, retryAfterMs: 7000 } : { cause };
		expect(error.failure).toEqual(isKnown ? expected : undefined);
	}
});

describe('the error of a tool', () => {
	const messageOf = (message: string, description: string) =>
		withAdvice(nodeError(node, new InputError(message, description), 0)).message;

	it('the error of a tool has its advice in the message, after one full stop', () => {
		expect(messageOf('The value is empty', 'Give a value.')).toBe(
			'The value is empty. Give a value.',
		);
		expect(messageOf('Use the ID.', 'Look at the sheet.')).toBe('Use the ID. Look at the sheet.');
		expect(messageOf('Give a value.', 'Give a value.')).toBe('Give a value.');
	});

	it('the advice never makes n8n take the error for a cancelled execution', () => {
		expect(messageOf('The value is empty', "Fill in 'Order canceled on'.")).not.toContain(
			'canceled',
		);
	});
});

it('the error of a tool that is thrown again has its advice once', () => {
	const error = nodeError(node, new InputError('The list is empty', 'Add an entry.'), 0);
	expect(withAdvice(withAdvice(error)).message).toBe('The list is empty. Add an entry.');
});

it.each<[what: string, thrown: Error]>([
	['wrong input', new InputError('The preexisting value is not in the list', undefined)],
	['a refusal', new ServiceError({ kind: 'refused', message: 'Preaccess is over' })],
	[
		'a request that was not sent',
		new ServiceError({ kind: 'unsent', message: 'The error is EPERM' }),
	],
])('the message keeps its words, although n8n has a text for a code in it: %s', (_, thrown) => {
	expect(nodeError(node, thrown, 0).message).toBe(thrown.message);
});

it('n8n passes the message of the error of a tool on to the model as it is', () => {
	const description = 'The error is ECONNRESET.';
	const thrown = new ServiceError({ kind: 'connectionLost', message: 'It broke off', description });
	const error = toolError(node, nodeError(node, thrown, 0), 0);
	// n8n does this with each error of a tool.
	expect(new NodeOperationError(node, error).message).toBe(
		'It broke off. The error is ECONNRESET.',
	);
});
