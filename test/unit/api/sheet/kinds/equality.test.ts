import { otherSpellings } from '../../../../../nodes/api/sheet/kinds/equality';

/** Returns the texts by which other spellings of a value are found, each with the kind of field in which both are equal. */
const spellingsOf = (value: string) =>
	otherSpellings(value).map(({ kind, text }) => `${kind.name}: ${text}`);

it.each([
	{ value: '612', spellings: ['number: 612.000000'] },
	{ value: '1.5', spellings: ['number: 1.5000000'] },
	{ value: '0612', spellings: ['number: 612.000000'] },
	{ value: '1', spellings: ['number: 1.000000', 'checkbox: yEs'] },
	{ value: 'No', spellings: ['checkbox: nO'] },
	{ value: '2026/01/31', spellings: ['dateTime: 2026/01/31'] },
	{ value: '2026/01/31 09:30', spellings: ['dateTime: 2026/01/31 09:30'] },
	{ value: '2026/01/31 09:30:00', spellings: ['dateTime: 2026/01/31 09:30:00'] },
	{ value: 'Ulm', spellings: [] },
])('other spellings of $value are found by $spellings', ({ value, spellings }) => {
	expect(spellingsOf(value)).toEqual(spellings);
});

it('numbers and words are looked for by a spelling that nobody enters', () => {
	for (const value of ['5', '1.50', '1,234.5', 'true']) {
		for (const { text } of otherSpellings(value)) expect(text).not.toBe(value);
	}
});
