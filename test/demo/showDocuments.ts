import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readBinary, type RunResult } from '../engine/runner';
import { cellsOfWorkbook, textOfPdf } from '../documentReaders';
import { orders, type ReferenceService } from '../service';
import { claim, type Claim } from './claim';
import { print } from './display';
import { show } from './observedRun';

const orderId = 7;

/** Exports an order, writes the documents into a folder, and checks them. Answers the exit code. */
export async function showDocuments(): Promise<number> {
	return await show('test/workflows/documents.json', (service) => ({
		title: 'with files that you can open',
		claims: async ({ result }) => {
			await writeDocuments(result);
			return await documentClaims(result, service);
		},
	}));
}

async function writeDocuments(result: RunResult): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'sheet-records-demo-'));
	for (const node of ['As a PDF', 'As a Workbook']) {
		const path = join(folder, String(outputOf(result, node)?.binary?.data?.fileName));
		writeFileSync(path, await contentOf(result, node));
		print(`Written: ${path}`);
	}
	print();
}

async function documentClaims(result: RunResult, service: ReferenceService): Promise<Claim[]> {
	const order = service.data.record(orders, orderId);
	const number = order.text(orders.fields.orderNumber);
	const pdf = await contentOf(result, 'As a PDF');
	const text = await textOfPdf(pdf);
	const cells = cellsOfWorkbook(await contentOf(result, 'As a Workbook'));
	const contract = [order.value(orders.fields.contract)].flat().filter((value) => value !== '');
	const stored = contract.map((value) => service.data.files.get(value)?.content.equals(pdf));
	return [
		claim(
			'The PDF opens in a reader and shows the order',
			['name', outputOf(result, 'As a PDF')?.binary?.data?.fileName, `Orders ${number}.pdf`],
			['number', text.includes(`Orders ${number}`), true],
			['total', text.includes(`Total: ${order.text(orders.fields.total)}`), true],
		),
		claim(
			'The workbook opens in a spreadsheet reader, with the order lines on a sheet of their own',
			['sheets', [...cells.keys()], ['Record', 'Order Lines']],
			['lines', cells.get('Order Lines')?.length, order.rows(orders.subtables.lines.id).size + 1],
		),
		claim(
			'The PDF is attached to the order, and downloaded again it is the same, byte for byte',
			['attached', stored, [true]],
			['downloaded', (await contentOf(result, 'Download It Again')).equals(pdf), true],
		),
	];
}

function outputOf(result: RunResult, node: string) {
	return result.outputs(node)[0];
}

async function contentOf(result: RunResult, node: string): Promise<Buffer> {
	return await readBinary(outputOf(result, node)?.binary?.data);
}
