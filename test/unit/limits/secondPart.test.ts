import { Readable } from 'node:stream';
import { valueOrRefusal } from '../../../nodes/api/http/answer';
import { redactedText, redacting } from '../../../nodes/api/http/redaction';
import { ServiceError } from '../../../nodes/api/http/serviceError';
import { downloadStoredFile } from '../../../nodes/api/files/download';
import { boundedAnswer } from '../../../nodes/SheetRecords/run/toolAnswer';
import {
	checkDeletions,
	firstDeletionCheck,
	noteExisting,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { FakeService } from '../api/http/fakeService';

const characters = (count: number) => 'x'.repeat(count);

it('a field of more than 4,000 characters is left out if there are several items, and a shorter one is kept', () => {
	const items = [4_001, 3_900].map((count, id) => ({ json: { id, text: characters(count) } }));
	const [first, second, note] = boundedAnswer(items);
	expect([first?.json, Object.keys(second?.json ?? {})]).toEqual([{ id: 0 }, ['id', 'text']]);
	expect(note?.json._leftOut).toContain('text');
});

it('a message of the service loses what follows 4,000 characters', () => {
	const text = JSON.stringify({ status: 'ERROR', code: 202, msg: `${characters(4_000)}END` });
	const refusal = valueOrRefusal({ status: 200, headers: {}, text });
	if (!(refusal instanceof ServiceError)) throw new Error('It is no refusal');
	expect(refusal.message).toContain(characters(3_000));
	expect(refusal.message).not.toContain('END');
	expect(refusal.message.length).toBeLessThan(4_200);
});

it.each([
	[4, true],
	[6, false],
])('a secret below %d layers of percent escapes is recognized: %j', (layers, isRedacted) => {
	let words = 'secret/of+the=user';
	for (let layer = 0; layer < layers; layer++) words = encodeURIComponent(words);
	// Eight consecutive characters without an escape would be recognized in any case.
	expect(redacting([words], ['/+=/+=/+=/+='])(words)).toBe(words);
	let escaped = '/+=/+=/+=/+=';
	for (let layer = 0; layer < layers; layer++) escaped = encodeURIComponent(escaped);
	expect(redacting([escaped], ['/+=/+=/+=/+='])(escaped) === redactedText).toBe(isRedacted);
});

it('an error response that never ends is read up to a megabyte', async () => {
	let sent = 0;
	const endless = new Readable({
		read() {
			sent += 100_000;
			this.push(Buffer.from(`<html>${characters(99_994)}`));
		},
	});
	// The node asks for a session after the error response, and gets none.
	const refusal = { body: { status: 'ERROR', code: 106, msg: 'No rights' } };
	const service = new FakeService(({ url }) =>
		url.pathname === '/sims/file.jsp'
			? { raw: endless, headers: { 'content-type': 'text/html' } }
			: refusal,
	);
	const download = downloadStoredFile(await service.connect(), 'abc@a.pdf', async () => {});
	await expect(download).rejects.toBeInstanceOf(ServiceError);
	expect(sent).toBeLessThan(3_000_000);
});

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

function readerOf(ids: readonly string[]) {
	return {
		hasConditions: false,
		async *fetchIds() {
			await Promise.resolve();
			yield [...ids];
		},
		fetchRecord: async (id: string) =>
			await Promise.resolve(ids.includes(id) ? { id, content: new Map() } : undefined),
		fetchNewest: async () => await Promise.resolve([{ id: '1', content: new Map() }]),
	};
}

it('a check of 50,001 records ends with an error, and one of 50,000 does not', async () => {
	const check = firstDeletionCheck();
	await expect(checkDeletions(check, readerOf(idsUpTo(50_001)), 10, 1)).rejects.toThrow(
		'More than 50,000 records match',
	);
	await checkDeletions(check, readerOf(idsUpTo(50_000)), 10, 1);
	expect(check.known.size).toBe(50_000);
	noteExisting(check, '50001');
	expect(check.known.size).toBe(50_000);
});

it('the 1,001st deletion makes the node forget the first one, so only the first is not known when it is restored', async () => {
	const check = firstDeletionCheck();
	const all = idsUpTo(1_010);
	await checkDeletions(check, readerOf(all), 2_000, 1);
	for (let left = 1_001; left > 0; left -= 7) {
		const remaining = all.slice(1_001 - Math.max(0, left - 7));
		await checkDeletions(check, readerOf(remaining), 2_000, 2);
	}
	expect(check.deleted).toHaveLength(1_000);
	const [first = '', second = ''] = all;
	expect([noteExisting(check, first), noteExisting(check, second)]).toEqual([false, true]);
});
