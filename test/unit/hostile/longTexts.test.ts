import { dispositionName } from '../../../nodes/api/values/fileNames';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { parseOrderedJson } from '../../../nodes/api/json/orderedJson';
import { secretDetector } from '../../../nodes/api/http/redaction';
import { parsePastedAddress, parseSheetPath } from '../../../nodes/api/values/sheetAddress';
import { withoutOuterSlashes } from '../../../nodes/api/values/text';
import { parseDelivery } from '../../../nodes/api/webhooks/delivery';
import { accountIn } from '../../../nodes/api/values/serviceAddress';

/** The texts are so long that an algorithm with quadratic time exceeds the time limit of a test. */
const length = 400_000;
const slashes = '/'.repeat(length);

/** Lets Jest detect a timeout, which it notices only when a test waits. */
async function lookAtClock(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('a long text takes linear time:', () => {
	it.each<[string, () => unknown, expected: unknown]>([
		['zeros behind a number', () => parseOrderedJson(`1.5${'0'.repeat(length)}`), 1.5],
		['slashes around', () => withoutOuterSlashes(`${slashes}a/b${slashes}`), 'a/b'],
		[
			'a key in a message',
			() => secretDetector([])(`authorization${' '.repeat(length)}x&p=${'&p='.repeat(length)}`),
			false,
		],
		[
			'escapes in a message',
			() => secretDetector(['b'.repeat(2_000), 'p&a/ss'])(`${'%25&amp;\\/'.repeat(length / 40)}x`),
			false,
		],
		['a long key', () => secretDetector([`${'ab'.repeat(5_000)}b`])('a'.repeat(length)), false],
		['a short key', () => secretDetector(['aaaaab'])('a'.repeat(length)), false],
		['a pasted address', () => accountIn(`host/${'b'.repeat(length)} x`), ''],
		['the head of a file', () => dispositionName(`a;${' '.repeat(16_000)}filename`), undefined],
	])('%s', async (_what, work, expected) => {
		expect(work()).toEqual(expected);
		await lookAtClock();
	});

	it.each([
		['slashes inside a path', () => parseSheetPath(`a${slashes}b`), /empty folder name/],
		['slashes inside an address', () => parsePastedAddress(`https://h/a${slashes}b`), /empty/],
		['strings that do not end', () => parseOrderedJson(`["${'\\"'.repeat(length)}`), /too early/],
		['backslashes', () => parseOrderedJson(`"${'\\'.repeat(length + 1)}"`), /too early/],
	])('%s', async (_what, work, message) => {
		expect(work).toThrow(message);
		await lookAtClock();
	});
});

describe('the content of a text is limited:', () => {
	it.each([
		['5,000,001 lists', () => parseOrderedJson(`[${'[],'.repeat(4_999_999)}[]]`), /too many/],
		['1,000,001 digits', () => parseOrderedJson('1'.repeat(1_000_001)), /too long/],
	])('%s are too many', (_what, work, message) => {
		expect(work).toThrow(message);
	});

	it('a delivery has fewer parts', () => {
		const read = (body: string) => atOnce(parseDelivery(body));
		const lists = (rest: number) =>
			`[${Array(10)
				.fill(`[${'[],'.repeat(rest)}[]]`)
				.join()}]`;
		expect(() => read(lists(99_997))).toThrow('something else than record ids');
		expect(() => read(lists(99_998))).toThrow('The body is not JSON');
	});

	it('an object of a delivery has fewer keys, but a list may have any number of elements', () => {
		const read = (data: string) =>
			atOnce(
				parseDelivery(
					`{"apname":"a","path":"b","sheetIndex":1,"eventType":"UPDATE","data":${data}}`,
				),
			);
		const record = (keys: number) => `[{${'"1":1,'.repeat(keys - 1)}"1":1}]`;
		expect(read(record(100_000)).records).toHaveLength(1);
		expect(() => read(record(100_001))).toThrow('The body is not JSON');
		expect(read(`[${'{},'.repeat(200_000)}{}]`).records).toHaveLength(200_001);
		expect(read(`[${'1,'.repeat(200_000)}1]`).records).toHaveLength(1);
	});
});
