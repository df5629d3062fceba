import { withWarnings } from '../../../nodes/shared/output/recordFiles';

it('warnings are added to the first item, after its existing warning', () => {
	const items = [{ _recordId: 1, _warning: 'First.' }, { _recordId: 2 }];
	expect(withWarnings(items, ['Second.', 'Third.'])).toEqual([
		{ _recordId: 1, _warning: 'First. Second. Third.' },
		{ _recordId: 2 },
	]);
});

it.each([
	{ what: 'no item', items: [], warnings: ['Lost.'] },
	{ what: 'no warning', items: [{ _recordId: 1, _warning: 'First.' }], warnings: [] },
])('items stay unchanged if there is $what', ({ items, warnings }) => {
	expect(withWarnings(items, warnings)).toEqual(items);
});
