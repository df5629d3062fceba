import type { Fault } from '../../service';
import { orders, salaries, startReferenceService } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import { exportOrder, report } from './documentTestbed';

const testbed = useRecordTestbed();

/** One of each format. */
const formats: Array<[string, ReturnType<typeof exportOrder>]> = [
	['xhtml', exportOrder(5, { format: 'xhtml' })],
	['pdf', exportOrder(5, { format: 'pdf' })],
	['xlsx', exportOrder(5, { format: 'xlsx' })],
	['mailMerge', exportOrder(5, { format: 'mailMerge', templateId: '3' })],
	['customPrint as pdf', exportOrder(5, report('pdf'))],
	['customPrint as png', exportOrder(5, report('png'))],
	['customPrint as docx', exportOrder(5, report('docx'))],
];

/** Runs into a refusal: no item, and the request was not repeated, or as often as is said. */
async function refusal(parameters: ReturnType<typeof exportOrder>, requests = 1) {
	const result = await testbed.run(parameters);
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	expect(testbed.service.requests.count).toBe(requests);
	return result.error;
}

function answerWith(body: string, type: string | undefined, more: Partial<Fault> = {}) {
	const headers = type === undefined ? undefined : { 'content-type': type };
	testbed.service.faults.inject({ kind: 'body', body, ...more, ...(headers && { headers }) });
}

describe.each(formats)('in place of a document (%s)', (_, parameters) => {
	it('an error as JSON is told in its own words', async () => {
		testbed.service.switches.documents = 'json';
		expect(await refusal(parameters)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('The template could not be filled in.'),
			context: { itemIndex: 0 },
		});
	});

	it('an error as JSON with an HTTP status is told, too', async () => {
		testbed.service.switches.documents = 'json';
		testbed.service.switches.errorTransport = 'httpStatus';
		expect((await refusal(parameters))?.message).toContain('could not be filled in');
	});

	it.each([
		['{}', 'application/json'],
		['[]', 'application/json'],
		['{}', 'text/plain'],
		['[]', 'application/octet-stream'],
		['\ufeff{"status":"ERROR","msg":"Full"}', 'application/octet-stream'],
		['null', 'application/json'],
		['-1', 'text/plain'],
		['The template is missing', 'text/plain;charset=UTF-8'],
		[' \r\n', 'text/plain'],
	])('%j as %s is none', async (body, type) => {
		answerWith(body, type);
		const error = await refusal(parameters);
		expect(error?.message).not.toContain('{');
		if (/missing/.test(body)) expect(error?.description).toContain('The template is missing');
	});

	it('an empty answer is none', async () => {
		testbed.service.switches.documents = 'empty';
		expect((await refusal(parameters))?.message).toContain('empty answer');
	});

	it('HTTP 204 is none', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 204 });
		expect((await refusal(parameters))?.message).toContain('empty answer');
	});

	it('HTTP 404 is none', async () => {
		testbed.service.switches.documents = 'http404';
		expect(await refusal(parameters)).toMatchObject({ httpCode: '404' });
	});

	it('a code for a missing record is told', async () => {
		expect(await refusal({ ...parameters, recordId: recordId(99_999) })).toMatchObject({
			message: expect.stringMatching(/record not found/i),
		});
	});
});

const otherFormats = formats.filter(([format]) => format !== 'xhtml');

describe.each(otherFormats)('in place of a document (%s)', (_, parameters) => {
	it('a web page is none', async () => {
		testbed.service.switches.documents = 'html';
		const error = await refusal(parameters);
		expect(error?.message).toContain('web page');
		expect(error?.description).toContain("'Sheets'");
	});
});

describe('a web page', () => {
	it('in place of a printable page is taken for it: nothing tells them apart', async () => {
		const page = '<!DOCTYPE html><title>Log in</title>';
		answerWith(page, 'text/html');
		const result = await testbed.run(exportOrder(5, { format: 'xhtml' }));
		expect(result.items).toHaveLength(1);
		expect((await readBinary(result.items[0]?.binary?.data)).toString()).toBe(page);
	});

	it.each(['application/octet-stream', 'application/pdf'])('is found out as %s', async (type) => {
		answerWith('\ufeff \n<!DOCTYPE html><title>Log in</title>', type);
		expect((await refusal(exportOrder(5)))?.description).toContain("'Log in'");
	});
});

