import type { INode } from 'n8n-workflow';

import { errorOutputJson, nodeError } from '../../nodes/ui/nodeError';
import { ServiceError, type FailureDetails } from '../../nodes/api/http/serviceError';

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

describe("n8n's error details", () => {
	const codeOf = (details: Partial<FailureDetails>) => {
		const thrown = new ServiceError({ kind: 'refused', message: 'No', ...details });
		const error = nodeError(node, thrown, 0);
		return 'httpCode' in error ? error.httpCode : undefined;
	};

	it('show the code of the service, or the HTTP status, and no 200', () => {
		expect(codeOf({ status: 200, code: 202 })).toBe('202');
		expect(codeOf({ status: 400, code: 202 })).toBe('202');
		expect(codeOf({ status: 503 })).toBe('503');
		expect(codeOf({ status: 200 })).toBeNull();
		expect(codeOf({})).toBeNull();
	});
});

describe('an item on the error output', () => {
	it('says in one text what happened, what to do, and what the service gave', () => {
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
				'The record was not saved. Look at record 1069. HTTP 503. Code 106. The service said: No access right.',
		});
	});

	it('says nothing twice', () => {
		const message = 'The record was not saved: Name is required (HTTP 400)';
		const details = { status: 400, code: 202, serviceMessage: 'Name is required' };
		expect(textOf({ message, description: 'Code 202.', ...details })).toEqual({
			error: `${message}. Code 202.`,
		});
	});
});
