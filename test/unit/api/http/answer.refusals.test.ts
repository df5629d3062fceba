import { readAnswer, writeAnswer } from '../../../../nodes/api/http/answer';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import type { FailureDetails, FailureKind } from '../../../../nodes/api/http/serviceError';
import { thrown } from '../thrown';

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) => ({
	status,
	headers,
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

function refusalOf(read: () => unknown): FailureDetails {
	const { details, message } = thrown(ServiceError, read);
	return { ...details, message };
}

/** The error codes of the specification, with the expected kind of failure. */
const codes: ReadonlyArray<[code: number, kind: FailureKind, meaning: string]> = [
	[101, 'refused', 'Invalid account name'],
	[102, 'refused', 'Invalid path'],
	[103, 'refused', 'Invalid form index'],
	[104, 'refused', 'Cannot POST data to a custom form'],
	[105, 'authentication', 'Authentication required before using the API'],
	[106, 'noAccess', 'This user has no permission for this request'],
	[107, 'refused', 'Resource bundle not found'],
	[108, 'refused', 'Error loading the requested form'],
	[109, 'refused', 'Cannot create more records'],
	[201, 'refused', 'Error processing request parameters'],
	[202, 'refused', 'Error executing the request'],
	[203, 'unconfirmed', 'The POST request did not finish'],
	[204, 'tooFrequent', 'Request frequency too high'],
	[301, 'sessionExpired', 'The sid parameter or session has timed out'],
	[302, 'sessionExpired', 'The session has expired'],
	[303, 'authentication', 'The account has expired'],
	[304, 'authentication', 'The secret key is invalid'],
	[402, 'locked', 'Record locked'],
	[404, 'notFound', 'Record not found'],
];
const shapes: ReadonlyArray<(code: number) => object> = [
	(code) => ({ status: 'ERROR', errorCode: code, msg: 'Words of the service' }),
	(code) => ({ status: 'error', code, message: 'Words of the service' }),
	(code) => ({ code, msg: 'Words of the service' }),
	(code) => ({ errCode: code, errMsg: 'Words of the service' }),
	(code) => ({ status: 'ERROR', errCode: String(code), errMsg: 'Words of the service' }),
];

it.each(codes)('code %d', (code, kind, meaning) => {
	const serviceMessage = 'Words of the service';
	for (const [place, shape] of shapes.entries()) {
		const status = place % 2 === 0 ? 200 : 400;
		for (const read of [readAnswer, writeAnswer]) {
			const refusal = refusalOf(() => read(answer(shape(code), status)));
			expect(refusal).toMatchObject({ kind, code, status, serviceMessage });
			expect(refusal.message).toBe(`${meaning}: ${serviceMessage}`);
			expect(refusal.description).toMatch(new RegExp(`\\b[Cc]ode ${code}\\b`));
		}
	}
	// A message that repeats the meaning of the code is not added.
	for (const msg of [`${meaning}: acme`, undefined]) {
		const { message } = refusalOf(() => readAnswer(answer({ status: 'ERROR', code, msg })));
		expect(message).toBe(msg ?? meaning);
	}
});

describe('a code that the specification does not list', () => {
	it('a code that the specification does not list is reported with the words of the service', () => {
		const refusal = answer({ status: 'ERROR', code: 403, msg: 'Expired' });
		const description = expect.stringMatching(
			/^The service gave code 403\. Try the same in the browser/,
		);
		const expectedDetails = { code: 403, message: 'Expired', description };
		expect(refusalOf(() => readAnswer(refusal))).toMatchObject(expectedDetails);
	});
});

const statuses: ReadonlyArray<[status: number, kind: FailureKind, says: RegExp]> = [
	[400, 'refused', /./],
	[401, 'authentication', /./],
	[402, 'refused', /./],
	[403, 'noAccess', /./],
	[404, 'notFound', /./],
	[408, 'server', /gave up waiting/],
	[418, 'refused', /./],
	[429, 'tooFrequent', /too many requests/],
	[500, 'server', /HTTP 500/],
	[502, 'server', /gateway .* no proper answer/],
	[503, 'server', /not available at the moment/],
	[504, 'server', /gateway .* did not answer in time/],
];
const texts = ['', 'Busy', 'null', '[]', '{"1":'];
const bodies = [...texts, '{}', '{"1":{"_svcId":1}}', '{"status":"SUCCESS"}'];

it.each(statuses)('HTTP status %d', (status, kind, says) => {
	const advice = status === 429 ? /requests per second/ : /Try again later/;
	const isTrouble = kind === 'server' || status === 429;
	for (const body of bodies) {
		for (const read of [readAnswer, writeAnswer]) {
			const refusal = refusalOf(() => read(answer(body, status)));
			expect(refusal).toMatchObject({ kind, status, message: expect.stringMatching(says) });
			expect(refusal.code).toBeUndefined();
			if (isTrouble) expect(refusal.description).toMatch(advice);
		}
	}
	const page = answer('<html><title>Out of order</title></html>', status);
	const refusal = refusalOf(() => readAnswer(page));
	// A web page with status 404 may come from a gateway, so it does not prove that the item does not exist.
	expect(refusal.kind).toBe(status === 404 ? 'webPage' : kind);
	expect(refusal.message).toMatch(status === 404 ? /web page instead of data/ : says);
	if (isTrouble) expect(refusal.description).toMatch(advice);
	if (isTrouble) expect(refusal.description).not.toMatch(/Base URL|Account|sheet/);
});

const checks: ReadonlyArray<{ status: number; message: RegExp; toDo: RegExp }> = [
	{ status: 400, message: /not understood/, toDo: /Check .*required value.*format/ },
	{ status: 402, message: /could not be carried out/, toDo: /Check .*rules of the sheet.*limit/ },
	{ status: 403, message: /refuses access/, toDo: /Give .*user the right.*firewall or proxy/ },
	{ status: 404, message: /does not exist/, toDo: /^checkSheet Check .*ID/ },
	{ status: 405, message: /does not accept this kind of request/, toDo: /^checkAddress .*proxy/ },
	{ status: 410, message: /no longer exists/, toDo: /^checkSheet Check .*ID/ },
	{ status: 413, message: /larger than the service accepts/, toDo: /smaller or fewer files/ },
	{ status: 414, message: /address .* longer/, toDo: /fewer or shorter conditions/ },
	{ status: 415, message: /does not accept the format/, toDo: /Check .*type of the file.*proxy/ },
	{ status: 418, message: /HTTP 418/, toDo: /^checkProxy/ },
	{ status: 422, message: /cannot process the values/, toDo: /Check .*types and rules/ },
	{ status: 499, message: /HTTP 499/, toDo: /^checkProxy/ },
];

it.each(checks)('HTTP status $status says what to check', ({ status, message, toDo }) => {
	for (const read of [readAnswer, writeAnswer]) {
		for (const body of ['', 'No', '{}', '{"status":"ERROR","msg":"No"}']) {
			const refusal = refusalOf(() => read(answer(body, status)));
			expect(refusal.message).toMatch(message);
			expect(`${refusal.remedy ?? ''} ${refusal.description ?? ''}`.trim()).toMatch(toDo);
		}
	}
});

it('the advice for a code takes precedence over the advice for the HTTP status', () => {
	const advice = (status: number, code: number) => {
		const { remedy, description } = refusalOf(() =>
			readAnswer(answer({ status: 'ERROR', code, msg: 'No' }, status)),
		);
		return { remedy, description };
	};
	expect(advice(403, 402)).toEqual({
		remedy: 'unlockRecord',
		description: 'The service gave code 402.',
	});
	expect(advice(401, 101)).toEqual({
		remedy: 'checkAccount',
		description: 'The service gave code 101.',
	});
	expect(advice(503, 202).description).toBe(
		'The service gave code 202. It is overloaded or in maintenance. Try again later.',
	);
});

describe('HTTP statuses and codes', () => {
	it('code 402 is a lock, HTTP status 402 is not', () => {
		const locked = refusalOf(() => writeAnswer(answer({ status: 'ERROR', code: 402 }, 402)));
		const failed = refusalOf(() => writeAnswer(answer({ msg: 'Failed' }, 402)));
		expect([locked.kind, failed.kind]).toEqual(['locked', 'refused']);
		expect(failed.message).not.toContain('locked');
	});

	it('if there are a code and an HTTP status, the code decides', () => {
		const kind = (status: number, code: number) =>
			refusalOf(() => readAnswer(answer({ status: 'ERROR', code, msg: '' }, status))).kind;
		expect(kind(401, 106)).toBe('noAccess');
		expect(kind(500, 204)).toBe('tooFrequent');
		expect(kind(401, 302)).toBe('sessionExpired');
		expect(kind(404, 404)).toBe('notFound');
		expect(kind(404, 102)).toBe('refused');
		expect(kind(503, 202)).toBe('server');
		expect(kind(429, 202)).toBe('tooFrequent');
	});
});

describe('how long to wait', () => {
	const seconds = (header?: string) => {
		const headers = header === undefined ? undefined : { 'retry-after': header };
		return refusalOf(() => readAnswer(answer('', 503, headers))).retryAfterSeconds;
	};

	it('the delay is read from a Retry-After header with a date', () => {
		jest.useFakeTimers({ now: new Date('2026-01-31T10:00:00Z') });
		expect(seconds('Sat, 31 Jan 2026 10:00:30 GMT')).toBe(30);
		expect(seconds('Sat, 31 Jan 2026 09:00:00 GMT')).toBe(0);
		jest.useRealTimers();
	});

	it('the delay may have a fraction', () => {
		expect([seconds('1.5'), seconds(' 0.2 '), seconds('3')]).toEqual([1.5, 0.2, 3]);
	});

	it('the delay is counted from the Date header of the answer, not from the clock of n8n', () => {
		jest.useFakeTimers({ now: new Date('2026-01-31T13:00:00Z') });
		const headers = {
			...{ date: 'Sat, 31 Jan 2026 10:00:00 GMT' },
			'retry-after': 'Sat, 31 Jan 2026 10:00:30 GMT',
		};
		const refusal = refusalOf(() => readAnswer(answer('', 503, headers)));
		expect(refusal.retryAfterSeconds).toBe(30);
		jest.useRealTimers();
	});

	it('there is no delay without a Date header, or for an invalid one', () => {
		for (const header of [undefined, '', 'soon', '-5 apples', 'NaN', '-1', '1.5.2']) {
			expect(seconds(header)).toBeUndefined();
		}
	});
});

describe('an error response', () => {
	it('an error contains neither headers nor the body of the answer', () => {
		const body = { status: 'ERROR', code: 1, data: 'abc' };
		const refusal = refusalOf(() => readAnswer(answer(body, 500, { 'set-cookie': 'abc' })));
		expect(JSON.stringify(refusal)).not.toContain('abc');
	});
});
