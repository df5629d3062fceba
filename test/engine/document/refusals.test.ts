import { type Fault } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { exportOrder, report } from './documentTestbed';

const testbed = useRecordTestbed();

beforeEach(() => (testbed.service.switches.dialect = 'standard'));

const mailMerge = { format: 'mailMerge', templateId: '3' };

const formats: Array<[string, ReturnType<typeof exportOrder>]> = [
	['pdf', exportOrder(5, { format: 'pdf' })],
	['mailMerge', exportOrder(5, mailMerge)],
	['customPrint as pdf', exportOrder(5, report('pdf'))],
];

/** Runs a request that the service rejects. Expects no item, and the given number of requests. */
async function refusal(parameters: ReturnType<typeof exportOrder>, requests = 1) {
	const result = await testbed.run(parameters);
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	expect(testbed.service.requests.count).toBe(requests);
	return result.error;
}

describe.each(formats)('an answer in place of a document (%s)', (_, parameters) => {
	it('an error as JSON in place of a document is reported with the message of the service', async () => {
		testbed.service.switches.documents = 'json';
		expect(await refusal(parameters)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('The template could not be filled in.'),
			context: { itemIndex: 0 },
		});
	});
});

describe('an error status or code in place of a document', () => {
	it.each<[string, Fault]>([
		['an empty answer', { kind: 'body', body: '' }],
		['HTTP 204', { kind: 'status', status: 204 }],
	])('%s is an error, not a document', async (_, fault) => {
		testbed.inject(fault);
		expect((await refusal(exportOrder(5)))?.message).toContain('empty answer');
	});

	it('HTTP 404 and the code for a missing record are reported', async () => {
		expect((await refusal(exportOrder(99_999)))?.message).toMatch(/record not found/i);
		testbed.service.switches.documents = 'http404';
		testbed.service.requests.clear();
		expect(await refusal(exportOrder(5))).toMatchObject({ httpCode: '404' });
	});
});

describe('a login page in place of a printable page', () => {
	const page = (body: string) =>
		`<!DOCTYPE html><html><head><title>Acme</title></head><body>${body}</body></html>`;
	const asPage = exportOrder(5, { format: 'xhtml' });

	it('a page with a password field is an error', async () => {
		testbed.inject({ kind: 'body', body: page('<input type="password">') });
		expect((await refusal(asPage))?.message).toContain('a web page instead of data');
	});

	it('an error page after a redirect is an error, and the page of a record is none', async () => {
		const words = '<h1>Error report 5</h1>';
		testbed.inject({ kind: 'redirect', location: '/login' });
		testbed.inject({ kind: 'body', body: page(words) });
		expect((await refusal(asPage, 2))?.message).toContain('a web page instead of data');
		testbed.inject({ kind: 'body', body: page(words) });
		expect((await testbed.run(asPage)).error).toBeUndefined();
	});
});

describe('a custom print report in a spelling that the service does not know', () => {
	it.each([
		{ service: 'ragic', set: undefined, advice: /standard spelling.*'Service Dialect'.*'Ragic'/ },
		{ service: 'ragic', set: 'standard', advice: /standard spelling.*'Service Dialect'.*'Ragic'/ },
		{
			service: 'standard',
			set: 'ragic',
			advice: /Ragic's spelling.*'Service Dialect'.*'Standard'/,
		},
	] as const)(
		'a report in an unknown spelling is an error that names the setting: service $service, Service Dialect $set',
		async ({ service, set, advice }) => {
			testbed.service.switches.dialect = service;
			const credentials = testbed.as('member', set && { serviceDialect: set });
			const result = await testbed.run(exportOrder(5, report('pdf')), [{}], credentials);
			expect(result.items).toEqual([]);
			expect(result.error).toMatchObject({
				httpCode: '404',
				description: expect.stringMatching(advice),
			});
			expect(testbed.service.requests.count).toBe(1);
		},
	);

	it('a report in the detected spelling of Ragic is an error that names this spelling', async () => {
		testbed.service.switches.dialect = 'ragic';
		await testbed.run(onOrder('get', 5));
		testbed.service.switches.dialect = 'standard';
		const { error } = await testbed.run(exportOrder(5, report('pdf')));
		expect(testbed.readUrls.at(-1)).toContain('.carbone?');
		expect(error).toMatchObject({
			httpCode: '404',
			description: expect.stringMatching(/Ragic's spelling.*'Service Dialect'.*'Standard'/),
		});
	});

	it('a locked account is not reported as an unknown spelling', async () => {
		testbed.inject({ kind: 'status', status: 403, times: 9 });
		const { error } = await testbed.run(exportOrder(5, report('pdf')));
		expect(error?.description).not.toMatch(/Service Dialect/);
	});
});

describe('exports with invalid parameters', () => {
	it.each([
		['no template', { format: 'mailMerge' }, "'Template ID' is empty"],
		['a report without a template', { format: 'customPrint' }, "'Template ID' is empty"],
		['a field that no item can hold', { outputDataFieldName: '__proto__' }, '__proto__'],
	])('an export is rejected before anything is sent: %s', async (_, overrides, message) => {
		expect(await testbed.errorOf(exportOrder(5, overrides))).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});

	it.each([
		['an unknown template', exportOrder(5, { format: 'mailMerge', templateId: '99' }), '99'],
	])('an export is rejected by the service: %s', async (_, parameters, message) => {
		expect((await refusal(parameters))?.message).toContain(message);
	});
});
