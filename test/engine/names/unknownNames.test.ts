import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { asJson } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { activatePolling } from '../runner';
import { passMinutes, useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** Names that are missing in the list of fields, because the field is new or the sheet is empty. */
const trigger = useFreshTriggerTestbed();
const { fields } = orders;
const added = '1000777';

function addField(name: string): void {
	trigger.service.data.sheet(orders).fields.push({ id: added, name, type: 'text' });
}

async function run(parameters: INodeParameters, count = 1) {
	const items = Array.from({ length: count }, () => ({}));
	const allParameters = { sheet: sheet(orders), ...parameters };
	const credentials = trigger.credentials('admin');
	return await trigger.testbed.runAll(allParameters, items, { credentials });
}

const update = (values: object, options: INodeParameters = {}) => ({
	...{ operation: 'update', recordId: recordId(5), ...asJson(values) },
	options: { fieldKeys: 'id', ...options },
});
const schemaRequests = () =>
	trigger.testbed.readUrls.filter((url) => url.includes('/metadata/schema')).length;

it('the list of fields is loaded again for an unknown name, so a new field is found', async () => {
	await run(update({ Remark: 'known' }));
	addField('Just Made');
	passMinutes(1);
	const { items } = await run(update({ 'Just Made': 'new' }));
	expect(items).toHaveLength(1);
	expect(trigger.testbed.bodies.at(-1)).toEqual({ [added]: 'new' });
	expect(schemaRequests()).toBe(2);
});

it('an unknown name is rejected after the list was loaded again once, not once per item', async () => {
	await run(update({ Remark: 'known' }));
	passMinutes(1);
	const { errorItems } = await run(update({ 'Not There': 'x' }), 20);
	expect(errorItems).toHaveLength(20);
	expect(schemaRequests()).toBe(2);
});

it.each(['name', 'id'])(
	'a system field, which no record has as a field, is rejected in Only Fields, with items by %s',
	async (fieldKeys) => {
		const options = { onlyFields: 'City\nCreate Date', fieldKeys };
		const { errorItems } = await run({ operation: 'get', recordId: recordId(5), options });
		const message = "'Create Date' in 'Only Fields' is not a field of the sheet";
		expect(errorItems[0]?.json.error).toContain(message);
	},
);

it('a list that the run has just loaded is not loaded again for an unknown name', async () => {
	const { errorItems } = await run(update({ 'Not There': 'x' }), 20);
	expect(errorItems).toHaveLength(20);
	expect(schemaRequests()).toBe(1);
});

it('a new field is written although unknown fields are ignored', async () => {
	await run(update({ Remark: 'known' }));
	addField('Just Made');
	passMinutes(2);
	await run(update({ 'Just Made': 'new', Remark: 'r' }, { unknownFields: 'ignore' }));
	expect(trigger.testbed.bodies.at(-1)).toEqual({ [added]: 'new', [fields.remark]: 'r' });
	await run(update({ 'Not There': 'x', Remark: 'r' }, { unknownFields: 'ignore' }), 20);
	expect(schemaRequests()).toBe(2);
});

describe('on an empty sheet, for a key without access to schema and definition', () => {
	const names = [fields.remark, `Remark (${fields.remark})`];
	beforeEach(() => {
		Object.assign(trigger.service.switches, { schema: 'code106', definition: 'code106' });
		trigger.service.data.sheet(orders).records.clear();
	});

	it.each(names)('the field %s as the only field gives no records, and no error', async (name) => {
		const list = { operation: 'getAll', returnAll: true, options: { onlyFields: [name] } };
		for (const simplify of [true, false]) {
			const { items, errorItems } = await run({ ...list, simplify });
			expect([items, errorItems]).toEqual([[], []]);
		}
	});

	it.each(names)(
		'a poll that watches the field %s starts, and shows the field later',
		async (name) => {
			const parameters = { sheet: sheet(orders), options: { onlyFields: [name] } };
			const poller = await activatePolling({ parameters, credentials: trigger.credentials() });
			expect(await poller.poll()).toEqual([]);
			poller.close();
		},
	);
});
