import { failureKinds, ServiceError, type FailureKind } from '../../../nodes/api/http/serviceError';
import { isOfOneFile, withWarnings } from '../../../nodes/shared/output/recordFiles';

/** Kinds of failures that would also fail the next files. All others are named in the warning of the item. */
const failsAll: readonly FailureKind[] = [
	...(['authentication', 'connectionLost', 'notStored', 'server', 'sessionExpired'] as const),
	...(['tooFrequent', 'tooSlow', 'unreachable', 'unsent', 'untrusted'] as const),
];

it('a failed download ends the other downloads if they would fail, too', () => {
	const names = Object.keys(failureKinds) as FailureKind[];
	const isOther = (kind: FailureKind) => !isOfOneFile(new ServiceError({ kind, message: '' }));
	expect(names.filter(isOther).sort()).toEqual(failsAll);
	expect(isOfOneFile(new Error('No space'))).toBe(false);
});

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
