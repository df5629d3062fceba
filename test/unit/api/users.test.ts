import fc from 'fast-check';
import { groupsValue, holdsGroups, requireChangeable } from '../../../nodes/api/users';

it('five fields are protected on users sheets only, with any spelling of their IDs', () => {
	for (let id = 0; id < 200; id++) {
		for (const fieldId of [`${id}`, `0${id}`]) {
			const changing = expect(() => requireChangeable('internal', fieldId));
			if ([1, 4, 10, 31, 43].includes(id)) changing.toThrow(`${fieldId} (`);
			else changing.not.toThrow();
			expect(() => requireChangeable('none', fieldId)).not.toThrow();
		}
	}
});

describe('groups', () => {
	it('groups are the value of one field of users sheets, with any spelling of its ID', () => {
		const ids = ['3', '03', '003', '30', '13', '4'];
		const held = ids.filter((fieldId) => holdsGroups('external', fieldId));
		expect(held).toEqual(['3', '03', '003']);
		expect(ids.filter((fieldId) => holdsGroups('none', fieldId))).toEqual([]);
	});

	it.each([[{ a: 1 }], [[{ a: 1 }]], ['["a"'], ['']])('groups are not parsed from %j', (value) => {
		expect(() => groupsValue('internal', value)).toThrow();
	});

	it('groups keep their names in JSON', () => {
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
