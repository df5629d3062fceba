import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { parseDelivery, DeliveryRefusal } from '../../../../nodes/api/webhooks/delivery';

const whole = {
	data: [{ _svcId: 5, '1000001': 'a' }, { _svcId: 3 }],
	apname: 'acme',
	path: '/sales/orders',
	sheetIndex: 1,
	eventType: 'UPDATE',
	signature: 'c2lnbg==',
};

function read(changes: Record<string, unknown> = {}) {
	return atOnce(parseDelivery(JSON.stringify({ ...whole, ...changes })));
}

describe('a delivery with content', () => {
	it('a delivery with content is parsed completely', () => {
		expect(read()).toMatchObject({
			event: 'UPDATE',
			hasContent: true,
			records: [{ recordId: '5' }, { recordId: '3' }],
			envelope: {
				account: 'acme',
				path: 'sales/orders',
				sheetIndex: 1,
				signature: 'c2lnbg==',
				signedText: '[{"1000001":"a","_svcId":5},{"_svcId":3}]',
			},
		});
	});

	it.each(['CREATE', 'update', 'Delete'])('a delivery contains its event: %s', (eventType) => {
		expect(read({ eventType })).toMatchObject({ event: eventType.toUpperCase() });
	});

	it.each([
		['sales/orders', 'sales/orders'],
		['/sales/orders/', 'sales/orders'],
	])('the path %j of a delivery may have slashes at its ends', (path, expected) => {
		expect(read({ path })).toMatchObject({ envelope: { path: expected } });
	});

	it('a delivery may give the sheet number as text', () => {
		expect(read({ sheetIndex: '12' })).toMatchObject({ envelope: { sheetIndex: 12 } });
	});

	it('a delivery may have unknown members', () => {
		expect(read({ changedFields: ['1000001'], version: 2 })).toMatchObject({ hasContent: true });
	});
});

it.each([
	[{ _svcId: 5 }, '5'],
	[{ _svcId: '7', _ragicId: 8 }, '7'],
	[{ ragicId: 6 }, '6'],
	[{ ragicId: 0, '1000001': 'a' }, '0'],
	[{ _svcId: 7, ragicId: 8 }, '7'],
	[{ _svcId: -1 }, undefined],
	[{ _svcId: 'x', _ragicId: null }, undefined],
])('the id of the delivered record %j is %j', (record, expected) => {
	expect(read({ data: [record] })).toMatchObject({ records: [{ recordId: expected }] });
});

it('the changed fields of a record take precedence over those of its delivery, if they are a list of IDs', () => {
	const own = [['1000002'], [1000002, '1000003'], [], ['Total'], '1000002', null, undefined];
	const data = own.map((changedFields) => ({ _svcId: 5, changedFields }));
	const fieldsOf = (ofDelivery?: unknown) =>
		read({ data, changedFields: ofDelivery }).records.map(({ changedFields }) => changedFields);
	const expected = [['1000002'], ['1000002', '1000003'], [], undefined, undefined];
	expect(fieldsOf(['1000001'])).toEqual([...expected, ['1000001'], ['1000001']]);
	expect(fieldsOf()).toEqual([...expected, undefined, undefined]);
});

it.each([
	['["3", 1, 2]', ['3', '1', '2']],
	['[]', []],
])('a delivery of ids: %s', (text, recordIds) => {
	const records = recordIds.map((recordId) => ({ recordId }));
	expect(atOnce(parseDelivery(text))).toEqual({ records, hasContent: false });
});

describe('data in an object is a delivery of', () => {
	it.each([
		{
			what: 'one record',
			data: { _svcId: 5, '1000001': 'a', _subtable_7: { '1': { '1000002': 'b' } } },
			recordIds: ['5'],
			signedText: '{"1000001":"a","_subtable_7":{"1":{"1000002":"b"}},"_svcId":5}',
		},
		{
			what: 'one record without an ID',
			data: { '1000001': 'a' },
			recordIds: [undefined],
			signedText: '{"1000001":"a"}',
		},
		{
			what: 'records by ID',
			data: { '7': { '1000001': 'a' }, '5': { _svcId: 5 } },
			recordIds: ['5', '7'],
			signedText: '{"5":{"_svcId":5},"7":{"1000001":"a"}}',
		},
		{
			what: 'records by ID beside the key -1',
			data: { '5': { _svcId: 5 }, '-1': { _svcId: -1 } },
			recordIds: ['5'],
			signedText: '{"-1":{"_svcId":-1},"5":{"_svcId":5}}',
		},
		{ what: 'no records', data: {}, recordIds: [], signedText: '{}' },
	])('data in an object is a delivery of $what', ({ data, recordIds, signedText }) => {
		const delivery = read({ data, eventType: 'update', sheetIndex: '1' });
		expect(delivery).toMatchObject({ event: 'UPDATE', hasContent: true, envelope: { signedText } });
		expect(delivery.records.map(({ recordId }) => recordId)).toEqual(recordIds);
		expect(delivery.records.every(({ content }) => content instanceof Map)).toBe(true);
	});

	it('records in the order of the text', () => {
		const text = JSON.stringify(whole).replace(/"data":\[.*\],/, '"data":{"7":{},"5":{}},');
		const { records } = atOnce(parseDelivery(text));
		expect(records.map(({ recordId }) => recordId)).toEqual(['7', '5']);
	});
});

it('IDs beside an event are a delivery without content, for that event', () => {
	expect(read({ data: [2, '4', 2], signature: undefined })).toEqual({
		event: 'UPDATE',
		hasContent: false,
		records: ['2', '4'].map((recordId) => ({ recordId, event: 'UPDATE' })),
		envelope: { account: 'acme', path: 'sales/orders', sheetIndex: 1, signedText: '[2,"4",2]' },
	});
});

describe('a body that is not a delivery is rejected:', () => {
	it.each([
		['5', 'The body is not a webhook delivery'],
		['[1][2]', 'The body is not JSON'],
		['[1,{"_svcId":2}]', 'The array holds something else'],
	])('%s', (text, reason) => {
		expect(() => atOnce(parseDelivery(text))).toThrow(reason);
	});

	it.each([
		...[{ eventType: 'RESTORE' }, { apname: 5 }, { path: 5 }, { sheetIndex: 'one' }],
		...[{ data: 5 }, { data: '[5]' }, { data: [5, {}] }, { data: [{}, 5] }, { data: [-5] }],
		...[{ data: null }, { data: undefined }, { signature: 5 }],
	])('content with %j', (changes) => {
		expect(() => read(changes)).toThrow(DeliveryRefusal);
	});
});
