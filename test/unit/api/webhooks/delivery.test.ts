import { atOnce } from '../../../../nodes/api/json/jsonReader';
import { parseDelivery, Refusal } from '../../../../nodes/api/webhooks/delivery';

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
	it('is read whole', () => {
		expect(read()).toMatchObject({
			...{ kind: 'content', event: 'UPDATE', account: 'acme', path: 'sales/orders' },
			...{ sheetIndex: 1, signature: 'c2lnbg==', records: [{ recordId: '5' }, { recordId: '3' }] },
			signedText: '[{"1000001":"a","_svcId":5},{"_svcId":3}]',
		});
	});

	it.each(['CREATE', 'update', 'Delete'])('tells its event: %s', (eventType) => {
		expect(read({ eventType })).toMatchObject({ event: eventType.toUpperCase() });
	});

	it.each([
		['sales/orders', 'sales/orders'],
		['/sales/orders/', 'sales/orders'],
	])('names its path %j with or without slashes at its ends', (path, expected) => {
		expect(read({ path })).toMatchObject({ path: expected });
	});

	it('may name its sheet by a text', () => {
		expect(read({ sheetIndex: '12' })).toMatchObject({ sheetIndex: 12 });
	});

	it('may hold more than is known', () => {
		expect(read({ changedFields: ['1000001'], version: 2 })).toMatchObject({ kind: 'content' });
	});
});

it.each([
	[{ _svcId: 5 }, '5'],
	[{ _svcId: '7', _ragicId: 8 }, '7'],
	[{ _svcId: -1 }, undefined],
	[{ _svcId: 'x', _ragicId: null }, undefined],
])('the id of the delivered record %j is %j', (record, expected) => {
	expect(read({ data: [record] })).toMatchObject({ records: [{ recordId: expected }] });
});

it.each([
	['["3", 1, 2]', ['3', '1', '2']],
	['[]', []],
])('a delivery of ids: %s', (text, recordIds) => {
	const records = recordIds.map((recordId) => ({ recordId }));
	expect(atOnce(parseDelivery(text))).toEqual({ kind: 'ids', records });
});

describe('what is no delivery', () => {
	it.each([
		['5', 'The body is no delivery'],
		['[1][2]', 'The body is not JSON'],
		['[1,{"_svcId":2}]', 'The array holds something else'],
	])('%s', (text, reason) => {
		expect(() => atOnce(parseDelivery(text))).toThrow(reason);
	});

	it.each([
		...[{ eventType: 'RESTORE' }, { apname: 5 }, { path: 5 }, { sheetIndex: 'one' }],
		...[{ data: { '5': {} } }, { data: [5] }, { signature: 5 }],
	])('content with %j', (changes) => {
		expect(() => read(changes)).toThrow(Refusal);
	});
});
