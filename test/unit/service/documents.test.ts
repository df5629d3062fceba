import { buffer } from 'node:stream/consumers';
import { Agent, FormData, request } from 'undici';
import { readFileSync } from 'node:fs';

import { cellsOfWorkbook, recordIdInPicture, textOfLetter, textOfPdf } from '../../documentReaders';
import { orders, recipes, salaries } from '../../service';
import { until } from '../../until';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();
const { templates } = orders;

let agent: Agent;
beforeAll(() => {
	agent = new Agent({ connect: { ca: readFileSync(service().caCertificatePath, 'utf8') } });
});
afterAll(async () => await agent.destroy());

/** The document as bytes: the client of the other tests reads answers as text. */
async function download(path: string, apiKey = service().identities.member.apiKey) {
	const answer = await request(`${service().baseUrl}/acme/${path}`, {
		dispatcher: agent,
		headers: { authorization: `Basic ${apiKey}` },
	});
	const content = await buffer(answer.body);
	return { status: answer.statusCode, headers: answer.headers, content };
}

const order = 'sales/orders/1/5';
const report = `fileFormat=pdf&svcCustomPrintTemplateId=${templates.customPrint}`;

describe('a record as a document', () => {
	const title = () => service().data.record(orders, 5).text(orders.fields.orderNumber);

	it('is a printable page', async () => {
		const { headers, content } = await download(`${order}.xhtml?api`);
		expect(headers['content-type']).toBe('application/xhtml+xml;charset=UTF-8');
		expect(content.toString()).toContain(`<h1>Orders ${title()}</h1>`);
	});

	it('is a PDF with all its fields', async () => {
		const { headers, content } = await download(`${order}.pdf?api`);
		expect(headers['content-type']).toBe('application/pdf');
		const text = await textOfPdf(content);
		expect(text).toContain(`Orders ${title()}`);
		expect(text).toContain(
			`Customer Number: ${service().data.record(orders, 5).text(orders.fields.customerNumber)}`,
		);
	});

	it('is a workbook, with its rows on a sheet of their own', async () => {
		const cells = cellsOfWorkbook((await download(`${order}.xlsx?api`)).content);
		expect([...cells.keys()]).toEqual(['Record', 'Order Lines']);
		expect(cells.get('Record')).toContainEqual(['Order Number', title()]);
		expect(cells.get('Order Lines')?.[0]).toEqual(['Article', 'Quantity', 'Unit Price', 'Amount']);
		expect(cells.get('Order Lines')).toHaveLength(2);
	});

	it('is a letter from a template', async () => {
		const { content } = await download(`${order}.custom?api&cid=${templates.mailMerge}`);
		expect(await textOfLetter(content)).toContain(`Letter 3 for ${title()}`);
	});

	it('is a report in three formats', async () => {
		const query = (format: string) =>
			`${order}.customprint?api&fileFormat=${format}&svcCustomPrintTemplateId=12`;
		expect(await textOfPdf((await download(query('pdf'))).content)).toContain('Report 12 on');
		expect(await textOfLetter((await download(query('docx'))).content)).toContain('Report 12 on');
		expect(recordIdInPicture((await download(query('png'))).content)).toBe(5);
	});

	it('needs no mark of an API request', async () => {
		expect((await download(`${order}.pdf`)).content.toString('latin1')).toMatch(/^%PDF/);
	});

	it('has the spelling of the dialect', async () => {
		service().switches.dialect = 'ragic';
		const ragic = `${order}.carbone?api&fileFormat=pdf&ragicCustomPrintTemplateId=12`;
		expect((await download(ragic)).content.toString('latin1')).toMatch(/^%PDF/);
		expect((await download(`${order}.customprint?api&${report}`)).status).toBe(404);
	});

	it('does not show what is masked', async () => {
		const { content } = await download(`${order}.xhtml?api`);
		expect(content.toString()).not.toContain('Internal Margin');
	});
});

