import { empty, orders, tasks } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const upsert = { operation: 'upsert', sheet: sheet(orders) };

/** The look-ups seen: what stands behind `where=`, exactly as it was sent. */
const lookUps = () =>
	testbed.reads
		.map(({ rawUrl }) => rawUrl.match(/where=[^&]*/g) ?? [])
		.filter(({ length }) => length);

describe('what is done', () => {
	it('is an update where a record matches and a creation where none does', async () => {
		testbed.service.data.record(orders, 12).set(fields.reference, 'KEY-1');
		const result = await testbed.run(
			{ ...upsert, ...asJson('={{ $json }}'), matchFields: ['Reference'] },
			[
				{ Reference: 'KEY-1', Remark: 'changed' },
				{ Reference: 'KEY-2', Remark: 'new', 'Customer Number': 'C-0002' },
			],
		);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json._action, pairedItem]),
		).toEqual([
			[12, 'updated', { item: 0 }],
			[301, 'created', { item: 1 }],
		]);
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/12?api',
			'/acme/sales/orders/1?api',
		]);
		expect(testbed.service.data.record(orders, 12).text(fields.remark)).toBe('changed');
		expect(testbed.service.data.record(orders, 301).text(fields.reference)).toBe('KEY-2');
	});

	it.each([true, false])('is told beside the answer (with the record: %s)', async (data) => {
		Object.assign(testbed.service.switches, { answerCarriesData: data, writeWarning: 'Careful' });
		const result = await testbed.run({
			...upsert,
			...asJson({ [fields.reference]: 'KEY-9', [fields.customerNumber]: 'C-0001' }),
			matchFields: [fields.reference],
		});
		expect(result.items[0]?.json).toMatchObject({
			_recordId: 301,
			_action: 'created',
			_warning: 'Careful',
		});
	});

	it('reaches record 0', async () => {
		testbed.service.data
			.sheet(empty)
			.add({ at: 0, user: 'max.member@acme.example' })
			.set(empty.fields.title, 'Zero');
		const result = await testbed.run({
			operation: 'upsert',
			sheet: sheet(empty),
			...asJson({ Title: 'Zero', Amount: 5 }),
			matchFields: ['Title'],
		});
		expect(result.items[0]?.json).toMatchObject({ _recordId: 0, _action: 'updated' });
		expect(testbed.service.data.sheet(empty).records.size).toBe(1);
	});
});

describe('the fields to match on', () => {
	beforeEach(() => {
		testbed.service.data.record(orders, 12).set(fields.reference, 'KEY-1').set(fields.city, 'Oslo');
		testbed.service.data.record(orders, 13).set(fields.reference, 'KEY-1').set(fields.city, 'Bern');
	});

	it.each([
		['a list of names', ['Reference', 'City']],
		['a list of ids', [fields.reference, fields.city]],
		['a text with commas, as an expression may yield it', '={{ "Reference, City" }}'],
		['both, and one twice', [fields.reference, 'City', 'Reference']],
	])('may be %s in JSON mode', async (_, matchFields) => {
		const result = await testbed.run({
			...upsert,
			...asJson({ Reference: 'KEY-1', City: 'Bern', Remark: 'found' }),
			matchFields,
		});
		expect(result.items.map(({ json }) => [json._recordId, json._action])).toEqual([
			[13, 'updated'],
		]);
	});

	it('are the matching columns of the mapper, filled by hand or automatically', async () => {
		const columns = [fields.reference, fields.city];
		const value = {
			[fields.reference]: 'KEY-1',
			[fields.city]: '={{ $json.City }}',
			[fields.remark]: 'mapped',
		};
		const byHand = await testbed.run({ ...upsert, ...mapped(value, columns) }, [{ City: 'Bern' }]);
		expect(byHand.items.map(({ json }) => json._recordId)).toEqual([13]);
		const automatic = await testbed.run({ ...upsert, ...autoMapped(columns) }, [
			{ _recordId: 1, Reference: 'KEY-1', City: 'Oslo', Remark: 'auto' },
		]);
		expect(automatic.items.map(({ json }) => json._recordId)).toEqual([12]);
		expect(testbed.service.data.record(orders, 12).text(fields.remark)).toBe('auto');
		expect(testbed.service.data.record(orders, 13).text(fields.remark)).toBe('mapped');
	});

	it('are asked for together: all of them must be equal', async () => {
		const result = await testbed.run(
			{ ...upsert, ...asJson('={{ $json }}'), matchFields: ['Reference', 'City'] },
			[
				{ Reference: 'KEY-1', City: 'Oslo', Remark: 'a' },
				{ Reference: 'KEY-2', City: 'Bern', Remark: 'b', 'Customer Number': 'C-0001' },
			],
		);
		expect(result.items.map(({ json }) => [json._recordId, json._action])).toEqual([
			[12, 'updated'],
			[301, 'created'],
		]);
		expect(testbed.service.data.record(orders, 13).text(fields.remark)).not.toBe('b');
	});

	it.each([
		['none is chosen', []],
		['one is unknown', ['Referenz']],
		['one is ambiguous', ['Note']],
	])('are refused before anything is written when %s', async (_, matchFields) => {
		const result = await testbed.run({
			...upsert,
			...asJson({ Reference: 'KEY-1', [fields.note]: 'x' }),
			matchFields,
		});
		expect(result.status).toBe('error');
		expect(testbed.writes).toEqual([]);
		expect(lookUps()).toEqual([]);
	});

	it.each([
		['missing', { Remark: 'x' }],
		['an empty text', { Remark: 'x', Reference: '' }],
		['null', { Remark: 'x', Reference: null }],
		['an empty selection', { Remark: 'x', Reference: [] }],
	])('need a value: %s is refused, with Clear Empty too', async (_, record) => {
		for (const options of [{}, { clearEmpty: true }]) {
			const result = await testbed.run({
				...upsert,
				...asJson(record),
				matchFields: ['Reference'],
				options,
			});
			expect(result.status).toBe('error');
			expect(result.error?.message).toContain('has no value in this item');
		}
		expect(testbed.writes).toEqual([]);
		expect(lookUps()).toEqual([]);
	});

	it('may hold zero and false', async () => {
		testbed.service.data.record(tasks, 5).set(tasks.fields.assignee, '0');
		const result = await testbed.run({
			operation: 'upsert',
			sheet: sheet(tasks),
			...asJson({ Assignee: 0, Title: 'Zero' }),
			matchFields: ['Assignee'],
		});
		expect(result.items.map(({ json }) => [json._recordId, json._action])).toEqual([
			[5, 'updated'],
		]);
	});
});

