import { FormBody } from '../../../../nodes/api/values/formBody';

it('a form body is taken for FormData by its looks, can be read again, and not be added to', () => {
	const body = new FormBody([
		['1000005', 'a'],
		['1000005', 'b'],
	]);
	expect([...body]).toEqual([...body.entries()]);
	expect(Object.prototype.toString.call(body)).toBe('[object FormData]');
	expect(Object.getPrototypeOf(body)).not.toBe(Object.prototype);
	expect(() => body.append()).toThrow(TypeError);
});
