import { fallbackTo, ServiceError } from '../../../../nodes/api/http/serviceError';

const failure = new ServiceError({ kind: 'refused', message: 'No' });

it('a value takes the place of a failure of one of the kinds, or of any kind', () => {
	expect(fallbackTo(1)(failure)).toBe(1);
	expect(fallbackTo(undefined, 'noAccess', 'refused')(failure)).toBeUndefined();
});

it('other errors are thrown again', () => {
	expect(() => fallbackTo(1, 'noAccess')(failure)).toThrow(failure);
	const mistake = new TypeError('x is not a function');
	expect(() => fallbackTo(1)(mistake)).toThrow(mistake);
});

it('a changed copy of a failure keeps its other details', () => {
	const changed = failure.with({ status: 500 });
	expect(changed).toMatchObject({ name: 'ServiceError', kind: 'refused', message: 'No' });
	expect([failure.details.status, changed.details.status]).toEqual([undefined, 500]);
});
