import { decodeHtmlEntities } from '../../../../nodes/api/values/htmlEntities';

it.each([
	{ text: 'a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos;', decoded: 'a & b <c> "d" \'e\'' },
	{ text: '&sol;&bsol;&plus;&equals;&percnt;&num;&lpar;&rcub;', decoded: '/\\+=%#(}' },
	{ text: '&nbsp;|&auml;&Auml;&szlig;&eacute;&yuml;', decoded: '\u00a0|äÄßéÿ' },
	{ text: '&#38;&#00038;&#128512;', decoded: '&&😀' },
	{ text: '&#x26;&#X0026;&#x2f;&#x1F600;', decoded: '&&/😀' },
	{ text: '&#x10FFFF;', decoded: '\u{10ffff}' },
	{ text: '&amp;amp; &amp;#38;', decoded: '&amp; &#38;' },
	{ text: '&unheardOf; &#x110000; &#; & &amp', decoded: '&unheardOf; &#x110000; &#; & &amp' },
])('the HTML entities in $text are decoded', ({ text, decoded }) => {
	expect(decodeHtmlEntities(text)).toBe(decoded);
});
