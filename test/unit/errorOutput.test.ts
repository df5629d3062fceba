import { ACTIONABLE_CAUSES, TIMED_CAUSES, type INode } from 'n8n-workflow';

import { nodeError } from '../../nodes/ui/nodeError';
import { ServiceError, type FailureDetails } from '../../nodes/api/http/serviceError';

const node: INode = {
	id: '1',
	name: 'Sheet Records',
	type: 'sheetRecords',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const passing = [
	'server',
	'unreachable',
	'connectionLost',
	'malformed',
	'tooSlow',
	'timeout',
] as const;
const identity = ['authentication', 'sessionExpired', 'noAccess'] as const;

it.each<[cause: string, details: Array<Omit<FailureDetails, 'message'>>]>([
	['rate-limited', [{ kind: 'tooFrequent' }, { kind: 'tooFrequent', code: 204 }]],
	['temporarily-unavailable', passing.map((kind) => ({ kind }))],
	['credential-invalid', identity.map((kind) => ({ kind }))],
	[
		'configuration-invalid',
		[
			...[101, 102, 103, 104, 108].map((code) => ({ kind: 'refused', code }) as const),
			...(['notFound', 'redirected', 'untrusted'] as const).map((kind) => ({ kind })),
		],
	],
	[
		'',
		(['rejected', 'unconfirmed', 'locked', 'webPage', 'refused'] as const).map((kind) => ({
			kind,
		})),
	],
])('an error declares what n8n decides by when it tries again: %s', (cause, all) => {
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
