import { dispositionName } from '../../../nodes/api/values/fileNames';
import { parseOrderedJson } from '../../../nodes/api/json/orderedJson';
import { secretDetector } from '../../../nodes/api/http/redaction';
import { parsePastedAddress, parseSheetPath } from '../../../nodes/api/values/sheetAddress';
import { withoutOuter } from '../../../nodes/api/values/text';
import { parseDelivery } from '../../../nodes/api/webhooks/delivery';
import { accountIn } from '../../../nodes/api/values/serviceAddress';

/**
 * Texts so long that a search which begins again at each of their characters takes longer than a test may:
 * each of these is worked off at once, or the test runs out of time.
 */
const length = 400_000;
const slashes = '/'.repeat(length);

/** A test whose time is up fails when it waits, not before. */
async function lookAtClock(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('a long text costs no more than its length:', () => {
	it.each<[string, () => unknown, expected: unknown]>([
		['zeros behind a number', () => parseOrderedJson(`1.5${'0'.repeat(length)}`), 1.5],
		['one character around', () => withoutOuter(`${slashes}a/b${slashes}`, '/'), 'a/b'],
		[
			'a key in a message',
			() => secretDetector([])(`authorization${' '.repeat(length)}x&p=${'&p='.repeat(length)}`),
			false,
		],
		[
			'escapes in a message',
			() => secretDetector(['b'.repeat(2_000), 'p&a/ss'])(`${'%25&amp;\\/'.repeat(length / 10)}x`),
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

describe('what a text may hold is bounded', () => {
	it.each([
		['5,000,001 lists', () => parseOrderedJson(`[${'[],'.repeat(4_999_999)}[]]`), /too many/],
		['1,000,001 digits', () => parseOrderedJson('1'.repeat(1_000_001)), /too long/],
	])('%s are too many', (_what, work, message) => {
		expect(work).toThrow(message);
	});

	it('and a delivery has fewer parts', () => {
		const body = (parts: number) => `[${'[],'.repeat(parts - 2)}[]]`;
		expect(() => parseDelivery(body(1_000_000))).toThrow('something else than record ids');
		expect(() => parseDelivery(body(1_000_001))).toThrow('The body is not JSON');
	});
});
