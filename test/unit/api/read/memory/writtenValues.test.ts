import {
	bytesOf,
	normalForms,
	setWritten,
	writtenForms,
	type WrittenValues,
} from '../../../../../nodes/api/read/memory/writtenValues';

describe('the values that were written to a record', () => {
	it.each([
		{ returned: 'returned', forms: ['sent', 'returned'] },
		{ returned: null, forms: ['sent'] },
		{ returned: undefined, forms: ['sent'] },
	])('a value that is returned as $returned has the forms $forms', ({ returned, forms }) => {
		const written: WrittenValues = new Map();
		const saved = returned === undefined ? undefined : new Map([['7', returned]]);
		setWritten(written, [['7', 'sent']], saved);
		expect(writtenForms(written, '7')).toEqual(forms);
	});

	it('a returned mask does not replace the value that was written', () => {
		const written: WrittenValues = new Map();
		setWritten(written, [['7', 'value']]);
		setWritten(written, [['8', 'x']], new Map([['7', '****']]));
		expect(writtenForms(written, '7')).toEqual(['value']);
	});

	it.each([
		{ returned: 'B', forms: ['a', 'b'], of: 'one of the written choices' },
		{ returned: 'C', forms: ['c'], of: 'another value' },
	])('a returned value that is $of gives the forms $forms', ({ returned, forms }) => {
		const written: WrittenValues = new Map();
		setWritten(written, [['7', ['A', 'B']]]);
		setWritten(written, [], new Map([['7', returned]]));
		expect(writtenForms(written, '7')).toEqual(forms);
	});

	it('texts are compared by their first 200 characters', () => {
		const [same, other] = ['a'.repeat(200), `b${'a'.repeat(199)}`];
		expect(normalForms(`${same}1`)).toEqual(normalForms(`${same}2`));
		expect(normalForms(`${same}1`)).not.toEqual(normalForms(`${other}1`));
		expect(normalForms('a'.repeat(199))).not.toEqual(normalForms(same));
	});

	it.each([
		{ texts: 'one text', value: 'a'.repeat(100), bytes: 184 },
		{
			texts: 'a text of other characters than those of Latin-1',
			value: '字'.repeat(100),
			bytes: 284,
		},
		{ texts: 'two texts', value: ['a', 'b'], bytes: 110 },
	])('the size of $texts is estimated at $bytes bytes', ({ value, bytes }) => {
		expect(bytesOf(new Map([['7', value]]))).toBe(bytes);
	});
});
