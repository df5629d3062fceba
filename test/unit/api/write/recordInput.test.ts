import fc from 'fast-check';
import type { Field } from '../../../../nodes/api/sheet/fields';
import { hoursBetween, storedTime } from '../../../../nodes/api/values/dates';
import { looksRendered } from '../../../../nodes/api/values/text';
import { skipReason } from '../../../../nodes/api/write/recordInput';
import { richTextToHtml } from '../../../service/reading/fieldReader';

const field = (more: Partial<Field> = {}): Field => ({ fieldId: '1', name: 'A', ...more });

describe('values that are not written back', () => {
	it.each<[Partial<Field>, unknown, string | undefined]>([
		[{ readOnly: true }, 'x', 'filledIn'],
		[{ type: 'autoNumber' }, 'SO-1', 'filledIn'],
		[{}, 'kq2Ab@contract.pdf', 'file'],
		[{}, ['', 'kq2Ab@a.pdf', 'kq2Ab@b.png'], 'file'],
		[{}, ['kq2Ab@a.pdf', 'a word'], undefined],
		[{}, 'max.member@acme.example', undefined],
		[{ type: 'text' }, 'kq2Ab@contract.pdf', undefined],
		[{}, '****', 'masked'],
		[{ type: 'maskedText' }, '*', 'masked'],
		[{}, '**a**', undefined],
		[{}, 'Jane <jane@example.com>, <https://example.com/a>', undefined],
		[{}, '<br>', 'html'],
		[{}, '<hr/>', 'html'],
		[{}, '<a href="/x">x', 'html'],
		[{ type: 'richText' }, '<b>x</b>', 'html'],
		[{ type: 'richText' }, '[b]x[/b] <label>', undefined],
		[{ type: 'richText' }, 'a < b & c', undefined],
		[{ type: 'text' }, '<b>x</b>', undefined],
	])('the field %j with %j of an item that was read is left out: %s', (more, value, reason) => {
		expect(skipReason(field(more), value, { isRead: true })).toBe(reason);
	});

	it.each([
		[{}, '*', undefined],
		[{}, '**', undefined],
		[{ type: 'Masked Text' }, '*', 'masked'],
	])('the field %j with %j of an item that was not read: %s', (more, value, reason) => {
		expect(skipReason(field(more), value, { isRead: false })).toBe(reason);
	});
});

it('a text that rendering changes looks rendered', () => {
	const parts = fc.constantFrom('[b]', '[/b]', 'a', ' ', '<', '>', '&', '\n', '[url=x]', '[/url]');
	const markups = fc.array(parts, { maxLength: 12 }).map((list) => list.join(''));
	fc.assert(
		fc.property(markups, (markup) => {
			const html = richTextToHtml(markup);
			expect(html === markup || looksRendered(html)).toBe(true);
		}),
	);
});

it('a long text is scanned once', () => {
	for (const part of ['<a', '&a', '[/a', '<a ', '*', '@a.']) {
		const text = part.repeat(200_000);
		expect(looksRendered(text)).toBe(false);
		expect(skipReason(field({ type: 'richText' }), `${text} `, { isRead: true })).toBeUndefined();
	}
});

describe('times of another time zone', () => {
	const offsets = fc.integer({ min: -56, max: 56 }).map((quarters) => quarters / 4);

	it('times of another time zone are shifted by the hours between the stored and the returned times', () => {
		fc.assert(
			fc.property(offsets, (hours) => {
				const before = '2023/06/30 22:05:09';
				const read = storedTime(before, 0, -hours);
				expect(hoursBetween(before, read)).toBe(hours);
				expect(storedTime(read, 0, hours)).toBe(before);
			}),
		);
	});
});
