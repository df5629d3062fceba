import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOfPdf } from '../documentReaders';
import { readBinary, type RunResult } from '../engine/runner';
import { orders, type ReferenceService } from '../service';
import { claim } from './claim';
import { print } from './display';
import { show, type Watching } from './observedRun';

const { fields, subtables } = orders;

/** Runs the example workflows in sequence until one fails. Returns the exit code. */
export async function showWorkflows(): Promise<number> {
	const parts = [
		['records', "in n8n's engine: orders from their creation to their deletion", watchRecords],
		['around', 'rows, a comment, a lock and a button of one order', watchAround],
		['massLock', 'with its progress as the editor shows it', watchMassLock],
		['documents', 'with files that you can open', watchDocuments],
	] as const;
	for (const [name, title, watch] of parts) {
		const exitCode = await show(`test/workflows/${name}.json`, title, watch);
		if (exitCode !== 0) return exitCode;
	}
	return 0;
}

function recordsOf({ data }: ReferenceService) {
	return [...data.sheet(orders).records.values()];
}

function contentsOf(service: ReferenceService): string {
	return JSON.stringify(recordsOf(service).map(({ id, values }) => [id, [...values]]));
}

function watchRecords(service: ReferenceService): Watching {
	const before = contentsOf(service);
	return {
		claims: (result) => {
			const outputValues = (node: string, key: string) =>
				result.outputs(node).map(({ json }) => json[key]);
			const three = ['DEMO-2', 'DEMO-1', 'DEMO-3'];
			return [
				claim(
					'Three orders were created; the service computed their totals, and listed them by these',
					['created', result.outputs('Create Orders').length, 3],
					['order', outputValues('List by Total', 'Reference'), three],
					['totals', outputValues('List by Total', 'Total'), ['1281.00', '98.00', '55.00']],
				),
				claim('All other orders are what they were', [
					'same',
					contentsOf(service) === before,
					true,
				]),
			];
		},
	};
}

function watchAround(service: ReferenceService): Watching {
	const order = service.data.record(orders, 100);
	return {
		claims: (result) => {
			const requests = service.requests.all();
			const [refusal] = result.outputs('Change Although Locked', 1);
			const rows = [...order.rows(subtables.lines.id).values()];
			return [
				claim(
					'Two rows were added to the order in one request, and its total was computed anew',
					[
						'rows',
						rows.map((row) => row.get(subtables.lines.fields.article)),
						['Desk lamp', 'Vase'],
					],
					['total', order.text(fields.total), '85.00'],
					['requests', requests.filter(({ rawUrl }) => rawUrl.includes('doFormula')).length, 1],
				),
				claim(
					'The lock refused the update: its item went to the error output, with the way out',
					['changed', result.outputs('Change Although Locked').length, 0],
					['said', /Record locked.*Unlock/s.test(String(refusal?.json.error)), true],
				),
			];
		},
	};
}

function watchMassLock(service: ReferenceService): Watching {
	// Limit the progress per request, so that a person can watch it on any machine.
	service.tasks.recordsPerLook = 200;
	const lockedIds = () => recordsOf(service).flatMap(({ id, locked }) => (locked ? [id] : []));
	const lockedBefore = lockedIds();
	const progress: string[] = [];
	return {
		onMessage: (_, data) => {
			const [message = ''] = /Task [^"\\]*/.exec(JSON.stringify(data)) ?? [];
			progress.push(message);
			print(`  ${message}`);
		},
		claims: (result) => {
			const listed = result.outputs('List 500 Orders').map(({ json }) => Number(json._recordId));
			const writes = service.requests.all().filter(({ method }) => method === 'POST');
			const expected = new Set([...lockedBefore, ...listed]);
			return [
				claim(
					'One request locked the 500 orders of the input items, and no other order',
					['requests', writes.length, 1],
					['locked', lockedIds().sort(), [...expected].sort()],
				),
				claim(
					'The progress was shown while it grew, and the end is told in a hint',
					['grew', progress.some((text) => /: RUNNING, [1-9]\d* of 500 records/.test(text)), true],
					[
						'hint',
						result.hints.map(({ message }) => message),
						['The task ended: 500 of 500 records, failures not reported'],
					],
				),
			];
		},
	};
}

function watchDocuments({ data }: ReferenceService): Watching {
	const order = data.record(orders, 7);
	const number = order.text(fields.orderNumber);
	return {
		claims: async (result) => {
			const pdf = await contentOf(result, 'As a PDF');
			const folder = mkdtempSync(join(tmpdir(), 'sheet-records-demo-'));
			const file = join(folder, `Orders ${number}.pdf`);
			writeFileSync(file, pdf);
			print(`Written: ${file}`);
			print();
			const text = await textOfPdf(pdf);
			const contract = [order.value(fields.contract)].flat().filter((value) => value !== '');
			return [
				claim(
					'The PDF opens in a reader and shows the order',
					['number', text.includes(`Orders ${number}`), true],
					['total', text.includes(`Total: ${order.text(fields.total)}`), true],
				),
				claim(
					'The PDF is attached to the order, and downloaded again it is the same, byte for byte',
					['attached', contract.map((value) => data.files.get(value)?.content.equals(pdf)), [true]],
					['downloaded', (await contentOf(result, 'Download It Again')).equals(pdf), true],
				),
			];
		},
	};
}

async function contentOf(result: RunResult, node: string): Promise<Buffer> {
	return await readBinary(result.outputs(node)[0]?.binary?.data);
}
