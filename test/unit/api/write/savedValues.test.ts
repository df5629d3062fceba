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
		[null, ''],
	])('is kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(false);
	});

	it.each<[unknown, FieldValue]>([
		['', 'x'],
		['default', ''],
		['long te', 'long text'],
		['12.3', 12.34],
		[['a'], ['a', 'b']],
		['a', ['a', 'b']],
		['2031/01/31 18:00:00', '2031/01/31 10:00:00'],
	])('is not kept as %j: %j', (saved, sent) => {
		expect(isNamed(saved, sent)).toBe(true);
	});
});
