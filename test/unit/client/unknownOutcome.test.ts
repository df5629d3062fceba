import { outcomeIsUnknown, waitBeforeRetry } from '../../../nodes/service/retry';
import { ServiceError } from '../../../nodes/wire/serviceError';

describe('a login that fails before a write', () => {
	const lost = { kind: 'connectionLost', message: 'The connection broke off' } as const;

	it('leaves no doubt: the write was not sent, and may be tried again', () => {
		const error = new ServiceError({ ...lost, beforeRequest: true });
		expect(outcomeIsUnknown(error)).toBe(false);
		expect(waitBeforeRetry(error, 'write', 1)).toBe(500);
	});

	it('is told from a write that broke off itself', () => {
		const error = new ServiceError(lost);
		expect(outcomeIsUnknown(error)).toBe(true);
		expect(waitBeforeRetry(error, 'write', 1)).toBeUndefined();
	});
});

describe('a write that is answered with a web page', () => {
	const page = { kind: 'webPage', message: 'A web page' } as const;

	it('may have been carried out, unless there was nothing at the address', () => {
		expect(outcomeIsUnknown(new ServiceError({ ...page, status: 200 }))).toBe(true);
		expect(outcomeIsUnknown(new ServiceError({ ...page, status: 404 }))).toBe(false);
	});
});

describe('a write that "did not finish" (code 203)', () => {
	it('may have been carried out', () => {
		const error = new ServiceError({ kind: 'refused', message: 'Did not finish', code: 203 });
		expect(outcomeIsUnknown(error)).toBe(true);
		expect(waitBeforeRetry(error, 'write', 1)).toBeUndefined();
	});
});
