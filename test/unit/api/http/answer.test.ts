import fc from 'fast-check';
import {
	buttonAnswer,
	httpAnswer,
	readAnswer,
	successAnswer,
	writeAnswer,
} from '../../../../nodes/api/http/answer';
import { plain } from '../../../../nodes/api/read/record';
import { outcomeIsUnknown } from '../../../../nodes/api/http/policies';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { everyEntryMatters } from '../../everyEntry';
import { thrown } from '../thrown';

const answer = (text: string, status = 200) => ({ status, headers: {}, text });
const json = (body: unknown) => answer(JSON.stringify(body));

const failureOf = (read: () => unknown) => thrown(ServiceError, read);

describe('an answer to a read', () => {
	it.each([
		...['{}', '{"2":{"1000001":"a"},"1":{}}', '[]', 'null', '"a text"', '5', '0', 'false', '""'],
		'{"code":200,"msg":"OK"}',
	])('readAnswer returns the JSON value: %s', (text) => {
		expect(plain(readAnswer(answer(text)))).toEqual(JSON.parse(text));
	});

	it('an answer of records only is never an error, with any content', () => {
		const names = fc.constantFrom('status', 'code', 'errorCode', 'msg', 'message');
		const words = fc.constantFrom('ERROR', 'INVALID', '106', 'FAILED', '-1');
		const contents = fc.dictionary(names, words);
		fc.assert(
			fc.property(fc.dictionary(fc.nat().map(String), contents), (records) => {
				expect(readAnswer(json(records))).toBeInstanceOf(Map);
			}),
		);
	});

	it.each([
		['a web page', '<html><head><title> Log in </title></head></html>', 'webPage'],
		['an empty text', '', 'malformed'],
		['half an answer', '{"1":{"1000001":"a"', 'malformed'],
		["the login's refusal", '-1', 'authentication'],
		['a record that was not saved', '{"status":"INVALID","code":202,"msg":"City"}', 'rejected'],
	])('readAnswer throws for %s', (_, text, kind) => {
		for (const read of [readAnswer, writeAnswer]) {
			expect(failureOf(() => read(answer(text)))).toMatchObject({ kind, details: { status: 200 } });
		}
	});
});

describe('an answer to a write', () => {
	it('an answer to a write without SUCCESS is a failure', () => {
		const bodies = fc.oneof(
			fc.string().map((status) => ({ status })),
			fc
				.constantFrom('INVALID', 'ERROR', 'FAILED', 'WARNING', 'SUCCESS ', 'SUCCES', 'OK', '')
				.map((status) => ({ status, svcId: 5, msg: 'Saved' })),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(bodies, (body) => {
				const status = Object(body).status;
				fc.pre(typeof status !== 'string' || status.toUpperCase() !== 'SUCCESS');
				expect(failureOf(() => writeAnswer(json(body)))).toBeInstanceOf(ServiceError);
			}),
			{ numRuns: 300 },
		);
	});

	it.each([{ read: writeAnswer }, { read: successAnswer }, { read: buttonAnswer }])(
		'$read.name does not take a word for success with an HTTP error for a confirmation',
		({ read }) => {
			const words = ['SUCCESS', 'WARN', 'warn'];
			const texts = words.map((status) => JSON.stringify({ status, msg: 'Sold out' }));
			for (const text of texts) {
				for (const status of [400, 401, 404, 500, 503]) {
					const failure = failureOf(() => read(answer(text, status)));
					expect(failure.details.status).toBe(status);
				}
			}
		},
	);

	it('an answer INVALID names the fields that the service named', () => {
		const invalid = json({ status: 'INVALID', code: 202, msg: 'Customer is required' });
		expect(failureOf(() => writeAnswer(invalid))).toMatchObject({
			kind: 'rejected',
			message: 'The record was not saved: Customer is required',
			details: { code: 202, serviceMessage: 'Customer is required' },
		});
		const encoded = json({ status: 'INVALID', msg: '&quot;Total&quot; &gt; 5 &amp; even&nbsp;' });
		expect(failureOf(() => writeAnswer(encoded)).message).toContain('"Total" > 5 & even');
		const silent = failureOf(() => writeAnswer(json({ status: 'INVALID' })));
		expect(silent.message).toBe('The record was not saved: a field is not valid');
	});

	it.each([
		['{}', 'it answered without a status'],
		['{"status":"QUEUED"}', 'it answered QUEUED'],
		['[]', 'it answered without a status'],
		['{"status":"WARNING","code":7,"msg":"Saved with warnings"}', 'Saved with warnings'],
	])(
		'an answer that neither confirms nor rejects a write leaves the outcome unknown: %s',
		(text, words) => {
			const failure = failureOf(() => writeAnswer(answer(text)));
			expect(failure.kind).toBe('unconfirmed');
			expect(failure.message).toBe(`The service did not confirm the change: ${words}`);
			expect(outcomeIsUnknown(failure)).toBe(true);
		},
	);

	it.each<[text: string, kind: string]>([
		['{"status":"FAILED","code":402,"msg":"Locked"}', 'locked'],
		['{"status":"ERROR","msg":"No"}', 'refused'],
	])('an error response means that the write was certainly not carried out: %s', (text, kind) => {
		const failure = failureOf(() => writeAnswer(answer(text)));
		expect(failure.kind).toBe(kind);
		expect(outcomeIsUnknown(failure)).toBe(false);
	});
});

describe('an unusable answer', () => {
	const descriptionOf = (text: string) =>
		failureOf(() => readAnswer(answer(text))).details.description;

	it('an unusable answer is quoted with its first words, with advice', () => {
		expect(descriptionOf('Service is\n  down')).toMatch(/^It says 'Service is down'\.$/);
		expect(descriptionOf(`a${' word'.repeat(100)}`)).toMatch(/^It says 'a( word){39} wor…/);
		expect(failureOf(() => readAnswer(answer(''))).details.remedy).toBe('checkProxy');
	});
});

describe("an answer of n8n's HTTP helper", () => {
	it.each([undefined, null, 'text', [], {}, { statusCode: 200, body: 5 }])(
		"an answer of n8n's HTTP helper without a body is an error when it is read: %p",
		(answered) => {
			expect(httpAnswer(answered)).toMatchObject({ headers: {}, text: '' });
			expect(failureOf(() => readAnswer(httpAnswer(answered))).kind).toBe('malformed');
		},
	);
});

describe('a page about maintenance', () => {
	const pages = [
		...['Maintenance', 'We are maintaining this', 'Temporarily unavailable', 'Temporarily offline'],
		...['Temporarily down', 'We will be right back', 'Service unavailable', 'Overloaded'],
		...['Out of service', 'Too many requests', 'Too many users', '系統維護中', '系统维护中'],
	].map((words) => answer(`<html><title>${words}</title></html>`));

	it.each(pages)('$text', (page) => {
		expect(failureOf(() => readAnswer(page)).message).toContain('seems to be in maintenance');
	});

	everyEntryMatters<{ readAnswer: typeof readAnswer }>(
		'nodes/api/http/answer.ts',
		(tested) => pages.map((page) => failureOf(() => tested.readAnswer(page)).message),
		{ isMeant: (name) => name === 'maintenanceWords' },
	);
});
