import { filePlaceIn } from '../../../../nodes/api/files/filePlaces';
import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';

const fields = [
	{ fieldId: '1000001', name: 'Report' },
	{ fieldId: '1000002', name: 'Plan_2' },
	{ fieldId: '1000003', name: 'Photo' },
	{ fieldId: '3000001', name: 'Photo', subtableId: '2000001' },
	{ fieldId: '3000002', name: 'Plan', subtableId: '2000001' },
	{ fieldId: '3000003', name: 'Evidence_1', subtableId: '2000002' },
	{ fieldId: '3000004', name: 'Scan', subtableId: '2000001' },
	{ fieldId: '3000005', name: 'Scan', subtableId: '2000002' },
];

describe('the place of a file', () => {
	it.each([
		['Report', { fieldId: '1000001' }],
		['Photo', { fieldId: '1000003' }],
		['Photo_-1', { fieldId: '3000001', rowId: '-1', subtableId: '2000001' }],
		[' 3000005_-2 ', { fieldId: '3000005', rowId: '-2', subtableId: '2000002' }],
		['Photo_0', { fieldId: '3000001', rowId: '0', subtableId: '2000001' }],
		['3000005_0', { fieldId: '3000005', rowId: '0', subtableId: '2000002' }],
		['Evidence_1_-1', { fieldId: '3000003', rowId: '-1', subtableId: '2000002' }],
		// The name of a record field takes precedence.
		['Plan_2', { fieldId: '1000002' }],
		// A list may be incomplete, so an unlisted ID is accepted.
		['3999999_5', { fieldId: '3999999', rowId: '5', subtableId: undefined }],
	])('the file field %j is %j', (key, place) => {
		expect(filePlaceIn(new FieldIndex({ fields }), key)).toEqual(place);
	});

	it.each([
		['Scan_-1', /'Scan' is the name of 2 fields \(3000004, 3000005\)/],
		['Report_-1', /'Report' is a field of the record itself/],
		['Photo_-0', /'Photo_-0' is not a field/],
	])('the file field %j is unknown', (key, message) => {
		expect(() => filePlaceIn(new FieldIndex({ fields }), key)).toThrow(message);
	});
});
