import type { INodeParameters } from 'n8n-workflow';
import { empty, orders } from '../../service';
import { onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const values = { [fields.customerNumber]: 'C-0001', [fields.remark]: 'Hello' };
const create = { ...onOrders('create'), ...asJson(values) };
const inEmpty = { operation: 'create', sheet: sheet(empty) };

describe('the answer to a create', () => {
	it('a create returns the saved record, with values that the service filled in', async () => {
		const result = await testbed.runById(create);
		expect(result.records).toEqual(['301 #0']);
		expect(result.json[0]).toMatchObject({
			...{ _title: 'SO-00301', [fields.orderNumber]: 'SO-00301' },
			...{ [fields.remark]: 'Hello', [fields.workflowStamp]: 'Checked for member' },
		});
		expect(result.json[0]).not.toHaveProperty('_warning');
		expect(testbed.writes).toHaveLength(1);
	});

	it('a create by the path of a record warns that it may have changed the record', async () => {
		const path = `${orders.path}/${orders.index}/5`;
		const byPath = { ...create, sheet: { __rl: true, mode: 'path', value: path } };
		const { json } = await testbed.runById(byPath);
		expect(json[0]?._warning).toMatch(
			new RegExp(`^The path ${path} may be that of record 5 of the sheet .*: then this record was`),
		);
		expect(testbed.order(5).text(fields.remark)).toBe('Hello');
	});

	it('a create returns the ID and the answer if the service sends no record', async () => {
		testbed.service.switches.answerCarriesData = false;
		const result = await testbed.runById(create);
		expect(result.records).toEqual(['301 #0']);
		expect(result.json).toMatchObject([{ status: 'SUCCESS', rv: '0' }]);
		expect(testbed.writes).toHaveLength(1);
	});

	describe.each([true, false])('with the record or without: %s', (answerCarriesData) => {
		beforeEach(() => Object.assign(testbed.service.switches, { answerCarriesData }));

		it('a create reports a warning of the service', async () => {
			testbed.service.switches.writeWarning = 'Stock is low';
			const { json } = await testbed.runById(create);
			expect(json).toMatchObject([{ _recordId: 301, _warning: 'Stock is low' }]);
		});

		it('a create decodes HTML entities in a warning once', async () => {
			testbed.service.switches.writeWarning =
				'A &amp; B &#60;&#x201C;&amp;lt;&quot;&nbsp;&unknown;';
			const { json } = await testbed.runById(create);
			expect(json).toMatchObject([{ _warning: 'A & B <“&lt;" &unknown;' }]);
		});

		it.each(['&nbsp;', '&#160;&#xA0;', ' '])(
			'a create ignores an empty warning and message: "%s"',
			async (words) => {
				Object.assign(testbed.service.switches, { writeWarning: words, writeMessage: words });
				const { json } = await testbed.runById(create);
				expect(json).toMatchObject([{ _recordId: 301 }]);
				expect(json[0]).not.toHaveProperty('_warning');
				expect(json[0]?.msg ?? '').toBe('');
			},
		);

		it('a create hides a warning that contains a secret, also one spelled with HTML entities', async () => {
			const { apiKey } = testbed.service.identities.member;
			const spelled = [...apiKey].map((letter) => `&#${letter.charCodeAt(0)};`).join('');
			for (const secret of [apiKey, spelled]) {
				testbed.service.switches.writeWarning = `Key ${secret} is old`;
				const { json } = await testbed.runById(create);
				expect(json[0]?._warning).toContain('is redacted');
			}
		});

		it('a create accepts the answer in the format of the other dialect', async () => {
			testbed.service.switches.dialect = 'ragic';
			expect((await testbed.runById(create, [{}, {}])).records).toEqual(['301 #0', '302 #1']);
		});

		it('a create accepts the ID under the key of records', async () => {
			testbed.service.switches.answerId = 'asInRecords';
			expect((await testbed.runById(create, [{}, {}])).records).toEqual(['301 #0', '302 #1']);
		});

		it('a create accepts 0 as a record ID', async () => {
			const result = await testbed.runById({ ...inEmpty, ...asJson({ Title: 'The first' }) });
			expect(result.records).toEqual(['0 #0']);
			expect(testbed.service.data.record(empty, 0).text(empty.fields.title)).toBe('The first');
		});
	});

	it('a create accepts a record keyed by its new ID, without a status, and returns its ID and values', async () => {
		testbed.service.switches.createAnswer = 'recordById';
		testbed.service.switches.keysBesideRecords = true;
		const result = await testbed.runById(create);
		expect(result.records).toEqual(['301 #0']);
		expect(result.json[0]).toMatchObject({ _title: 'SO-00301', [fields.remark]: 'Hello' });
		expect(result.json[0]).not.toHaveProperty('_warning');
		expect(testbed.writes).toHaveLength(1);
	});

	it.each([
		{ answer: 'has a status', body: '{"status":"WARNING","301":{"_ragicId":301}}' },
		{ answer: 'has several records', body: '{"300":{"_ragicId":300},"301":{"_ragicId":301}}' },
		{ answer: 'has a record of another ID', body: '{"301":{"_ragicId":17}}' },
		{ answer: 'has no record', body: '{}' },
		{ answer: 'has another property next to the record', body: '{"301":{},"msg":"Not saved"}' },
	])('a create without SUCCESS is an error when it $answer', async ({ body }) => {
		testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
		const result = await testbed.runById(create);
		expect(result.error?.message).toContain('The service did not confirm the change');
		expect(testbed.writes).toHaveLength(1);
	});

	it('a create returns the ID of an answer that is keyed by the ID and contains field names', async () => {
		const body = '{"301":{"_ragicId":301,"Remark":"Hello","warning":"a field"}}';
		testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
		const result = await testbed.runById(create);
		expect(result.records).toEqual(['301 #0']);
		expect(result.json[0]).not.toHaveProperty('_warning');
	});

	it('an answer without a record is an error which says that a record may have been created', async () => {
		const when = ({ method }: { method: string }) => method === 'POST';
		testbed.inject({ kind: 'body', body: '{"status":"SUCCESS","rv":"0"}', when });
		const result = await testbed.runById(create);
		expect(result.error?.message).toContain('did not say which');
		expect(testbed.writes).toHaveLength(1);
	});
});

it.each<[INodeParameters, string]>([
	[{}, 'api'],
	[{ clearEmpty: true }, 'api'],
	[{ doFormula: true, doWorkflow: false }, 'api&doFormula=true&doWorkflow=false'],
	[{ doFormula: false, doWorkflow: true }, 'api&doFormula=false&doWorkflow=true'],
	[{ doDefaultValue: true, notification: false }, 'api&doDefaultValue=true&notification=false'],
	[{ doDefaultValue: false, notification: true }, 'api&doDefaultValue=false&notification=true'],
	[{ doLinkLoad: 'true' }, 'api&doLinkLoad=true'],
	[{ doLinkLoad: 'false' }, 'api&doLinkLoad=false'],
	[{ doLinkLoad: 'first' }, 'api&doLinkLoad=first'],
	[{ doLinkLoad: true }, 'api&doLinkLoad=true'],
	[{ doValidation: true, timeZone: 8 }, 'api&doValidation=true&tz=8'],
	// The service accepts only `true`.
	[{ doValidation: false, timeZone: 0 }, 'api&tz=0'],
	[{ timeZone: -3.5, version: '2025-01-01' }, 'api&tz=-3.5&version=2025-01-01'],
])('the options %j are sent as %s', async (options, query) => {
	const result = await testbed.runById({ ...create, options });
	expect(result.status).toBe('success');
	expect(testbed.writes.map(({ rawUrl }) => rawUrl.split('?')[1])).toEqual([query]);
});

it('an invalid value is rejected with the option Validate, and an empty required field also without it', async () => {
	const options = { doValidation: '={{ $itemIndex === 0 }}' };
	const parameters = { ...onOrders('create'), ...asJson('={{ $json }}'), options };
	const result = await testbed.runAllById(parameters, [
		{ [fields.customerNumber]: 'C-0001', [fields.total]: 'much' },
		{ [fields.remark]: 'No customer' },
	]);
	testbed.expectErrors(result, ['Total', /was not saved.*Customer Number/]);
	expect(testbed.orders.records.size).toBe(300);
});

it('a create without write permission is rejected with code 106', async () => {
	const { error } = await testbed.runById(create, [{}], testbed.as('reader'));
	expect(error?.message).toContain('No access right');
	expect(error?.description).toContain('Tried 2 times');
	expect(testbed.orders.records.size).toBe(300);
});

it('a create on a sheet that does not accept POST is rejected with code 104, and the error says what to check', async () => {
	testbed.orders.acceptsPost = false;
	const { error } = await testbed.runById(create);
	expect(error?.message).toContain('Cannot POST data to a custom form');
	expect(error?.description).toContain('code 104. Choose another sheet');
	expect(testbed.writes).toHaveLength(1);
	expect(testbed.orders.records.size).toBe(300);
});

it('an error response whose message is only &nbsp; adds no text to the error', async () => {
	const body = JSON.stringify({ status: 'ERROR', code: 202, msg: '&nbsp;' });
	testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
	const { error } = await testbed.runById(create);
	expect(error?.message).toBe('Error executing the request');
});