describe('what cannot be asked for', () => {
	it.each([
		['no template', { format: 'mailMerge' }, "'Template ID' is empty"],
		['a template that is no number', { format: 'mailMerge', templateId: 'Letter' }, "'Letter'"],
		['a report without a template', { format: 'customPrint' }, "'Template ID' is empty"],
		['a template with more', { format: 'mailMerge', templateId: '3&x=1' }, "'3&x=1'"],
		['another format', { format: '={{ "docm" }}' }, "'docm'"],
		['another file format', report('={{ "gif" }}'), "'gif'"],
	])('is refused before anything is sent: %s', async (_, more, message) => {
		const result = await testbed.run(exportOrder(5, more));
		expect(result.error?.message).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});

	it.each([
		['an unknown template', exportOrder(5, { format: 'mailMerge', templateId: '99' }), '99'],
		['a sheet that is not there', exportOrder(1, { sheet: sheet({ ...orders, index: 8 }) }), '8'],
	])('is refused by the service: %s', async (_, parameters, message) => {
		expect((await refusal(parameters))?.message).toContain(message);
	});

	it('is refused by the service: a sheet without rights', async () => {
		const error = await refusal(exportOrder(1, { sheet: sheet(salaries) }), 2);
		expect(error?.message).toContain('access right');
	});

	it('is refused with a wrong key', async () => {
		const credentials = {
			sheetRecordsApi: { ...testbed.credentials().sheetRecordsApi, apiKey: 'x' },
		};
		const result = await testbed.run(exportOrder(5), [{}], { credentials });
		expect(result.error?.message).toContain('did not accept');
		expect(testbed.service.requests.count).toBe(1);
	});
});

it.each([
	['a format that there is not', { format: '={{ "docx" }}' }],
	['a name that no item can hold', { outputDataFieldName: '__proto__' }],
])('%s is refused before anything is asked', async (_, more) => {
	const { error } = await testbed.run(exportOrder(5, more));
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(testbed.service.requests.count).toBe(0);
});

describe('a document that is on its way', () => {
	it('is asked for again from its beginning when it breaks off', async () => {
		testbed.service.faults.inject({ kind: 'truncate' });
		const result = await testbed.run(exportOrder(5));
		expect(result.items).toMatchObject([{ json: { _recordId: 5 } }]);
		expect(testbed.service.requests.count).toBe(2);
	});

	it('is asked for again after HTTP 503', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 503, headers: { 'retry-after': '0' } });
		const result = await testbed.run(exportOrder(5));
		expect(result.items).toMatchObject([{ json: { _recordId: 5 } }]);
		expect(testbed.service.requests.count).toBe(2);
	});

	it('is asked for again after code 204', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":204,"msg":"Request frequency too high."}',
			headers: { 'retry-after': '0' },
		});
		const result = await testbed.run(exportOrder(5, { format: 'xlsx' }));
		expect(result.items).toMatchObject([{ json: { _recordId: 5 } }]);
	});

	it('may be sent on within the service, not to another host', async () => {
		const elsewhere = await startReferenceService({ demoRecords: 10 });
		try {
			const location = `/acme/sales/orders/1/6.pdf?api`;
			testbed.service.faults.inject({ kind: 'redirect', location });
			expect((await testbed.run(exportOrder(5))).status).toBe('success');
			testbed.service.faults.inject({
				kind: 'redirect',
				location: `${elsewhere.baseUrl}${location}`,
				body: 'moved',
			});
			const result = await testbed.run(exportOrder(5));
			expect(result.error?.message).toContain('another host');
			expect(elsewhere.requests.count).toBe(0);
		} finally {
			await elsewhere.close();
		}
	});
});
