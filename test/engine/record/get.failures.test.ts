import type { OnError } from 'n8n-workflow';

import { orders, type Fault, type SeenRequest } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };

function asksFor(id: number): (request: SeenRequest) => boolean {
	return ({ path }) => path.endsWith(`/${id}`);
}

/** Reads orders 1, 2 and 3; the fault strikes whenever 2 is read. */
async function readThree(fault: Fault, onError?: OnError) {
	testbed.service.faults.inject({ times: 8, ...fault, when: asksFor(2) });
	return await testbed.run(getOrder, [{ id: 1 }, { id: 2 }, { id: 3 }], { onError });
}

type Details = { httpStatus: number; code?: number; msg?: string; description?: unknown };

/** Every way in which the service says no, and what n8n's users shall see of it. */
const refusals: Array<[name: string, fault: Fault, expected: Details]> = [
	...(
		[
			[101, 'Invalid account name: acne'],
			[102, 'Invalid path: /x'],
			[103, 'Invalid form index: 8'],
			[105, 'Authentication required before using the API.'],
			[106, 'No access right.'],
			[107, 'Resource bundle not found.'],
			[108, 'Error loading the requested form.'],
			[201, 'Error processing request parameters.'],
			[202, 'Error executing the request.'],
			[203, 'The POST request did not finish.'],
			[204, 'Request frequency too high.'],
			[301, 'The sid parameter or session has timed out.'],
			[302, 'The session has expired.'],
			[303, 'The account has expired.'],
			[304, 'The secret key is invalid.'],
			[403, 'Something that the specification does not list.'],
		] as const
	).map(([code, msg]): [string, Fault, Details] => [
		`code ${code} in a 200`,
		{
			kind: 'body',
			headers: { 'retry-after': '0' },
			body: JSON.stringify({ status: 'ERROR', code, msg }),
		},
		{ httpStatus: 200, code, msg },
	]),
	[
		'errorCode in place of code',
		{ kind: 'body', body: '{"status":"ERROR","errorCode":202,"msg":"No."}' },
		{ httpStatus: 200, code: 202, msg: 'No.' },
	],
	[
		'a code that is a text',
		{ kind: 'body', body: '{"status":"error","code":"202","msg":"No."}' },
		{ httpStatus: 200, code: 202, msg: 'No.' },
	],
	[
		'INVALID',
		{ kind: 'body', body: '{"status":"INVALID","code":202,"msg":"City is empty."}' },
		{ httpStatus: 200, code: 202, msg: 'City is empty.' },
	],
	[
		'an HTTP status beside a code',
		{ kind: 'status', status: 402, body: '{"status":"ERROR","code":202,"msg":"No."}' },
		{ httpStatus: 402, code: 202, msg: 'No.' },
	],
	...[400, 401, 402, 403, 405, 413].map((status): [string, Fault, Details] => [
		`HTTP ${status}`,
		{ kind: 'status', status, body: 'No.' },
		{ httpStatus: status },
	]),
	...[408, 429, 500, 502, 503, 504].map((status): [string, Fault, Details] => [
		`HTTP ${status}, again and again`,
		{ kind: 'status', status, headers: { 'retry-after': '0' } },
		{ httpStatus: status },
	]),
	[
		'a web page with status 200',
		{ kind: 'body', body: '<!DOCTYPE html><html><title>Please log in</title></html>' },
		{ httpStatus: 200, description: expect.stringContaining('Please log in') },
	],
	['a list in place of records', { kind: 'body', body: '[{"_svcId":2}]' }, { httpStatus: 200 }],
	['a text in place of records', { kind: 'body', body: '"done"' }, { httpStatus: 200 }],
	[
		'another record',
		{ kind: 'body', body: '{"3":{"_svcId":3}}' },
		{ httpStatus: 200, description: expect.stringContaining('sheet address') },
	],
	[
		'a refusal in a form of its own',
		{ kind: 'body', body: '{"error":{"message":"Out of order"}}' },
		{ httpStatus: 200, description: expect.stringContaining('Out of order') },
	],
	['a login refused', { kind: 'body', body: '-1' }, { httpStatus: 200 }],
	[
		'a redirect to another host',
		{ kind: 'redirect', location: 'https://elsewhere.example/acme/sales/orders/1/2?api' },
		{ httpStatus: 302, description: expect.stringContaining('Base URL') },
	],
];

describe.each(refusals)('%s', (_, fault, expected) => {
	it('stops the workflow with an error of its item', async () => {
		const result = await readThree(fault);
		expect(result.status).toBe('error');
		expect(result.items).toEqual([]);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/\S{3,}/),
			context: { itemIndex: 1 },
		});
		expect(testbed.reads.filter(asksFor(3))).toEqual([]);
	});

	it('goes to the error output, linked to its item, while the others go on', async () => {
		const result = await readThree(fault, 'continueErrorOutput');
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[1, { item: 0 }],
			[3, { item: 2 }],
		]);
		expect(result.errorItems).toEqual([
			expect.objectContaining({
				json: { id: 2, error: expect.stringMatching(/\S{3,}/) },
				pairedItem: { item: 1 },
			}),
		]);
		const { code, msg = '', description = expect.any(String) } = expected;
		const told = result.errorItems[0]?.json.error;
		expect(told).toMatch(code === undefined ? /./ : new RegExp(`\\bcode ${code}\\b`, 'i'));
		expect(told).toContain(msg);
		expect(told).toEqual(description);
	});

	it('stays on the regular output, in its place, on request', async () => {
		const result = await readThree(fault, 'continueRegularOutput');
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(result.items[1]?.json).toMatchObject({ details: expected });
		expect(Object.keys(result.items[1]?.json ?? {}).sort()).toEqual(['details', 'error']);
	});
});

describe('words', () => {
	async function errorOf(fault: Fault) {
		const { error } = await readThree(fault);
		return `${error?.message} ${error?.description}`;
	}

	it('tell a locked record from an HTTP 402', async () => {
		const locked = await errorOf({
			kind: 'body',
			body: '{"status":"ERROR","code":402,"msg":"Record locked."}',
		});
		expect(locked).toMatch(/locked.*Unlock/s);
		testbed.service.faults.clear();
		expect(await errorOf({ kind: 'status', status: 402 })).not.toMatch(/locked/i);
	});

	it('say what a refused key may be: copied incompletely', async () => {
		const fault: Fault = {
			kind: 'body',
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		};
		expect(await errorOf(fault)).toMatch(/No access right.*copied incompletely.*106/s);
	});

	it('do not repeat a meaning that the service gave itself', async () => {
		const fault: Fault = {
			kind: 'body',
			body: '{"status":"ERROR","code":102,"msg":"Invalid path: /sales/x"}',
		};
		expect((await readThree(fault)).error?.message).toBe('Invalid path: /sales/x');
	});

	it('count the attempts', async () => {
		const fault: Fault = { kind: 'status', status: 503, headers: { 'retry-after': '0' } };
		expect(await errorOf(fault)).toContain('Tried 5 times.');
	});
});
