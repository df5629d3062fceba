import { plainWords } from '../../../../nodes/api/values/plainWords';

it.each([
	{ message: 'Stock is low', words: 'Stock is low' },
	{ message: 'Tom &amp; Jerry&apos;s &quot;stock&quot;', words: 'Tom & Jerry\'s "stock"' },
	{ message: '1 &lt; 2 &gt; 0', words: '1 < 2 > 0' },
	{ message: '&#65;&#x42;&#x1F642;', words: 'AB🙂' },
	{ message: 'a&nbsp;b&#160;c', words: 'a b c' },
	{ message: '&amp;lt;b&amp;gt; &amp;amp;', words: '&lt;b&gt; &amp;' },
	{ message: 'Gr&ouml;&szlig;e', words: 'Größe' },
	{
		message: '&unknown; & &amp &#; &#xZZ; &#x110000;',
		words: '&unknown; & &amp &#; &#xZZ; &#x110000;',
	},
	{ message: '&nbsp;', words: '' },
	{ message: ' &#xA0;\n', words: '' },
	{ message: '', words: '' },
])('the message $message is $words as plain text', ({ message, words }) => {
	expect(plainWords(message)).toBe(words);
});
