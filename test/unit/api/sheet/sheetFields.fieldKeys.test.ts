import { beginAnew, schemaOf, useSources } from './sources/fieldSources';

beginAnew();

const named = schemaOf(
	{ fieldId: '1000001', fieldName: 'Name' },
	{ fieldId: '1000002', fieldName: 'City, State' },
	{ fieldId: '1000003', fieldName: ' Size, cm' },
);

it.each([
	{ title: 'kept if it has names only', entries: ['Name', 'Rate'], keys: ['Name', 'Rate'] },
	{ title: 'kept if it has one name only', entries: ['Name'], keys: ['Name'] },
	{ title: 'kept if it has names with commas', entries: ['a, b', 'c'], keys: ['a, b', 'c'] },
	{ title: 'empty if it was empty', entries: [], keys: [] },
])('a list of fields is $title, without a request', async ({ entries, keys }) => {
	const { newFields, asked } = useSources({ schema: named });
	expect(await (await newFields()).fieldKeys(entries)).toEqual(keys);
	expect(asked()).toEqual([]);
});

it.each([
	{ title: 'split at the commas of its only entry', entries: ['1,2'], keys: ['1', '2'] },
	{ title: 'trimmed', entries: ['Name ', 'Rate'], keys: ['Name', 'Rate'] },
	{
		title: 'trimmed, not split, if it has more entries',
		entries: ['a, b ', 'c'],
		keys: ['a, b', 'c'],
	},
	{ title: 'split and trimmed', entries: ['Name, Rate'], keys: ['Name', 'Rate'] },
	{ title: 'freed of empty entries', entries: ['Name,, Rate,'], keys: ['Name', 'Rate'] },
	{ title: 'freed of blank entries', entries: ['Name', ' '], keys: ['Name'] },
	{ title: 'whole if it is a name', entries: ['City, State'], keys: ['City, State'] },
	{ title: 'whole if it is a name in blanks', entries: [' City, State '], keys: ['City, State'] },
	{ title: 'whole if a name begins with a blank', entries: [' Size, cm'], keys: [' Size, cm'] },
])('a list of fields is $title: $entries', async ({ entries, keys }) => {
	const sheetFields = await useSources({ schema: named }).newFields();
	expect(await sheetFields.fieldKeys(entries)).toEqual(keys);
});

it('a list of fields is split at its commas if no source lists fields', async () => {
	const sheetFields = await useSources().newFields();
	expect(await sheetFields.fieldKeys(['Name, City'])).toEqual(['Name', 'City']);
});
