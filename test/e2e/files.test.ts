import type { IBinaryData } from 'n8n-workflow';

import { orders } from '../service';
import { chain, example, recordLocator, sheetRecords } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

beforeEach(() => testbed.service.reset());

/** A file of an item, from n8n's file store, as the editor shows it. */
async function contentOf(file: IBinaryData | undefined): Promise<Buffer> {
	expect(file?.id).toMatch(/^filesystem/);
	const answer = await testbed.editor.file(
		`/rest/binary-data?id=${encodeURIComponent(file?.id ?? '')}&action=download&fileName=file`,
	);
	expect(answer.status).toBe(200);
	return Buffer.from(await answer.arrayBuffer());
}

it('the example runs: documents of an order, one of them attached and downloaded', async () => {
	const execution = await testbed.run(example('documents'), credential);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const exported = await contentOf(execution.items('As a PDF')[0]?.binary?.data);
	expect(exported.toString('latin1')).toMatch(/^%PDF/);
	const downloaded = await contentOf(execution.items('Download It Again')[0]?.binary?.data);
	expect(downloaded.equals(exported)).toBe(true);
});

it('a file goes from a record into n8n, and from n8n into another record', async () => {
	const { data } = testbed.service;
	const stored = data.storeFile(
		'Vertrag für Süd.pdf',
		'application/pdf',
		Buffer.from('%PDF-1.7 …'),
	);
	data.record(orders, 1).set(fields.contract, [stored]);
	data.record(orders, 2).set(fields.contract, '');
	const execution = await testbed.run(
		chain(
			'Files',
			sheetRecords('Get', credential, { operation: 'get', recordId: recordLocator(1) }),
			sheetRecords('Download', credential, {
				resource: 'file',
				operation: 'download',
				fileValue: '={{ $json.Contract }}',
			}),
			sheetRecords('Upload', credential, {
				resource: 'file',
				operation: 'upload',
				recordId: recordLocator(2),
				fieldId: fields.contract,
			}),
		),
		credential,
	);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	const file = execution.items('Download')[0]?.binary?.data;
	expect([file?.fileName, file?.mimeType]).toEqual(['Vertrag für Süd.pdf', 'application/pdf']);
	expect((await contentOf(file)).toString()).toBe('%PDF-1.7 …');
	const uploaded = [data.record(orders, 2).value(fields.contract)].flat();
	expect(uploaded.map((value) => data.files.get(value)?.content.toString())).toEqual([
		'%PDF-1.7 …',
	]);
});
