import { atOnce } from '../../../../nodes/api/json/jsonReading';
import { parseDelivery } from '../../../../nodes/api/webhooks/delivery';

const whole = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };

function read(changes: Record<string, unknown>) {
	return atOnce(parseDelivery(JSON.stringify({ ...whole, ...changes })));
}

describe('a list of any length is read, while the keys of one object have a limit', () => {
	const count = 150_000;
	const places = Array.from({ length: count }, (_, place) => place);

	it('of IDs', () => {
		const { records } = atOnce(parseDelivery(JSON.stringify(places)));
		expect([records.length, records.at(-1)]).toEqual([count, { recordId: `${count - 1}` }]);
	});

	it('of records', () => {
		const { records, envelope } = read({ data: places.map((_svcId) => ({ _svcId })) });
		expect([records.length, records.at(-1)?.recordId]).toEqual([count, `${count - 1}`]);
		expect(envelope?.signedText).toHaveLength(JSON.stringify(places).length + count * 11);
	});

	it('of values of a field', () => {
		expect(read({ data: [{ _svcId: 5, '1': places }] }).records).toHaveLength(1);
	});

	it('but not of keys', () => {
		const record = Object.fromEntries(places.map((place) => [place, '']));
		expect(() => read({ data: [record] })).toThrow('holds too much');
	});
});
