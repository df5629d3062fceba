import { itemChangeDate, lastChangeOf } from '../../../../nodes/api/write/conflicts';
import { jsonObject } from '../jsonObject';

it.each([
	{ value: '2031/01/31 10:00:00', offset: undefined, date: '2031/01/31 10:00:00' },
	{ value: '2031/01/31 10:00', offset: undefined, date: '2031/01/31 10:00:00' },
	{ value: '2031-01-31T10:00:00', offset: undefined, date: '2031/01/31 10:00:00' },
	{ value: '2031-01-31T10:00:00+08:00', offset: 8, date: '2031/01/31 10:00:00' },
	{ value: '2031-01-31T02:00:00Z', offset: 8, date: '2031/01/31 10:00:00' },
	{ value: '2031-01-31T10:00:00Z', offset: 0, date: '2031/01/31 10:00:00' },
	{ value: '2031/01/31 10:00:00', offset: 8, date: '2031/01/31 10:00:00' },
	{ value: new Date('2031-01-31T02:00:00Z'), offset: 8, date: '2031/01/31 10:00:00' },
])(
	'the change date $value of an item read at the offset $offset is $date',
	({ value, offset, date }) => {
		expect(itemChangeDate(value, offset)).toBe(date);
	},
);

it.each([
	{
		title: 'with an offset that cannot be compared',
		value: '2031-01-31T10:00:00+08:00',
		found: "Its _update_date is '2031-01-31T10:00:00+08:00'. ",
	},
	{ title: 'of a point in time', value: new Date(0), found: expect.any(String) },
	{ title: 'that is missing', value: undefined, found: '' },
	{ title: 'that is a number', value: 7, found: "Its _update_date is '7'. " },
	{ title: 'that is no date', value: 'yesterday', found: "Its _update_date is 'yesterday'. " },
	{ title: 'that is a list', value: [7], found: 'Its _update_date is a list. ' },
])('a change date $title is rejected with what was found and advice', ({ value, found }) => {
	const advice =
		'Keep _update_date of the read as it is, or enter a time of the account, e.g. 2026/01/26 09:00:00.';
	expect(() => itemChangeDate(value, undefined)).toThrow(
		expect.objectContaining({
			name: 'InputError',
			message: 'The item does not say when its record was changed last',
			description:
				typeof found === 'string' ? `${found}${advice}` : expect.stringContaining(advice),
			remedy: 'readInformation',
		}),
	);
});

it.each([
	{ content: '{"_update_date":"2031/01/31 10:00","_update_user":"Mia"}', by: 'Mia' },
	{ content: '{"_update_date":"2031/01/31 10:00"}', by: '' },
])('the last change of $content is by "$by"', ({ content, by }) => {
	const change = lastChangeOf('5', jsonObject(content), undefined);
	expect(change).toEqual({ at: '2031/01/31 10:00:00', by });
});

it('a record without its last change is an error', () => {
	expect(() => lastChangeOf('5', jsonObject('{"_update_date":""}'), 8)).toThrow(
		expect.objectContaining({
			kind: 'malformed',
			message: 'The service does not say when record 5 was last changed',
			details: expect.objectContaining({
				description:
					'So it is not known whether somebody else has changed it, and nothing was sent.',
			}),
		}),
	);
});
