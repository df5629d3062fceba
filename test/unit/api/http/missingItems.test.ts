import { buttonError, templateError, viewError } from '../../../../nodes/api/http/missingItems';
import { ServiceError, type FailureKind } from '../../../../nodes/api/http/serviceError';

const refusal = (serviceMessage: string, kind: FailureKind = 'refused') =>
	new ServiceError({ kind, message: `The service refused: ${serviceMessage}`, serviceMessage });

const named = [
	{ what: 'shared view', of: viewError, says: 'Unknown filterId: 7', gives: 'checkView' },
	{ what: 'shared view', of: viewError, says: 'View 7 does not exist', gives: 'checkView' },
	{ what: 'button', of: buttonError, says: 'Button 7 not found', gives: 'checkButton' },
	{ what: 'button', of: buttonError, says: '找不到按鈕7', gives: 'checkButton' },
	{ what: 'template', of: templateError, says: 'No template (7)', gives: 'checkTemplate' },
	{ what: 'template', of: templateError, says: 'cid=7 is wrong', gives: 'checkTemplate' },
];

it.each(named)('"$says" is about the $what', ({ of, says, gives }) => {
	expect(of(refusal(says), '7')).toMatchObject({ details: { remedy: gives } });
});

it('an ID with other characters than digits is found as it is', () => {
	const error = viewError(refusal('Unknown shared view: Open orders (2)'), 'Open orders (2)');
	expect(error).toMatchObject({ details: { remedy: 'checkView' } });
});

it.each([
	{ of: viewError, says: 'View 17 and view 71 do not exist' },
	{ of: viewError, says: 'View 17 does not exist' },
	{ of: viewError, says: 'The review of record 7 is locked' },
	{ of: viewError, says: 'limit must not exceed 7' },
	{ of: buttonError, says: 'Button 70 not found' },
	{ of: buttonError, says: 'Record 7 does not exist' },
	{ of: templateError, says: 'cid=77 is wrong' },
])('"$says" is not about the item 7', ({ of, says }) => {
	const error = refusal(says);
	expect(of(error, '7')).toBe(error);
});

it('a failure that is no refusal, and a request without the ID, keep their error', () => {
	const busy = refusal('View 7 is busy', 'server');
	expect(viewError(busy, '7')).toBe(busy);
	const unknown = refusal('Unknown view');
	expect(viewError(unknown, undefined)).toBe(unknown);
	expect(viewError('View 7', '7')).toBe('View 7');
});
