import { otherSpellings } from '../../../../../nodes/api/sheet/kinds/equality';

/** Returns the other spellings of a value, each with the kind of field in which both are equal. */
const spellingsOf = (value: string) =>
	otherSpellings(value).map(({ kind, text }) => `${kind.name}: ${text}`);

it.each([
	{ value: '612', spellings: ['number: 612.000000'] },
	{ value: '1.5', spellings: ['number: 1.5000000'] },
	{ value: '0612', spellings: ['number: 612.000000'] },
	{ value: '1', spellings: ['number: 1.000000', 'checkbox: yEs'] },
	{ value: 'No', spellings: ['checkbox: nO'] },
	{ value: '2026/01/31', spellings: ['dateTime: 2026/01/31 00:00:00'] },
	{ value: '2026/01/31 09:30', spellings: ['dateTime: 2026/01/31 09:30:00'] },
	{ value: '2026/01/31 09:30:00', spellings: ['dateTime: 2026/01/31 09:30'] },
	{ value: 'Ulm', spellings: [] },
])('the value $value has the other spellings $spellings', ({ value, spellings }) => {
	expect(spellingsOf(value)).toEqual(spellings);
});

it('no other spelling is that of a value that people enter', () => {
	for (const value of ['5', '1.50', '1,234.5', 'true', '2026/01/31 10:00:00']) {
		for (const { text } of otherSpellings(value)) expect(text).not.toBe(value);
	}
});
