import { cellsOfWorkbook, recordIdInPicture, textOfLetter, textOfPdf } from '../../documentReaders';
import { orders } from '../../service';
import { readBinary, useBinaryMode } from '../runner';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { exportOrder, orderNumber, report } from './documentTestbed';

const testbed = useRecordTestbed();

beforeEach(() => (testbed.service.switches.dialect = 'standard'));
const { fields, templates } = orders;
const number = (id = 5) => orderNumber(testbed.service, id);

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

afterEach(async () => await useBinaryMode('filesystem'));

async function exported(parameters: Parameters<typeof exportOrder>[1]) {
	const result = await testbed.run(exportOrder(5, parameters));
	expect(result.error).toBeUndefined();
	const [item] = result.items;
	return { item, binary: item?.binary?.data, content: await readBinary(item?.binary?.data) };
}

describe('a document', () => {
	it.each(['filesystem', 'default'] as const)('a PDF opens and shows the record', async (mode) => {
		await useBinaryMode(mode);
		const { item, binary, content } = await exported({ format: 'pdf' });
		expect(item).toMatchObject({
			json: { _recordId: 5, fileName: `Orders ${number()}.pdf`, mimeType: 'application/pdf' },
			pairedItem: { item: 0 },
		});
		expect(binary).toMatchObject({
			fileName: `Orders ${number()}.pdf`,
			mimeType: 'application/pdf',
			fileExtension: 'pdf',
			fileType: 'pdf',
		});
		expect(binary).not.toHaveProperty('directory');
		const text = await textOfPdf(content);
		expect(text).toContain(`Orders ${number()}`);
		expect(text).toContain(testbed.order(5).text(fields.shippingLabel));
		expect(testbed.service.requests.all().map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/5.pdf?api',
		]);
	});

	it('a workbook opens and contains the record', async () => {
		const { binary, content } = await exported({ format: 'xlsx' });
		expect(binary).toMatchObject({ mimeType: excelType, fileName: `Orders ${number()}.xlsx` });
		const cells = cellsOfWorkbook(content);
		expect(cells.get('Record')).toContainEqual(['Order Number', number()]);
	});

	it('a printable page is HTML', async () => {
		const { binary, content } = await exported({ format: 'xhtml' });
		expect(binary).toMatchObject({
			mimeType: 'application/xhtml+xml',
			fileName: `Orders ${number()}.xhtml`,
		});
		expect(content.toString()).toContain(`<h1>Orders ${number()}</h1>`);
	});

	it('a mail merge opens', async () => {
		const { binary, content } = await exported({
			format: 'mailMerge',
			templateId: templates.mailMerge,
		});
		expect(binary).toMatchObject({ mimeType: wordType, fileName: `Orders ${number()}.docx` });
		expect(await textOfLetter(content)).toContain(`Letter 3 for ${number()}`);
		expect(testbed.readUrls).toEqual(['/acme/sales/orders/1/5.custom?api&cid=3']);
	});

	it('a report as PDF opens', async () => {
		const { binary, content } = await exported(report('pdf'));
		expect(binary).toMatchObject({ mimeType: 'application/pdf' });
		expect(await textOfPdf(content)).toContain(`Report 12 on ${number()}`);
		expect(testbed.readUrls).toEqual([
			'/acme/sales/orders/1/5.customprint?api&fileFormat=pdf&svcCustomPrintTemplateId=12',
		]);
	});

	it('a report as picture shows the record', async () => {
		const { binary, content } = await exported(report('png'));
		expect(binary).toMatchObject({ mimeType: 'image/png', fileType: 'image' });
		expect(recordIdInPicture(content)).toBe(5);
	});

	it('a report for a word processor opens', async () => {
		const { binary, content } = await exported(report('docx'));
		expect(binary).toMatchObject({ mimeType: wordType, fileName: `Orders ${number()}.docx` });
		expect(await textOfLetter(content)).toContain(`Report 12 on ${number()}`);
	});

	it('a custom print report is requested with the spelling of the parameter that the service uses', async () => {
		testbed.service.switches.dialect = 'ragic';
		const result = await testbed.run(
			exportOrder(5, report('pdf')),
			[{}],
			testbed.as('member', { serviceDialect: 'ragic' }),
		);
		expect(result.status).toBe('success');
		expect(testbed.readUrls).toEqual([
			'/acme/sales/orders/1/5.carbone?api&fileFormat=pdf&ragicCustomPrintTemplateId=12',
		]);
	});

	it.each([fields.customerName, 'Customer Name'])(
		'a custom print report is named by the ID of the field %s',
		async (fileNameFieldId) => {
			const result = await testbed.run(exportOrder(5, { ...report('pdf'), fileNameFieldId }));
			expect(result.status).toBe('success');
			expect(testbed.readUrls.at(-1)).toContain(`RefDomainId=${fields.customerName}`);
		},
	);

	it.each([
		{ dialect: 'ragic', suffix: 'carbone', idName: 'ragicCustomPrintTemplateId' },
		{ dialect: 'standard', suffix: 'customprint', idName: 'svcCustomPrintTemplateId' },
	] as const)(
		'a report has the $dialect spelling after an answer in that spelling, with the usual credential',
		async ({ dialect, suffix, idName }) => {
			testbed.service.switches.dialect = dialect;
			await testbed.run(onOrder('get', 5));
			testbed.service.requests.clear();
			const { binary, content } = await exported(report('pdf'));
			expect(binary).toMatchObject({ mimeType: 'application/pdf' });
			expect(await textOfPdf(content)).toContain(`Report 12 on ${number()}`);
			expect(testbed.readUrls).toEqual([
				`/acme/sales/orders/1/5.${suffix}?api&fileFormat=pdf&${idName}=12`,
			]);
		},
	);
});
