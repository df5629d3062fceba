import { sameness, type Sameness } from '../../../../../nodes/api/sheet/kinds/sameness';

/** The relations of pairs of a stored text and another text, in the order: equal value, found by `eq`, unchanged, saved as sent. */
function relationsOf({ normalize, isFoundBy, isUnchanged, isKept }: Sameness) {
	return (stored: string, text: string) =>
		[
			normalize(stored) === normalize(text) ? 'equal' : '',
			isFoundBy(stored, text) ? 'found' : '',
			isUnchanged(stored, text) ? 'unchanged' : '',
			isKept(stored, text) ? 'kept' : '',
		]
			.filter((word) => word !== '')
			.join(' ');
}

const all = 'equal found unchanged kept';

it.each<
	[keyof typeof sameness, stored: string, text: string, relations: string, reversed?: string]
>([
	['identical', '612', '612.0', ''],
	['identical', 'Yes', 'true', ''],
	['unknown', '612', '612.0', ''],
	['unknown', '2026/01/31', '2026-01-31', ''],
	['unknown', 'Yes', 'true', 'found', ''],
	['unknown', 'Yes', '1', ''],
	['richText', '<b>x</b>', '[b]x[/b]', 'kept'],
	['richText', '', '[b]x[/b]', '', 'kept'],
	['date', '2026/01/31', '2026/01/31 00:00:00', all],
	['date', '2026/01/31', '2026-01-31', 'equal unchanged kept'],
	['date', '2026/01/31 09:30', '2026/01/31 09:30:15', 'kept', ''],
	['date', '2026/01/31', '2026/02/01', ''],
	['date', '2026/1/31', '2026/01/31 09:30:15', 'kept', ''],
	['dateTime', '2026/1/31 9:30', '2026/01/31 09:30:00', all],
	['dateTime', '2026/1/31 9:30', '2026/01/31 09:30:15', 'kept', ''],
	['dateTime', '2026/01/31 09:30:10', '2026/01/31 09:30:15', ''],
	['dateTime', '2026/01/31', '2026/01/31 09:30:00', ''],
	['number', '612', '0612.0', all],
	['number', '1001', '1,001', 'equal kept', 'equal unchanged kept'],
	['number', '0.3', '0.30000000000000004', 'kept'],
	['number', '612', '613', ''],
	['inferredNumber', '612', '612.0', 'equal found kept'],
	['inferredNumber', '1001', '1,001', 'equal found kept'],
	['inferredNumber', '612', '0612', ''],
	['checkbox', 'Yes', 'TRUE', all],
	['checkbox', 'Yes', '1', 'found', ''],
	['checkbox', 'Yes', 'no', ''],
	['inferredCheckbox', 'Yes', 'TRUE', 'equal found kept'],
])('%s: %j and %j are %j, in both orders unless said otherwise', (...row) => {
	const [kind, stored, text, relations, reversed = relations] = row;
	expect(relationsOf(sameness[kind])(stored, text)).toBe(relations);
	expect(relationsOf(sameness[kind])(text, stored)).toBe(reversed);
});

it.each(Object.entries(sameness))(
	'%s: the text of a value is equal to the value',
	(_, { normalize }) => {
		for (const text of ['612', '1,001', '2026/01/31', 'Yes', '']) {
			expect(normalize(text)).toBe(normalize(normalize(text)));
		}
	},
);
