import { customers, orders } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrder, sheet } from '../recordTestbed';
import { CredentialStore } from '../runner';
import { TriggerTestbed } from '../trigger/triggerTestbed';
import { fields, id, useHours } from './hours';

const hours = useHours();
const { testbed } = hours;
const { city, express, remark } = fields;

async function sourceOfType(name: string): Promise<unknown> {
	const parameters = { resource: 'sheet', operation: 'getFields', sheet: sheet(orders) };
	const { json } = await testbed.run(parameters, [{}], testbed.as('admin'));
	return json.find((field) => field.name === name)?.typeSource;
}

describe('rights in a process that runs for hours', () => {
	it('the right to read the types is seen within an hour, and its loss within ten minutes', async () => {
		hours.service.switches.schema = 'code106';
		expect(await sourceOfType('City')).not.toBe('schema');
		hours.service.switches.schema = 'on';
		hours.pass(60);
		expect(await sourceOfType('City')).toBe('schema');
		hours.service.switches.schema = 'code106';
		hours.pass(10);
		expect(await sourceOfType('City')).not.toBe('schema');
		const { json } = await hours.update('admin', { City: 'Oslo' });
		expect([json[0]?.City, hours.text(city)]).toEqual(['Oslo', 'Oslo']);
	});

	it('names that no source lists any more are refused, and IDs are still written', async () => {
		await hours.update('member', { City: 'Oslo' });
		Object.assign(hours.service.switches, { schema: 'code106', definition: 'code106' });
		hours.pass(61);
		const records = hours.service.data.sheet(orders).records;
		expect(records.size).toBeGreaterThan(0);
		const { json } = await hours.update('member', { [city]: 'Bergen' });
		expect([json[0]?.City, hours.text(city)]).toEqual(['Bergen', 'Bergen']);
	});
});

describe('an API key that is replaced in a process that runs for hours', () => {
	it('the new key is used at once, the old one sends nothing more, and names are known to both', async () => {
		const store = new CredentialStore();
		const reference = store.add('sheetRecordsApi', testbed.credentials().sheetRecordsApi);
		const { member } = hours.service.identities;
		const update = async (text: string) =>
			await testbed.runAll({ ...onOrder('update', id), ...asJson({ City: text }) }, [{}], {
				credentialStore: store,
			});
		for (const round of [1, 2, 3]) {
			expect((await update(`before ${round}`)).items).toHaveLength(1);
			member.apiKey = Buffer.from(`another key of round ${round}`).toString('base64');
			expect((await update('refused')).errorItems).toHaveLength(1);
			expect(hours.text(city)).toBe(`before ${round}`);
			store.edit(reference.id, 'sheetRecordsApi', { apiKey: member.apiKey });
			expect((await update(`after ${round}`)).json[0]).toMatchObject({ City: `after ${round}` });
			hours.pass(90);
		}
	});
});

describe('records that are deleted and restored in a process that runs for hours', () => {
	const { customerNumber, name } = customers.fields;
	const upsert = async (text: string) => {
		const values = { [customerNumber]: 'C-7777', [name]: text };
		const parameters = {
			...{ operation: 'upsert', sheet: sheet(customers), matchFields: [customerNumber] },
			...asJson(values),
		};
		return (await testbed.runById(parameters)).json[0];
	};
	const matching = () =>
		[...hours.service.data.sheet(customers).records.values()].filter(
			(record) => record.text(customerNumber) === 'C-7777',
		);

	it.each([0, 5, 59, 61, 300])(
		'%d minutes after a deletion, an upsert of the restored record makes no second one',
		async (minutes) => {
			const created = await upsert('first');
			const recordId = Number(created?._recordId);
			const record = hours.service.data.record(customers, recordId);
			const remove = { operation: 'delete', sheet: sheet(customers) };
			await testbed.run({
				...remove,
				recordId: { __rl: true, mode: 'id', value: String(recordId) },
			});
			expect(matching()).toEqual([]);
			hours.service.data.sheet(customers).keep(record);
			hours.pass(minutes);
			expect(await upsert('second')).toMatchObject({ _recordId: recordId, _action: 'updated' });
			expect(matching().map((record) => [record.id, record.text(name)])).toEqual([
				[recordId, 'second'],
			]);
		},
	);

	it.each([0, 59, 61])(
		'%d minutes after a deletion by a person, an upsert makes one new record',
		async (minutes) => {
			const { _recordId } = (await upsert('first')) ?? {};
			hours.service.people.delete(customers, Number(_recordId));
			hours.pass(minutes);
			expect(await upsert('second')).toMatchObject({ _action: 'created' });
			expect(await upsert('third')).toMatchObject({ _action: 'updated' });
			expect(matching().map((record) => record.text(name))).toEqual(['third']);
		},
	);
});

