import { fieldChanges, fieldStates } from '../../../nodes/shared/watchedFields';

const keys = ['Status', 'City'];
const statesOf = (members: Record<string, string>) =>
	fieldStates(new Map(Object.entries(members)), keys);

describe('the states of watched fields', () => {
	it('a record that lacks some of the watched fields has states, with empty values for them', () => {
		expect(statesOf({ Status: 'Open' })).toEqual({ Status: '"Open"', City: '' });
	});

	it('a record that has none of the watched fields has no states', () => {
		expect(statesOf({ Remark: 'x' })).toBeUndefined();
	});
});

describe('the changed watched fields', () => {
	const open = statesOf({ Status: 'Open', City: 'Ulm' });
	const shipped = statesOf({ Status: 'Shipped', City: 'Ulm' });

	it('the changed fields are those whose values differ, with the previous values', () => {
		expect(fieldChanges(keys, open, shipped)).toEqual({
			changed: ['Status'],
			previous: new Map([['Status', 'Open']]),
		});
	});

	it('all fields count as changed if the previous values are unknown', () => {
		expect(fieldChanges(keys, undefined, shipped).changed).toEqual(keys);
	});

	it('only the reported fields count as changed if the previous values are unknown', () => {
		expect(fieldChanges(keys, undefined, shipped, ['City']).changed).toEqual(['City']);
	});

	it('a subtable counts as changed if its previous rows are unknown, because only fields are reported', () => {
		const watched = ['Status', '_subtable_2000001'];
		expect(fieldChanges(watched, undefined, shipped, ['City']).changed).toEqual([watched[1]]);
		const rows = { _subtable_2000001: '#rows' };
		expect(fieldChanges(watched, rows, rows, ['City']).changed).toEqual([]);
	});

	it('a reported field counts as changed although its value is the same', () => {
		expect(fieldChanges(keys, open, open, ['City'])).toEqual({
			changed: ['City'],
			previous: new Map([['City', 'Ulm']]),
		});
	});
});
