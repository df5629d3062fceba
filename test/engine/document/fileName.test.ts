import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { exportOrder, report } from './documentTestbed';

const testbed = useRecordTestbed();

beforeEach(() => (testbed.service.switches.dialect = 'standard'));
const { fields } = orders;

const order = () => testbed.order(5);
const namedByRemark = { fileNameFieldId: fields.remark };

/** Returns the file name of the item and of its binary data. */
async function nameOf(parameters: Parameters<typeof exportOrder>[1]) {
	const result = await testbed.run(exportOrder(5, parameters));
	expect(result.error).toBeUndefined();
	const [item] = result.items;
	expect(item?.json.fileName).toBe(item?.binary?.data?.fileName);
	expect(item?.binary?.data?.directory).toBeUndefined();
	return item?.binary?.data?.fileName;
}

it('a report that is named after a field has a valid file name', async () => {
	order().set(fields.remark, '2024/03 Süßé 報告 🎉');
	expect(await nameOf(report('pdf', namedByRemark))).toBe('2024_03 Süßé 報告 🎉.pdf');
	expect(testbed.reads.map(({ query }) => query.at(-1))).toEqual([
		['fileNameRefDomainId', fields.remark],
	]);
});

it.each([
	['encoded', 'Süß "1" 🎉.pdf'],
	['rawUtf8', 'Süß "1" 🎉.pdf'],
] as const)('a name in the header is read in the format: %s', async (fileNameForm, fileName) => {
	testbed.service.switches.fileNameForm = fileNameForm;
	order().set(fields.remark, 'Süß "1" 🎉');
	expect(await nameOf(report('pdf', namedByRemark))).toBe(fileName);
});

describe('without a name in the header', () => {
	beforeEach(() => {
		testbed.service.switches.fileNameForm = 'none';
	});

	it('without a name in the header, the record ID names the file, without another request', async () => {
		expect(await nameOf({ format: 'xlsx' })).toBe('5.xlsx');
		expect(testbed.readUrls).toEqual(['/acme/sales/orders/1/5.xlsx?api']);
	});

	it('without a name in the header, the record is read to get the field that names the file', async () => {
		order().set(fields.remark, 'By field');
		expect(await nameOf({ format: 'xlsx', ...namedByRemark })).toBe('By field.xlsx');
		expect(testbed.readUrls).toEqual([
			'/acme/sales/orders/1/5?api&naming=EID&version=2025-01-01&subtables=0',
			'/acme/sales/orders/1/5.xlsx?api',
		]);
	});

	it('without a name in the header, the record is read after a report, too', async () => {
		order().set(fields.remark, 'By field');
		expect(await nameOf(report('png', namedByRemark))).toBe('By field.png');
	});

	it.each<[string[], string]>([
		[['', 'a1@one.txt', 'b2@two.txt'], 'a1@one.txt, b2@two.txt.xlsx'],
		[['', ''], '5.xlsx'],
	])('empty values of the field that names the file are left out: %j', async (values, name) => {
		order().set(fields.contract, values);
		expect(await nameOf({ format: 'xlsx', fileNameFieldId: fields.contract })).toBe(name);
	});

	it('a mail merge without a name in the header has the extension of its format', async () => {
		const parameters = { format: 'mailMerge', templateId: orders.templates.mailMerge };
		expect(await nameOf(parameters)).toBe('5.docx');
		testbed.inject({
			kind: 'body',
			body: '%PDF-1.4',
			headers: { 'content-type': 'application/octet-stream' },
		});
		expect(await nameOf(parameters)).toBe('5.pdf');
	});

	it('a mail merge that is named after a field has the extension of its format, although the value has a dot', async () => {
		order().set(fields.remark, 'Offer 1.2');
		const { mailMerge: templateId } = orders.templates;
		expect(await nameOf({ format: 'mailMerge', templateId, ...namedByRemark })).toBe(
			'Offer 1.2.docx',
		);
	});

	it.each(['text/html', 'text/plain', 'application/json'])(
		'a mail merge is named by its content, although the answer calls it %s',
		async (type) => {
			const archive = { body: 'PK\u0003\u0004', headers: { 'content-type': type } };
			testbed.inject({ kind: 'body', ...archive });
			const parameters = { format: 'mailMerge', templateId: orders.templates.mailMerge };
			expect(await nameOf(parameters)).toBe('5.docx');
		},
	);
});
