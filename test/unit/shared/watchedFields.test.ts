import { fieldChanges, fieldStates } from '../../../nodes/shared/watchedFields';

const keys = ['Status', 'City'];
const statesOf = (members: Record<string, string>) =>
	fieldStates(new Map(Object.entries(members)), keys);

describe('the states of watched fields', () => {
	it('are known of a record that lacks some of the fields, which count as empty', () => {
		expect(statesOf({ Status: 'Open' })).toEqual({ Status: '"Open"', City: '' });
	});

	it('are unknown of a record that has none of the fields', () => {
		expect(statesOf({ Remark: 'x' })).toBeUndefined();
	});
});

describe('which watched fields changed', () => {
	const open = statesOf({ Status: 'Open', City: 'Ulm' });
	const shipped = statesOf({ Status: 'Shipped', City: 'Ulm' });

	it('is those whose values differ, with what they held before', () => {
		expect(fieldChanges(keys, open, shipped)).toEqual({
			changed: ['Status'],
			previous: new Map([['Status', 'Open']]),
		});
	});

	it('is all when nothing was known before', () => {
		expect(fieldChanges(keys, undefined, shipped).changed).toEqual(keys);
	});

	it('is those alone that the service reports when nothing was known before', () => {
		expect(fieldChanges(keys, undefined, shipped, ['City']).changed).toEqual(['City']);
	});

	it('is also those that the service reports although their values are the same', () => {
		expect(fieldChanges(keys, open, open, ['City'])).toEqual({
			changed: ['City'],
			previous: new Map([['City', 'Ulm']]),
		});
	});
});
