import { orders } from '../../service';
import type { Fault } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const update = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
	...asJson({ [fields.remark]: 'written' }),
};
const unknown = 'It is not known whether the change was made';

const remark = (id: number) => testbed.service.data.record(orders, id).text(fields.remark);

describe('a locked record', () => {
	/** Order 3 is locked. */
	const items = [{ id: 2 }, { id: 3 }, { id: 5 }];
	const checked = { ...update, options: { checkLock: true } };

	it('is changed without Check Lock', async () => {
		const result = await testbed.run(update, items);
		expect(result.status).toBe('success');
		expect(remark(3)).toBe('written');
	});

	it('is not changed with Check Lock: code 402 stops the workflow and tells how to go on', async () => {
		const before = remark(3);
		const result = await testbed.run(checked, items);
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('Record locked');
		expect(result.error?.description).toContain('402');
		expect(result.error?.description).toContain('Unlock');
		expect(result.error).toMatchObject({ context: { itemIndex: 1 } });
		expect([remark(2), remark(3)]).toEqual(['written', before]);
		expect(testbed.writes).toHaveLength(2);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'is told with its item with %s',
		async (onError) => {
			const result = await testbed.run(checked, items, { onError });
			const apart = onError === 'continueErrorOutput';
			const failed = apart ? result.errorItems[0] : result.items[1];
			expect(failed?.pairedItem).toEqual({ item: 1 });
			expect(failed?.json).toEqual(
				apart
					? { id: 3, error: expect.stringMatching(/Record locked.*\bcode 402\b/i) }
					: {
							error: expect.stringContaining('Record locked'),
							details: expect.objectContaining({ code: 402, httpStatus: 200 }),
						},
			);
			expect([remark(2), remark(5)]).toEqual(['written', 'written']);
		},
	);

	it('is told apart from HTTP 402', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 402 });
		const result = await testbed.run(update, [{ id: 2 }]);
		expect(result.error?.message).not.toContain('locked');
		expect(result.error).toMatchObject({ httpCode: '402' });
	});

	it('is recognised behind HTTP 402 as well', async () => {
		testbed.service.switches.errorTransport = 'httpStatus';
		const result = await testbed.run(checked, [{ id: 3 }]);
		expect(result.error?.message).toContain('Record locked');
	});
});

describe('other refusals', () => {
	it('a record that is not there', async () => {
		const result = await testbed.run(update, [{ id: 99999 }, { id: 2 }], {
			onError: 'continueErrorOutput',
		});
		expect(result.errorItems[0]?.json).toEqual({
			id: 99999,
			error: expect.stringMatching(/Record not found.*\bcode 404\b/i),
		});
		expect(result.items[0]?.pairedItem).toEqual({ item: 1 });
	});

	it('INVALID: a required field is cleared', async () => {
		const before = remark(2);
		const result = await testbed.run(
			{
				...update,
				...asJson({ [fields.customerNumber]: '', [fields.remark]: 'written' }),
				options: { clearEmpty: true },
			},
			[{ id: 2 }],
		);
		expect(result.error?.message).toContain('Customer Number');
		expect(remark(2)).toBe(before);
	});

	it.each(['PENDING', 'ERROR', 'INVALID', 'FAILED', 'OK'])(
		'the status %s: anything but SUCCESS is an error',
		async (status) => {
			testbed.service.faults.inject({ kind: 'body', body: JSON.stringify({ status, rv: '0' }) });
			const result = await testbed.run(update, [{ id: 2 }]);
			expect(result.status).toBe('error');
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('a reader', async () => {
		const result = await testbed.run(update, [{ id: 2 }], {
			credentials: testbed.credentials('reader'),
		});
		expect(result.error?.message).toContain('No access right');
	});
});

const unclear: Array<[string, Fault]> = [
	['reset', { kind: 'reset' }],
	['resetAfterWork', { kind: 'resetAfterWork' }],
	['truncate', { kind: 'truncate' }],
	['HTTP 500', { kind: 'status', status: 500 }],
	['HTTP 502', { kind: 'status', status: 502 }],
	['HTTP 503', { kind: 'status', status: 503 }],
	['a web page', { kind: 'body', body: '<html><title>Busy</title></html>' }],
];

it.each(unclear)('%s: an update is sent once, its outcome is unknown', async (_, fault) => {
	testbed.service.faults.inject({ ...fault, times: Infinity });
	const result = await testbed.run(update, [{ id: 2 }]);
	expect(result.status).toBe('error');
	expect(result.error?.description).toContain(unknown);
	expect(testbed.writes).toHaveLength(1);
	const wasDone = fault.kind === 'resetAfterWork' || fault.kind === 'truncate';
	expect(remark(2) === 'written').toBe(wasDone);
});

it.each<[string, Fault]>([
	['HTTP 429', { kind: 'status', status: 429 }],
	['code 204', { kind: 'body', body: '{"status":"ERROR","code":204,"msg":"Too frequent"}' }],
])('%s: an update is sent again', async (_, fault) => {
	testbed.service.faults.inject({ ...fault, headers: { 'retry-after': '0' }, times: 2 });
	const result = await testbed.run(update, [{ id: 2 }]);
	expect(result.status).toBe('success');
	expect(testbed.writes).toHaveLength(3);
	expect(remark(2)).toBe('written');
	const { history } = testbed.service.data.record(orders, 2);
	expect(history.filter(({ detail }) => detail === fields.remark)).toHaveLength(1);
});
