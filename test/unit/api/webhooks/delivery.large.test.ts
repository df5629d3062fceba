import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { parseDelivery } from '../../../../nodes/api/webhooks/delivery';

const whole = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };

function read(changes: Record<string, unknown>) {
	return atOnce(parseDelivery(JSON.stringify({ ...whole, ...changes })));
}

describe('a list of any length is read, but the number of keys of an object is limited:', () => {
	const count = 150_000;
	const places = Array.from({ length: count }, (_, place) => place);

	it('a list of IDs', () => {
		const { records } = atOnce(parseDelivery(JSON.stringify(places)));
		expect([records.length, records.at(-1)]).toEqual([count, { recordId: `${count - 1}` }]);
	});

	it('a list of records', () => {
		const { records, envelope } = read({ data: places.map((_svcId) => ({ _svcId })) });
		expect([records.length, records.at(-1)?.recordId]).toEqual([count, `${count - 1}`]);
		expect(envelope?.signedText).toHaveLength(JSON.stringify(places).length + count * 11);
	});

	it('a list of values in a field', () => {
		expect(read({ data: [{ _svcId: 5, '1': places }] }).records).toHaveLength(1);
	});

	it('an object with too many keys is rejected', () => {
		const record = Object.fromEntries(places.map((place) => [place, '']));
		expect(() => read({ data: [record] })).toThrow('holds too much');
	});
});
