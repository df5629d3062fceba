import { findSubtable, unknownSubtable } from '../../../../nodes/api/sheet/subtables';

const items = { subtableId: '2000001', name: 'Items' };
const unnamed = { subtableId: '40', name: undefined };
const list = [
	items,
	{ subtableId: '2000002', name: ' Parts ' },
	{ subtableId: '2000003', name: 'Parts' },
	unnamed,
];

it.each([
	{ key: ' 2000009 ', id: '2000009' },
	{ key: '_subtable_7', id: '7' },
	{ key: ' Items', id: '2000001' },
	{ key: 'items', id: undefined },
	{ key: 'Old name (2000001)', id: '2000001' },
	{ key: 'Old name (40)', id: '40' },
	{ key: 'Any name (2000009)', id: '2000009' },
	{ key: 'Any name (41)', id: undefined },
	{ key: 'Other', id: undefined },
])('the subtable "$key" is $id', ({ key, id }) => {
	expect(findSubtable(key, list)).toBe(id);
});

it('a name is not known without a list', () => {
	expect(findSubtable('Items', [])).toBeUndefined();
});

it('a name of several subtables is refused with their IDs', () => {
	expect(() => findSubtable('Parts', list)).toThrow(
		expect.objectContaining({
			message: "'Parts' is the name of 2 subtables (2000002, 2000003)",
			description: 'Use the ID of the subtable instead of its name.',
		}),
	);
});

it.each([
	{
		known: [items, unnamed],
		message: "'X' is not a subtable of this sheet. Its subtables are 'Items' (2000001), 40",
	},
	{ known: [], message: "'X' is not a subtable of this sheet" },
])('an unknown name comes with those that are known: $message', ({ known, message }) => {
	const error = unknownSubtable('X', known);
	expect(error.message).toBe(message);
	expect(error.description).toBe(
		'Pick the subtable from the list, or give its ID, e.g. 2000001. The service shows the names of subtables to administrators only.',
	);
});
