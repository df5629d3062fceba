import fc from 'fast-check';
import {
	dateTimeForm,
	normalForm,
	numberForm,
	switchForm,
} from '../../../../nodes/api/values/normalForm';

it.each([
	['numbers', ['5', '5.0', '5.00', '05', ' 5 ', '005.000']],
	['nothing', ['0', '0.00', '-0', '000']],
	['long numbers', ['12345678901234567890', '12345678901234567890.0']],
	['days', ['2026/01/02', '2026/01/02 00:00', '2026/01/02 00:00:00', '2026-01-02']],
	['times', ['2026/01/02 03:04', '2026/01/02 03:04:00', '2026-01-02T03:04']],
	['switches', ['Yes', 'yes', 'true', 'TRUE']],
	['letters with combined marks', ['Z\u00fcrich', 'Zu\u0308rich', 'z\u00fcrich']],
])('%s have the same normal form', (_, spellings) => {
	expect([...new Set(spellings.map(normalForm))]).toHaveLength(1);
});

it.each([
	['accents', ['Muller', 'Müller', 'Mueller']],
	['numbers', ['5', '-5', '5.01', '50', '1,23', '1.23', '5a', '1e3', '1000']],
	['times', ['2026/01/02', '2026/01/02 00:00:01', '2026/01/20', '2026/02/30', '20260102']],
	['texts', ['a b', 'ab', 'a  b', 'a,b']],
	['switches', ['Yes', 'No', '1', '0']],
])('%s have different normal forms', (_, texts) => {
	expect(new Set(texts.map(normalForm)).size).toBe(texts.length);
});

it('a normal form is its own normal form', () => {
	const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[-,./: \d]{0,12}$/));
	fc.assert(
		fc.property(texts, (text) => {
			expect(normalForm(normalForm(text))).toBe(normalForm(text));
		}),
	);
});

it.each([
	{ text: 'Yes', form: 'true' },
	{ text: '  TRUE\n', form: 'true' },
	{ text: ' no ', form: 'false' },
	{ text: 'False', form: 'false' },
	{ text: 'no', form: 'false' },
	{ text: 'yesterday', form: undefined },
	{ text: 'oh yes', form: undefined },
	{ text: 'xyes', form: undefined },
	{ text: 'nobody', form: undefined },
	{ text: 'say no', form: undefined },
	{ text: 'xno', form: undefined },
	{ text: '1', form: undefined },
])('the spelling "$text" of a checkbox is $form', ({ text, form }) => {
	expect(switchForm(text)).toBe(form);
});

it.each([
	{ text: '1,234.50', form: '1234.5' },
	{ text: '1,234,567', form: '1234567' },
	{ text: '12,345', form: '12345' },
	{ text: 'a,234', form: undefined },
	{ text: '1,abc', form: undefined },
	{ text: 'EUR 5', form: undefined },
	{ text: '5.x', form: undefined },
	{ text: '0010', form: '10' },
	{ text: '1001', form: '1001' },
	{ text: '-0.0', form: '0' },
	{ text: '-007.10', form: '-7.1' },
	{ text: '.5', form: undefined },
	{ text: '5.', form: undefined },
	{ text: '12,34', form: undefined },
	{ text: '1,2345', form: undefined },
	{ text: ' 5', form: undefined },
	{ text: '5 EUR', form: undefined },
])('the spelling "$text" of a number is $form', ({ text, form }) => {
	expect(numberForm(text)).toBe(form);
});

it.each([
	{ text: '2026/01/02 03:04', form: '2026/01/02 03:04:00' },
	{ text: '2026-01-02', form: '2026/01/02 00:00:00' },
	{ text: '2026/02/30', form: undefined },
])('the spelling "$text" of a date is $form', ({ text, form }) => {
	expect(dateTimeForm(text)).toBe(form);
});

it('a normal form is lowercase', () => {
	expect(normalForm(' A bÉ ')).toBe('a bé');
});
