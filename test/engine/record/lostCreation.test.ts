import { orders, type Fault } from '../../service';
import { passTime } from '../clock';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { retrying } from '../retryOnFail/retrying';
import { autoMapped } from './recordValues';

/** Upserts of a new key whose creation fails, while the service's filters do not find new records yet. */
const testbed = useRecordTestbed({ demoRecords: 3 });
const { reference, customerNumber } = orders.fields;

const upsert = { ...onOrders('upsert'), ...autoMapped([reference]) };
const item = { [reference]: 'KEY', [customerNumber]: 'C-0001' };
const minute = 60_000;
const unknownOutcome =
	/^It is unknown whether an earlier write created the record with 'KEY' in 'Reference'/;

const run = async (count: number, options = {}) =>
	await testbed.runAllById(
		{ ...upsert, options },
		Array.from({ length: count }, () => item),
	);
const countOfKey = () =>
	[...testbed.orders.records.values()].filter((record) => record.text(reference) === 'KEY').length;

function failFirstWrite(fault: Partial<Fault>): void {
	testbed.inject({ kind: 'body', when: ({ method }) => method !== 'GET', ...fault });
}

/** Creates the record of the key as a person does. */
function createByHand(): boolean {
	testbed.service.people.create(orders, item);
	return true;
}

beforeEach(() => {
	testbed.service.switches.filterLagMilliseconds = 5 * minute;
});

it('after a lost answer, a second item for the key fails and says why, and so does the next run', async () => {
	failFirstWrite({ kind: 'resetAfterWork' });
	testbed.expectErrors(await run(2), { 0: /broke off/, 1: unknownOutcome });
	testbed.expectErrors(await run(1), { 0: unknownOutcome });
	testbed.expectErrors(await run(1, { dryRun: true }), { 0: unknownOutcome });
	expect([countOfKey(), testbed.writes.length]).toEqual([1, 1]);
});

it('once filters find the record, it is updated', async () => {
	failFirstWrite({ kind: 'resetAfterWork' });
	await run(1);
	testbed.service.clock.advance(6 * minute);
	expect((await run(2)).outcomes).toEqual(['4 updated #0', '4 updated #1']);
	expect(countOfKey()).toBe(1);
});

it('once filters have found the record, nothing is unknown any more, so after its deletion it is created again', async () => {
	failFirstWrite({ kind: 'resetAfterWork' });
	await run(1);
	testbed.service.clock.advance(6 * minute);
	expect((await run(1)).outcomes).toEqual(['4 updated #0']);
	testbed.service.people.delete(orders, 4);
	testbed.service.clock.advance(6 * minute);
	expect((await run(1)).outcomes).toEqual(['5 created #0']);
});

it('ten minutes after a request that was not carried out, the record is created', async () => {
	failFirstWrite({ kind: 'reset' });
	testbed.expectErrors(await run(2), { 0: /broke off/, 1: unknownOutcome });
	passTime(9.9 * minute);
	testbed.expectErrors(await run(1), { 0: unknownOutcome });
	passTime(0.2 * minute);
	expect((await run(1)).outcomes).toEqual(['4 created #0']);
});

it.each([
	['INVALID', '{"status":"INVALID","msg":"No."}'],
	['code 202', '{"status":"ERROR","code":202,"msg":"No."}'],
])('a creation that is certainly refused leaves nothing unknown: %s', async (_, body) => {
	failFirstWrite({ body });
	const result = await run(2);
	expect(result.outcomes).toEqual(['4 created #1']);
	expect(countOfKey()).toBe(1);
});

it('a creation that is refused is not tried again if somebody else creates the record before the next attempt', async () => {
	testbed.service.switches.filterLagMilliseconds = 0;
	const refused = '{"status":"ERROR","code":202,"msg":"No."}';
	failFirstWrite({ body: refused, when: ({ method }) => method !== 'GET' && createByHand() });
	const result = await testbed.runById(upsert, [item], retrying);
	expect(result.outcomes).toEqual(['4 updated #0']);
	expect(countOfKey()).toBe(1);
});

it('other keys are created after a lost answer', async () => {
	failFirstWrite({ kind: 'resetAfterWork' });
	const rest = [item, { ...item, [reference]: 'OTHER' }];
	expect((await testbed.runAllById(upsert, rest)).outcomes).toEqual(['5 created #1']);
});