describe('values to match', () => {
	it.each([
		'a, b',
		'50%25 off',
		'100%',
		'%41',
		'He said "no"',
		'a&b=c#d?e+f',
		'🎉 Grüße 冷',
		'line\nbreak',
		"it's (really) *here*!",
		'back\\slash',
	])('are found as they are: %j', async (value) => {
		testbed.service.data.record(orders, 77).set(fields.reference, value);
		const result = await testbed.run({
			...upsert,
			...asJson({ Reference: value, Remark: 'found' }),
			matchFields: ['Reference'],
		});
		expect(result.items.map(({ json }) => [json._recordId, json._action])).toEqual([
			[77, 'updated'],
		]);
		expect(testbed.service.data.sheet(orders).records.size).toBe(300);
	});

	it('are encoded as the service wants it', async () => {
		await testbed.run({
			...upsert,
			...asJson({ Reference: 'a, %41', [fields.customerNumber]: 'C-0001' }),
			matchFields: ['Reference'],
		});
		expect(lookUps()[0]).toEqual([`where=${fields.reference},eq,a%252C%2520%252541`]);
	});

	it('that are dates are asked for in the form of the service', async () => {
		testbed.service.data.record(tasks, 5).set(tasks.fields.dueDate, '2031/05/06');
		const result = await testbed.run(
			{
				operation: 'upsert',
				sheet: sheet(tasks),
				...asJson('={{ ({ "Due Date": $json.due, Title: "Dated" }) }}'),
				matchFields: ['Due Date'],
			},
			[{ due: '2031-05-06' }],
			{ credentials: testbed.credentials('admin') },
		);
		expect(result.items.map(({ json }) => json._recordId)).toEqual([5]);
		expect(lookUps()[0]).toEqual([`where=${tasks.fields.dueDate},eq,2031%2F05%2F06`]);
	});
});

describe('options', () => {
	const options = { checkLock: true, notification: false, doFormula: true };

	it('go along with the write; a creation has no lock to check', async () => {
		testbed.service.data.record(orders, 12).set(fields.reference, 'KEY-1');
		await testbed.run(
			{ ...upsert, ...asJson('={{ $json }}'), matchFields: [fields.reference], options },
			[
				{ [fields.reference]: 'KEY-1' },
				{ [fields.reference]: 'KEY-2', [fields.customerNumber]: 'C-0001' },
			],
		);
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/12?api&doFormula=true&notification=false&checkLock=true',
			'/acme/sales/orders/1?api&doFormula=true&notification=false',
		]);
	});

	it('Check Lock leaves a locked record as it is, and creates none in its place', async () => {
		const locked = testbed.service.data.record(orders, 3).set(fields.reference, 'KEY-3');
		const result = await testbed.run({
			...upsert,
			...asJson({ [fields.reference]: 'KEY-3', [fields.remark]: 'x' }),
			matchFields: [fields.reference],
			options,
		});
		expect(result.error?.message).toContain('Record locked');
		expect(locked.text(fields.remark)).not.toBe('x');
		expect(testbed.service.data.sheet(orders).records.size).toBe(300);
	});
});

it('needs no record id', async () => {
	const result = await testbed.run({
		...upsert,
		recordId: recordId('nonsense'),
		...asJson({ [fields.reference]: 'KEY-5', [fields.customerNumber]: 'C-0001' }),
		matchFields: [fields.reference],
	});
	expect(result.items[0]?.json).toMatchObject({ _action: 'created' });
});