describe('the words of a checkbox in a process that runs for hours', () => {
	const words: Array<[on: string, off: string]> = [
		['Yes', 'No'],
		['true', 'false'],
		['TRUE', 'FALSE'],
		['yes', 'no'],
	];

	it('Typed Values understand each pair of words within ten minutes', async () => {
		for (const [on, off] of words) {
			for (const [index, record] of [
				...hours.service.data.sheet(orders).records.values(),
			].entries()) {
				record.set(express, index % 2 === 0 ? on : off);
			}
			hours.pass(10);
			for (const [text, value] of [
				[on, true],
				[off, false],
			] as const) {
				testbed.order(id).set(express, text);
				const { Express } = await hours.read('admin', { typedValues: true });
				expect([text, Express]).toEqual([text, value]);
			}
		}
	});

	it('an equal value counts as unchanged with each pair of words', async () => {
		for (const [on] of words) {
			testbed.order(id).set(express, on);
			hours.pass(10);
			const { json } = await hours.update('admin', { Express: true }, { skipUnchanged: true });
			expect([on, json[0]?._action, hours.text(express)]).toEqual([on, 'unchanged', on]);
		}
	});
});

describe('a webhook trigger that is active for hours', () => {
	const trigger = new TriggerTestbed(testbed);
	afterEach(async () => await trigger.end());

	it('shows a renamed field by its new name after ten minutes, at most one delivery late', async () => {
		const namesAsked = () =>
			trigger.reads.filter(({ rawUrl }) => rawUrl.includes('naming=FNAME')).length;
		const listener = await trigger.listenAsItIs({});
		await listener.post(trigger.body([id]));
		for (const name of ['Hint', 'Comment', 'Remark']) {
			hours.field(remark).name = name;
			hours.pass(10);
			const before = namesAsked();
			await listener.post(trigger.body([id]));
			// The last of the requests for names comes after the item that did not wait for them.
			while (namesAsked() === before) await new Promise((resolve) => setTimeout(resolve, 5));
			await new Promise((resolve) => setTimeout(resolve, 50));
			await listener.post(trigger.body([id]));
			const last = (await listener.items()).at(-1);
			expect(Object.keys(Object(last?.record))).toContain(name);
		}
	});

	it('filters and watched fields keep their field after a rename', async () => {
		const conditions = [{ field: 'Remark', operator: 'eq', value: 'wanted' }];
		const listener = await trigger.listen({ filters: { conditions } });
		hours.field(remark).name = 'Note';
		for (const minutes of [1, 10, 600]) {
			hours.pass(minutes);
			await listener.post(trigger.readdressed([{ _svcId: id, [remark]: 'wanted' }]));
			await listener.post(trigger.readdressed([{ _svcId: id, [remark]: 'other' }]));
		}
		expect((await listener.items()).map(({ record }) => Object(record)[remark])).toEqual(
			Array(3).fill('wanted'),
		);
	});

	it('accepts each new key of the service, and no delivery signed with another key', async () => {
		const listener = await trigger.listen({});
		for (let rotation = 0; rotation < 4; rotation++) {
			expect((await listener.post(trigger.body([id]))).status).toBe(200);
			const old = trigger.body([id]);
			hours.service.webhooks.key.rotate();
			hours.pass(60);
			expect((await listener.post(trigger.body([id]))).status).toBe(200);
			expect((await listener.post(old)).status).toBe(401);
		}
	});
});
