import fc from 'fast-check';
import { groupsValue, readGroups, requireChangeable } from '../../../nodes/api/users';

const protectedIds = ['1', '4', '10', '31', '43'];

describe('protected fields', () => {
	it.each(protectedIds)('%s are refused on users sheets only, however they are written', (id) => {
		for (const fieldId of [id, `0${id}`]) {
			expect(() => requireChangeable('internal', fieldId)).toThrow(`${fieldId} (`);
			expect(() => requireChangeable('external', fieldId)).toThrow('users sheet');
			expect(() => requireChangeable('none', fieldId)).not.toThrow();
		}
	});

	it('are these five and no others', () => {
		const all = Array.from({ length: 200 }, (_, id) => String(id));
		for (const id of all.filter((one) => !protectedIds.includes(one))) {
			expect(() => requireChangeable('internal', id)).not.toThrow();
		}
	});
});

describe('groups', () => {
	it('are read from a text with commas, each once', () => {
		expect(readGroups('internal', ' a , b ,a,')).toEqual(['a', 'b']);
	});

	it.each([[{ a: 1 }], [[{ a: 1 }]], ['["a"'], ['']])('are not read from %j', (value) => {
		expect(() => groupsValue('internal', value)).toThrow();
	});

	it('survive the way into JSON, whatever their names', () => {
		const names = fc.uniqueArray(
			fc.string({ minLength: 1 }).filter((name) => name.trim() === name),
			{ minLength: 1 },
		);
		fc.assert(
			fc.property(names, (groups) => {
				const value = groupsValue('internal', groups);
				expect(JSON.parse(value)).toEqual(groups);
				expect(groupsValue('internal', value)).toBe(value);
			}),
		);
	});
});
