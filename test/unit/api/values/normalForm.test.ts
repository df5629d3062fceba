import fc from 'fast-check';
import { normalForm } from '../../../../nodes/api/values/normalForm';

it.each([
	['numbers', ['5', '5.0', '5.00', '05', ' 5 ', '005.000']],
	['nothing', ['0', '0.00', '-0', '000']],
	['long numbers', ['12345678901234567890', '12345678901234567890.0']],
	['days', ['2026/01/02', '2026/01/02 00:00', '2026/01/02 00:00:00', '2026-01-02']],
	['times', ['2026/01/02 03:04', '2026/01/02 03:04:00', '2026-01-02T03:04']],
	['switches', ['Yes', 'yes', 'true', 'TRUE']],
	['letters with combined marks', ['Z\u00fcrich', 'Zu\u0308rich', 'z\u00fcrich']],
])('%s have one form', (_, spellings) => {
	expect([...new Set(spellings.map(normalForm))]).toHaveLength(1);
});

it.each([
	['accents', ['Muller', 'Müller', 'Mueller']],
	['numbers', ['5', '-5', '5.01', '50', '1,23', '1.23', '5a', '1e3', '1000']],
	['times', ['2026/01/02', '2026/01/02 00:00:01', '2026/01/20', '2026/02/30', '20260102']],
	['texts', ['a b', 'ab', 'a  b', 'a,b']],
	['switches', ['Yes', 'No', '1', '0']],
])('%s that differ have different forms', (_, texts) => {
	expect(new Set(texts.map(normalForm)).size).toBe(texts.length);
});

it('is its own normal form', () => {
	const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[-,./: \d]{0,12}$/));
	fc.assert(
		fc.property(texts, (text) => {
			expect(normalForm(normalForm(text))).toBe(normalForm(text));
		}),
	);
});