describe('a document is refused', () => {
	it.each([
		['without a template', `${order}.custom?api`, 201],
		['from an unknown template', `${order}.custom?api&cid=99`, 201],
		['without a format', `${order}.customprint?api&svcCustomPrintTemplateId=12`, 201],
		[
			'in an unknown format',
			`${order}.customprint?api&fileFormat=gif&svcCustomPrintTemplateId=12`,
			201,
		],
		['named by an unknown field', `${order}.customprint?api&${report}&fileNameRefDomainId=7`, 201],
		['of a missing record', 'sales/orders/1/99999.pdf?api', 404],
		['of a missing sheet', 'sales/orders/8/1.pdf?api', 103],
		['without the right to see it', `${salaries.path}/${salaries.index}/1.pdf?api`, 106],
	])('%s', async (_, path, code) => {
		const { content } = await download(path);
		expect(JSON.parse(content.toString())).toMatchObject({ status: 'ERROR', code });
	});

	it('without identity', async () => {
		expect((await download(`${order}.pdf?api`, 'wrong')).status).toBe(401);
	});

	it('as the switch says', async () => {
		const { switches } = service();
		switches.documents = 'json';
		expect((await download(`${order}.pdf?api`)).content.toString()).toContain('"code":202');
		switches.documents = 'html';
		expect((await download(`${order}.pdf?api`)).headers['content-type']).toContain('text/html');
		switches.documents = 'empty';
		expect(await download(`${order}.pdf?api`)).toMatchObject({ status: 200, content: Buffer.of() });
		switches.documents = 'http404';
		expect((await download(`${order}.pdf?api`)).status).toBe(404);
	});

	it('in the middle', async () => {
		service().faults.inject({ kind: 'truncate' });
		await expect(download(`${order}.pdf?api`)).rejects.toThrow();
	});
});

describe('the name of a document', () => {
	const named = `${order}.customprint?api&${report}&fileNameRefDomainId=${orders.fields.remark}`;
	const disposition = async () => (await download(named)).headers['content-disposition'];

	beforeEach(() => service().data.record(orders, 5).set(orders.fields.remark, 'Süß "1" 🎉'));

	it('is the value of the chosen field', async () => {
		expect(await disposition()).toBe(
			`attachment; filename="file"; filename*=UTF-8''S%C3%BC%C3%9F%20%221%22%20%F0%9F%8E%89.pdf`,
		);
	});

	it('is chosen for reports only', async () => {
		for (const address of ['xhtml', 'pdf', 'xlsx', 'custom']) {
			const query = `api&cid=3&fileNameRefDomainId=${orders.fields.remark}`;
			const { headers } = await download(`${order}.${address}?${query}`);
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

	it('comes with the type that the switch asks for', async () => {
		service().switches.fileTypes = 'octetStream';
		expect((await download(named)).headers['content-type']).toBe('application/octet-stream');
		service().switches.fileTypes = 'none';
		expect((await download(named)).headers['content-type']).toBeUndefined();
	});
});

describe('files', () => {
	const fileAddress = (value: string) => `/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`;

	it('of any size are made while they are read', async () => {
		const value = service().data.generateFile('large.bin', 1_000_003);
		const reply = await client().get(fileAddress(value));
		expect(reply.headers['content-length']).toBe('1000003');
		expect(reply.headers['content-disposition']).toContain('large.bin');
	});

	it('that were uploaded lie on disk until the next reset', async () => {
		const body = new FormData();
		body.append(recipes.fields.photos, new Blob(['a photo']), 'dir/x@y "z".png');
		const path = addressOf(recipes, 0);
		await client().send('POST', path, service().identities.member, { body });
		const stored = [...service().data.files.values()].at(-1);
		expect(stored).toMatchObject({ name: 'dir/x@y %22z%22.png', size: 7 });
		expect(stored?.content.toString()).toBe('a photo');
		expect((await client().get(fileAddress(stored?.value ?? ''))).text).toBe('a photo');
		service().reset();
		expect(() => stored?.content).toThrow('ENOENT');
	});

	it('may stop in the middle', async () => {
		const value = service().data.generateFile('large.bin', 200_000);
		service().faults.inject({ kind: 'truncate' });
		await expect(client().get(fileAddress(value))).rejects.toThrow();
		service().faults.inject({ kind: 'truncateSilently' });
		const reply = await client().get(fileAddress(value));
		expect(reply.headers['content-length']).toBe('100000');
		service().faults.inject({ kind: 'stall' });
		service().requests.clear();
		const patience = new AbortController();
		const waiting = client().get(fileAddress(value), { signal: patience.signal });
		await until(() => service().requests.all()[0]?.status === 200);
		patience.abort();
		await expect(waiting).rejects.toThrow();
	});

	it('are not taken by a service that is deaf', async () => {
		service().faults.inject({ kind: 'deaf' });
		const body = new FormData();
		body.append(recipes.fields.photos, new Blob([Buffer.alloc(5_000_000)]), 'a.bin');
		const patience = new AbortController();
		const { signal } = patience;
		const path = addressOf(recipes, 0);
		const { member } = service().identities;
		const sending = client().send('POST', path, member, { body, signal });
		await until(() => service().requests.count === 1);
		patience.abort();
		await expect(sending).rejects.toThrow();
		expect(service().requests.all()[0]?.files).toEqual([]);
		expect(service().data.record(recipes, 0).value(recipes.fields.photos)).toBe('');
		expect(service().data.files.size).toBe(50);
	});
});
