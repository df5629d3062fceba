import { noChanges, type FieldValue } from '../../../../nodes/api/write/recordContent';
import { notesOn } from '../../../../nodes/api/write/savedValues';
import { jsonObject } from '../jsonObject';

describe('a value that was sent', () => {
	const isNamed = (saved: unknown, sent: FieldValue, isShifted = false) => {
		const shown = jsonObject(
			JSON.stringify({ 2: 'other', ...(saved === undefined ? {} : { 1: saved }) }),
		);
		const changes = { ...noChanges(), fields: new Map([['1', sent]]) };
		return notesOn(shown, { changes }, isShifted).length > 0;
	};

	it.each<[unknown, FieldValue]>([
		['1,234.50', 1234.5],
		['0.3', 0.1 + 0.2],
		['2031/01/31', '2031/01/31 10:00:00'],
		['2031/01/31 10:00', '2031/01/31 10:00:41'],
		['Yes', true],
		['a', ' a\n'],
		[
			['b', 'a'],
			['a', 'b'],
		],
		['a, b', ['a', 'b']],
		[['a'], 'a'],
		[['', 'kq2Ab@a.pdf'], 'kq2Ab@a.pdf'],
		['<b>x</b><br>y', '[b]x[/b]\ny'],
		['&lt;b&gt;', '<b>'],
		['***', 'secret'],
		['***', '***'],
		[null, ''],
		[undefined, ''],
		[[], ''],
	])('is kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(false);
	});

	it.each<[unknown, FieldValue]>([
		['', 'x'],
		[undefined, 'x'],
		['default', ''],
		['default', '***'],
		['long te', 'long text'],
		['X', 'x'],
		['12.3', 12.34],
		[['a'], ['a', 'b']],
		['a', ['a', 'b']],
		['2031/01/31 18:00:00', '2031/01/31 10:00:00'],
	])('is not kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(true);
	});

	it.each([
		['html', '[b]x[/b]\ny', '<b>x</b><br>y', false],
		[
			'html',
			'[url=https://a.example]x &amp; y[/url]',
			'<a href="https://a.example">x & y</a>',
			false,
		],
		['html', '[b]x[/b] <y> & z', '<b>x</b> &lt;y&gt; &amp; z', false],
		['html', 'x <y>', 'x &lt;y&gt;', false],
		['html', '<b>x</b>', '<i>x</i>', true],
		['html', 'First line\nSecond', '<b>new</b>', true],
		['html', '[b]x[/b]', '<b>x</b> &amp; y', true],
		['masked', '****', '****', false],
		['masked', 'Open', '***', true],
		['masked', 'Open', undefined, false],
		['masked', '', undefined, true],
	] as const)('or left out (%s), where the record holds %j: %j', (reason, saved, value, named) => {
		const note = { name: 'One', fieldId: '1', reason, value };
		const shown = jsonObject(JSON.stringify({ 1: saved }));
		expect(notesOn(shown, { changes: noChanges(), notes: [note] }).length > 0).toBe(named);
	});

	it('is not compared with a time of another zone, nor with what is not keyed by ids', () => {
		expect(isNamed('2031/01/31 18:00:00', '2031/01/31 10:00:00', true)).toBe(false);
		const changes = { ...noChanges(), fields: new Map([['1', 'x']]) };
		for (const saved of [undefined, jsonObject('{"Remark":"y"}')]) {
			expect(notesOn(saved, { changes })).toEqual([]);
		}
	});
});
