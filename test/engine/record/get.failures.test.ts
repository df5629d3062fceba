import { type Fault, type SeenRequest } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getOrder = onOrder('get');

const asksFor = (id: number) => (request: SeenRequest) =>
	request.path === `/acme/sales/orders/1/${id}`;
const attemptsAt = (id: number) => testbed.reads.filter(asksFor(id)).length;

const soon = { headers: { 'retry-after': '0' } };

/** Returns an error response of the service. */
function refusal(code: number | string, msg = 'No.'): Fault {
	return { kind: 'body', body: JSON.stringify({ status: 'ERROR', code, msg }), ...soon };
}

type Details = { httpStatus?: number; code?: number; msg?: string; description?: unknown };
const ok = { httpStatus: 200 };
const body = (text: string): Fault => ({ kind: 'body', body: text });
const saying = (text: string) => ({ ...ok, description: expect.stringContaining(text) });

/**
 * Error responses of the service: the number of attempts, and the details that n8n shows. More errors are tested in
 * `test/unit/api/http` and in `test/engine/faults`.
 */
const refusals: Array<[name: string, fault: Fault, attempts: number, visible: Details]> = [
	...[101, 102, 103, 105, 107, 108, 201, 202, 203, 301, 302, 303, 304, 403].map(
		(code): [string, Fault, number, Details] => [
			`code ${code} in a 200`,
			refusal(code, `Reason ${code}.`),
			1,
			{ ...ok, code, msg: `Reason ${code}.` },
		],
	),
	// The service may return it once for a valid key.
	['code 106', refusal(106), 2, { ...ok, code: 106, msg: 'No.' }],
	['HTTP 402 beside a code', { ...refusal(202), status: 402 }, 1, { httpStatus: 402, code: 202 }],
	...[400, 401, 402, 403, 405, 413].map((status): [string, Fault, number, Details] => [
		`HTTP ${status}`,
		{ kind: 'status', status, body: 'No.' },
		1,
		{ httpStatus: status },
	]),
	['a page', body('<!DOCTYPE html><html><title>Log in</title></html>'), 1, saying('Base URL')],
	['a list in place of records', body('[{"_svcId":2}]'), 1, ok],
	['a text in place of records', body('"done"'), 1, ok],
	['another record', body('{"3":{"_svcId":3}}'), 1, saying('sheet address')],
	['a form of its own', body('{"error":{"message":"Out of order"}}'), 1, saying('Out of order')],
];

it('an error of the service stays on the regular output, in its place, after the expected number of attempts', async () => {
	// After each failing item comes an item that is read.
	const ids = refusals.map((_, index) => index + 1);
	for (const [index, [, fault]] of refusals.entries()) {
		testbed.inject({ ...fault, times: Infinity, when: asksFor(index + 1) });
	}
	// Lists of records fail, too, so the records are read one by one.
	const isList = ({ path }: SeenRequest) => path === '/acme/sales/orders/1';
	testbed.inject({ ...refusal(202), times: Infinity, when: isList });
	const items = ids.flatMap((id) => [{ id }, { id: id + 100 }]);
	const result = await testbed.run(getOrder, items, { onError: 'continueRegularOutput' });
	expect(result.links).toEqual(items.map((_, item) => ({ item })));
	for (const [index, [name, , attempts, details]] of refusals.entries()) {
		const [failed, next] = result.items.slice(2 * index).map(({ json }) => json);
		expect([name, failed]).toEqual([
			name,
			{ error: expect.stringMatching(/\S{3,}/), details: expect.objectContaining(details) },
		]);
		expect([name, attemptsAt(index + 1), next?._recordId]).toEqual([name, attempts, index + 101]);
	}
});

it('a request with code 106 is sent a second time, which may succeed', async () => {
	testbed.inject(refusal(106));
	expect((await testbed.run(getOrder, [{ id: 2 }])).records).toEqual(['2 #0']);
	expect(attemptsAt(2)).toBe(2);
});

it.each<[string, Fault, RegExp]>([
	[
		'explains what may be wrong with a rejected key',
		refusal(106),
		/No\..*code 106.*copied incompletely/s,
	],
	['contains nothing twice', refusal(102, 'Invalid path: /x'), /^Invalid path: \/x (?!.*\/x)/],
])('an error message %s', async (_, fault, words) => {
	testbed.inject({ ...fault, times: 9 });
	const { error } = await testbed.run(getOrder, [{ id: 2 }]);
	expect(`${error?.message} ${error?.description}`).toMatch(words);
});
