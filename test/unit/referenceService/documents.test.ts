import { orders } from '../../service';
import { useService } from './useService';

const { service, client } = useService({ demoRecords: 50 });

const order = '/acme/sales/orders/1/5';
const report = `${order}.customprint?fileFormat=pdf&svcCustomPrintTemplateId=12`;
const named = `${report}&fileNameRefDomainId=${orders.fields.remark}`;
const download = async (address: string) => await client().get(address);

// What is in documents, engine tests of the export hold.

it('a document does not show what is masked', async () => {
	const { text } = await download(`${order}.xhtml`);
	expect(text).toContain('<h1>Orders SO-00005</h1>');
	expect(text).not.toContain('Internal Margin');
});

describe('the name of a document', () => {
	const disposition = async () => (await download(named)).headers['content-disposition'];

	beforeEach(() => service().data.record(orders, 5).set(orders.fields.remark, 'Süß "1" 🎉'));

	it('is the value of the chosen field, of reports only', async () => {
		expect(await disposition()).toBe(
			`attachment; filename="file"; filename*=UTF-8''S%C3%BC%C3%9F%20%221%22%20%F0%9F%8E%89.pdf`,
		);
		for (const suffix of ['xhtml', 'pdf', 'xlsx', 'custom']) {
			const query = `cid=3&fileNameRefDomainId=${orders.fields.remark}`;
			const { headers } = await download(`${order}.${suffix}?${query}`);
			expect(headers['content-disposition']).toContain('SO-00005');
		}
	});

	it('has the form that the switch asks for', async () => {
		service().switches.fileNameForm = 'quoted';
		expect(await disposition()).toBe('attachment; filename="Süß \\"1\\" ?.pdf"');
		service().switches.fileNameForm = 'rawUtf8';
		const raw = Buffer.from('Süß \\"1\\" 🎉.pdf').toString('latin1');
		expect(await disposition()).toBe(`attachment; filename="${raw}"`);
		service().switches.fileNameForm = 'none';
		expect(await disposition()).toBeUndefined();
	});
});
