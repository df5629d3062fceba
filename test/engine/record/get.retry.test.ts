import { orders, type Fault, type SeenRequest } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };

function asksFor(id: number): (request: SeenRequest) => boolean {
	return ({ path }) => path.endsWith(`/${id}`);
}

async function attemptsAt(id: number, fault: Fault): Promise<{ attempts: number; error?: string }> {
	testbed.service.faults.inject({ ...fault, when: asksFor(id) });
	const { error } = await testbed.run(getOrder, [{ id }]);
	return { attempts: testbed.reads.filter(asksFor(id)).length, error: error?.message };
}

const soon = { headers: { 'retry-after': '0' } };

it.each([
	['HTTP 408', { kind: 'status', status: 408, ...soon }],
	['HTTP 429', { kind: 'status', status: 429, ...soon }],
	['HTTP 500', { kind: 'status', status: 500, ...soon }],
	['HTTP 502', { kind: 'status', status: 502, body: '<html>Bad gateway</html>', ...soon }],
	['HTTP 503', { kind: 'status', status: 503, ...soon }],
	['HTTP 504', { kind: 'status', status: 504, ...soon }],
	[
		'code 204',
		{
			kind: 'body',
			body: '{"status":"ERROR","code":204,"msg":"Request frequency too high."}',
			...soon,
		},
	],
] satisfies Array<[string, Fault]>)(
	'%s passes: the fifth attempt may succeed',
	async (_, fault) => {
		expect(await attemptsAt(2, { ...fault, times: 4 })).toEqual({ attempts: 5 });
	},
);

it.each([
	['HTTP 400', { kind: 'status', status: 400 }],
	['HTTP 401', { kind: 'status', status: 401 }],
	['HTTP 402', { kind: 'status', status: 402 }],
	['HTTP 403', { kind: 'status', status: 403 }],
	['a web page', { kind: 'body', body: '<html>Please log in</html>' }],
	['code 201', { kind: 'body', body: '{"status":"ERROR","code":201,"msg":"Parameters."}' }],
	['code 404', { kind: 'body', body: '{"status":"ERROR","code":404,"msg":"Not found."}' }],
] satisfies Array<[string, Fault]>)('%s will not pass: it is asked once', async (_, fault) => {
	const { attempts } = await attemptsAt(2, { ...fault, times: 5 });
	expect(attempts).toBe(1);
});

it('code 106 may come once for a good key: it is asked about a second time, and no third', async () => {
	const body = '{"status":"ERROR","code":106,"msg":"No access right."}';
	expect(await attemptsAt(2, { kind: 'body', body })).toEqual({ attempts: 2 });
	testbed.service.requests.clear();
	expect(await attemptsAt(2, { kind: 'body', body, times: 5 })).toEqual({
		attempts: 2,
		error: 'No access right.',
	});
});

it('broken connections and broken answers pass after a moment', async () => {
	const faults: Array<Fault['kind']> = ['reset', 'resetAfterWork', 'truncate', 'truncateSilently'];
	faults.forEach((kind, index) =>
		testbed.service.faults.inject({ kind, when: asksFor(index + 1) }),
	);
	testbed.service.faults.inject({ kind: 'body', body: '', when: asksFor(5) });
	const ids = [1, 2, 3, 4, 5];
	const results = await Promise.all(ids.map((id) => testbed.run(getOrder, [{ id }])));
	expect(results.map(({ items }) => items.map(({ json }) => json._recordId))).toEqual(
		ids.map((id) => [id]),
	);
	expect(ids.map((id) => testbed.reads.filter(asksFor(id)).length)).toEqual([2, 2, 2, 2, 2]);
});

it('broken connections and broken answers that do not pass are told in words', async () => {
	const faults: Array<[number, Fault, string]> = [
		[1, { kind: 'reset' }, 'connection'],
		[2, { kind: 'truncate' }, 'connection'],
		[3, { kind: 'truncateSilently' }, 'incomplete'],
		[5, { kind: 'body', body: '' }, 'empty answer'],
	];
	for (const [id, fault] of faults) {
		testbed.service.faults.inject({ ...fault, times: 9, when: asksFor(id) });
	}
	const results = await Promise.all(
		faults.map(([id]) =>
			testbed.run(getOrder, [{ id }, { id: 6 }], { onError: 'continueErrorOutput' }),
		),
	);
	for (const [position, [id, , word]] of faults.entries()) {
		const result = results[position];
		expect(result?.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[6, { item: 1 }],
		]);
		expect(result?.errorItems).toEqual([
			expect.objectContaining({
				json: { id, error: expect.stringContaining(word) },
				pairedItem: { item: 0 },
			}),
		]);
		expect(testbed.reads.filter(asksFor(id))).toHaveLength(5);
	}
});
