import {
	isBlank,
	isMasked,
	isReadable,
	looksRendered,
	percentDecoded,
	shortened,
	textOf,
	verbatimText,
	withoutOuterSlashes,
} from '../../../../nodes/api/values/text';

it.each([
	{ value: ' a b\n', text: 'a b', verbatim: ' a b\n' },
	{ value: 0, text: '0', verbatim: '0' },
	{ value: false, text: 'false', verbatim: 'false' },
	{ value: null, text: '', verbatim: '' },
	{ value: undefined, text: '', verbatim: '' },
	{ value: { a: 1 }, text: '', verbatim: '' },
	{ value: ['a'], text: '', verbatim: '' },
])('the text of $value is "$text", and verbatim "$verbatim"', ({ value, text, verbatim }) => {
	expect(textOf(value)).toBe(text);
	expect(verbatimText(value)).toBe(verbatim);
});

it.each([
	{ value: '*', masked: true },
	{ value: '*****', masked: true },
	{ value: '', masked: false },
	{ value: 'a*', masked: false },
	{ value: '*a', masked: false },
	{ value: ['*'], masked: false },
])('the value $value is a mask: $masked', ({ value, masked }) => {
	expect(isMasked(value)).toBe(masked);
});

it.each([
	...[{ value: undefined }, { value: null }, { value: '' }, { value: [] }].map((row) => {
		return { ...row, blank: true };
	}),
	...[{ value: 0 }, { value: false }, { value: ' ' }, { value: [''] }, { value: {} }].map((row) => {
		return { ...row, blank: false };
	}),
])('the value $value is blank: $blank', ({ value, blank }) => {
	expect(isBlank(value)).toBe(blank);
});

it.each([
	{ text: '//a/b/', without: 'a/b' },
	{ text: 'a//b', without: 'a//b' },
	{ text: 'a', without: 'a' },
	{ text: '///', without: '' },
])('$text without its outer slashes is $without', ({ text, without }) => {
	expect(withoutOuterSlashes(text)).toBe(without);
});

it.each([
	{ text: 'abc', maxLength: 3, short: 'abc' },
	{ text: 'abcd', maxLength: 3, short: 'abc…' },
])('$text in $maxLength characters is $short', ({ text, maxLength, short }) => {
	expect(shortened(text, maxLength)).toBe(short);
});

it.each([
	{ text: 'a line\nand a\ttab\r\n', readable: true },
	{ text: 'Größe 報告', readable: true },
	{ text: 'a\u0000b', readable: false },
	{ text: 'a\u0085b', readable: false },
	{ text: '\ufffd', readable: false },
])('$text is readable: $readable', ({ text, readable }) => {
	expect(isReadable(text)).toBe(readable);
});

it.each([
	{ value: 'a<br>b', rendered: true },
	{ value: '</p>', rendered: true },
	{ value: '<A HREF="x">', rendered: true },
	{ value: 'a &amp; b', rendered: true },
	{ value: '&#39;', rendered: true },
	{ value: '&#x2F;', rendered: true },
	{ value: '&frac14;', rendered: true },
	{ value: ['plain', '<b>x</b>'], rendered: true },
	{ value: 'a < b and b > c', rendered: false },
	{ value: '<1>', rendered: false },
	{ value: 'a & b;', rendered: false },
	{ value: '&#; &#x; &1;', rendered: false },
	{ value: '&#3', rendered: false },
	{ value: '[b]<i>x</i>[/b]', rendered: false },
	{ value: '[color]<i>x</i>[/COLOR]', rendered: false },
	{ value: '<i>[/1]</i>', rendered: true },
	{ value: ['plain'], rendered: false },
	{ value: 7, rendered: false },
])('the value $value looks like rendered rich text: $rendered', ({ value, rendered }) => {
	expect(looksRendered(value)).toBe(rendered);
});

it.each([
	{ text: '50%25%20%C3%A9', decoded: '50% é' },
	{ text: '50%', decoded: undefined },
	{ text: '%C3', decoded: undefined },
])('$text is $decoded after percent-decoding', ({ text, decoded }) => {
	expect(percentDecoded(text)).toBe(decoded);
});
