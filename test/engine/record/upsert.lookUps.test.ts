import { amount } from '../../amount';
import { empty, orders } from '../../service';
import { Sheet } from '../../service/data/sheet';
import { onOrders, sheetAt, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { addRecord, isLookUp, lookUpsOf } from './upserts';

const testbed = useRecordTestbed();
const { fields } = orders;

const upsertByReference = { ...onOrders('upsert'), ...autoMapped([fields.reference]) };
/** Parameters that match on the title, on the sheet of each item. */
const onSheets = {
	operation: 'upsert',
	sheet: sheetAt('={{ $json.sheet }}'),
	...asJson('={{ ({ Title: $json.title }) }}'),
	matchFields: ['Title'],
};
const setReference = (id: number, reference: string) =>
	testbed.order(id).set(fields.reference, reference);

it('many items need few look-ups, with addresses below 8,000 characters, also for long values', async () => {
	const count = amount(60, 260);
	// Every second item matches a record. The other items are new.
	const items = Array.from({ length: count }, (_, index) => {
		const reference = `${index} ${'küche, '.repeat(10)}`;
		if (index % 2 === 0) setReference(index + 1, reference);
		return { [fields.reference]: reference, [fields.customerNumber]: 'C-0001' };
	});
	const result = await testbed.runById(upsertByReference, items);
	const [first, ...rest] = lookUpsOf(testbed).map(({ rawUrl }) => rawUrl);
	expect(first).toMatch(/[?&]naming=EID&.*subtables=0/);
	expect(Math.max(...[first, ...rest].map((url = '') => url.length))).toBeLessThan(8_000);
	expect(rest.length).toBeLessThan(count / 10);
	expect(testbed.reads.length - rest.length).toBeLessThanOrEqual(5);
	expect(result.actions).toEqual(items.map((_, item) => (item % 2 ? 'created' : 'updated')));
	expect(result.links).toEqual(items.map((_, item) => ({ item })));
	expect(testbed.writes).toHaveLength(count);
	expect(testbed.orders.records.size).toBe(300 + count / 2);
});

it('a match field that is given by its name and by its ID counts once', async () => {
	setReference(1, 'A');
	setReference(3, 'B');
	const parameters = {
		...onOrders('upsert'),
		...asJson('={{ ({ Reference: $json.key }) }}'),
		matchFields: '={{ $json.by }}',
	};
	const result = await testbed.runById(parameters, [
		{ key: 'A', by: ['Reference', fields.reference] },
		{ key: 'B', by: ['Reference'] },
	]);
	expect(result.outcomes).toEqual(['1 updated #0', '3 updated #1']);
	const [lookUp, ...rest] = lookUpsOf(testbed);
	expect(lookUp?.rawUrl.split(`${fields.reference},eq,A`)).toHaveLength(2);
	expect(rest).toEqual([]);
});

it('items that give the match fields in another order match the same record', async () => {
	setReference(1, 'A').set(fields.city, 'B');
	setReference(3, 'B').set(fields.city, 'A');
	const parameters = {
		...onOrders('upsert'),
		...asJson('={{ ({ Reference: "A", City: "B", Remark: $json.by.join() }) }}'),
		matchFields: '={{ $json.by }}',
	};
	const result = await testbed.runById(parameters, [
		{ by: ['Reference', 'City'] },
		{ by: ['City', 'Reference'] },
	]);
	expect(result.outcomes).toEqual(['1 updated #0', '1 updated #1']);
	expect(testbed.order(3).text(fields.remark)).not.toContain('City');
});

it('each sheet has its own look-ups, also if two sheets have a field with the same ID', async () => {
	const { data } = testbed.service;
	data.sheets.push(new Sheet({ ...data.sheet(empty).definition, path: 'sales/copy', index: 12 }));
	addRecord(testbed, empty.fields.title, 'Same');
	const result = await testbed.runById({ ...onSheets, matchFields: [empty.fields.title] }, [
		{ sheet: 'sales/empty/9', title: 'Same' },
		{ sheet: 'sales/copy/12', title: 'Same' },
	]);
	expect(result.actions).toEqual(['updated', 'created']);
});

it('a look-up that fails does not fail the items of other sheets', async () => {
	testbed.refuse(isLookUp, 2, 106, 'No access right.');
	const places = ['sales/empty/9', 'archive/2024/tasks/7', 'sales/empty/9'];
	const ofSheets = places.map((place, index) => ({ sheet: place, title: `Title ${index}` }));
	const result = await testbed.runAllById(onSheets, ofSheets);
	testbed.expectErrors(result, 'No access right');
	expect(result.links).toEqual([{ item: 1 }, { item: 2 }]);
});

it('an item that cannot be written is not looked up, and the other items continue', async () => {
	setReference(12, 'KEY-1');
	const result = await testbed.runAllById(upsertByReference, [
		{ [fields.reference]: 'KEY-1', Remrk: 'x' },
		{ [fields.reference]: 'KEY-1', Remark: 'y' },
		{ Remark: 'no key' },
	]);
	testbed.expectErrors(result, { 0: 'Remrk', 2: 'no value' });
	expect(result.outcomes).toEqual(['12 updated #1']);
});

it('a look-up of several keys that the service rejects is repeated for each key, so valid keys are written', async () => {
	setReference(1, 'A');
	setReference(3, 'C');
	const hasValue = (url: string, value: string) => url.includes(`${fields.reference},eq,${value}`);
	testbed.refuse(({ rawUrl }) => hasValue(rawUrl, 'B'), 2, 201, 'Wrong value.');
	const items = ['A', 'B', 'C'].map((reference) => ({ [fields.reference]: reference }));
	const result = await testbed.runAllById(upsertByReference, items);
	testbed.expectErrors(result, { 1: 'Wrong value' });
	expect(result.outcomes).toEqual(['1 updated #0', '3 updated #2']);
	expect(testbed.writes.map(({ rawUrl }) => rawUrl.split('?')[0])).toEqual([
		'/acme/sales/orders/1/1',
		'/acme/sales/orders/1/3',
	]);
});
