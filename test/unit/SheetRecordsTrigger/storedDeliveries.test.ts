import fc from 'fast-check';
import {
	deliveriesCodec,
	formatLastDelivery,
	parseLastDelivery,
} from '../../../nodes/SheetRecordsTrigger/storedDeliveries';

const text = fc.string({ unit: fc.oneof(fc.string(), fc.constantFrom(...'%";,\\=:\n')) });
const fieldState = fc.oneof(
	fc.constant(''),
	text.map((value) => JSON.stringify(value)),
);

it('a delivery that was stored is read as it was', () => {
	fc.assert(
		fc.property(
			fc.record({ event: text, sent: text, at: fc.nat(), content: text }),
			fc.option(
				fc.dictionary(fc.stringMatching(/^[^=]*$/), fieldState, { noNullPrototype: true }),
				{ nil: undefined },
			),
			(last, states) => {
				const delivery = states === undefined ? last : { ...last, states };
				const stored = formatLastDelivery(delivery);
				const entries = new Map([['17', stored]]);
				expect(parseLastDelivery(stored)).toEqual(delivery);
				expect(deliveriesCodec.parse(deliveriesCodec.serialize(entries))).toEqual(entries);
			},
		),
	);
});

it('the deliveries of no record are read as an empty list', () => {
	expect(deliveriesCodec.parse(deliveriesCodec.serialize(new Map()))).toEqual(new Map());
});

it.each([
	['a record without a delivery', '17'],
	['a record without an ID', ':UPDATE,a1,5,b2'],
	['an ID that is no number', 'x17:UPDATE,a1,5,b2'],
	['an ID in the middle', 'UPDATE,17:a1,5,b2'],
	['a delivery that is cut off', '17:UPDATE,a1,5'],
	['no time', '17:UPDATE,a1,,b2'],
	['a time that is no number', '17:UPDATE,a1,now,b2'],
	['fewer fields than their number', '17:UPDATE,a1,5,b2,2,1000001='],
	['more fields than their number', '17:UPDATE,a1,5,b2,0,1000001='],
	['a field without a state', '17:UPDATE,a1,5,b2,1,1000001'],
	['a state that is no JSON', '17:UPDATE,a1,5,b2,1,1000001={'],
	['an escape that is cut off', '17:UPDATE,a1,5,b2%'],
	['one damaged delivery among others', '16:UPDATE,a1,5,b2;17:UPDATE'],
])('with %s, the stored deliveries count as damaged', (_case, stored) => {
	expect(deliveriesCodec.parse(JSON.stringify(stored))).toBeUndefined();
});

it.each([
	['without states', {}, '17:UPDATE,a1,5,b2'],
	['with states', { states: { 1000001: '"x"' } }, '17:UPDATE,a1,5,b2,1,1000001=%22x%22'],
])('a delivery of version 1 %s is migrated', (_case, states, stored) => {
	const delivery = { event: 'UPDATE', sent: 'a1', at: 5, content: 'b2', ...states };
	const migrated = deliveriesCodec.parse(JSON.stringify([['17', delivery]]), 1);
	expect(migrated && deliveriesCodec.serialize(migrated)).toBe(JSON.stringify(stored));
});

it('states of version 1 that are damaged make the stored deliveries count as damaged', () => {
	const delivery = { event: 'UPDATE', sent: 'a1', at: 5, content: 'b2', states: { 1000001: '{' } };
	expect(deliveriesCodec.parse(JSON.stringify([['17', delivery]]), 1)).toBeUndefined();
});
