import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { jsonParse } from 'n8n-workflow';
import { orders } from '../service';
import { PollingTestbed } from './polling/pollingTestbed';
import { useTriggerTestbed } from './trigger/triggerTestbed';

const trigger = useTriggerTestbed();

it.each([
	[
		'SheetRecordsTrigger',
		async () => {
			const listener = await trigger.listen();
			await listener.post(trigger.body([5, 6], 'CREATE'));
			return await listener.items();
		},
	],
	[
		'SheetRecordsPollingTrigger',
		async () => {
			const polling = new PollingTestbed(trigger.testbed);
			polling.begin();
			const poller = await polling.begun();
			polling.passMinutes(1);
			polling.people.edit(orders, 5, {});
			polling.people.create(orders, {});
			const items = await poller.poll();
			polling.end();
			return items;
		},
	],
])('an item of %s conforms to its schema', async (folder, itemsOf) => {
	const path = join(__dirname, `../../nodes/${folder}/__schema__/v1.0.0.json`);
	const { type, properties } = jsonParse<{ type: string; properties: Record<string, object> }>(
		readFileSync(path, 'utf8'),
	);
	const check = new Ajv({ strict: false }).compile({ type, properties });
	const items = await itemsOf();
	expect(items).toHaveLength(2);
	for (const item of items) {
		expect(check(item) ? [] : check.errors).toEqual([]);
		expect(Object.keys(item)).toEqual(Object.keys(properties));
	}
});
