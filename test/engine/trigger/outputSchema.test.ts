import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { jsonParse } from 'n8n-workflow';

import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

const path = join(__dirname, '../../../nodes/SheetRecordsTrigger/__schema__/v1.0.0.json');
const { type, properties } = jsonParse<{ type: string; properties: Record<string, object> }>(
	readFileSync(path, 'utf8'),
);

it('an item of the trigger is what its schema says', async () => {
	const listener = await trigger.listen();
	expect((await listener.post(trigger.body([5, 6], 'CREATE'))).status).toBe(200);
	const check = new Ajv({ strict: false }).compile({ type, properties });

	const items = await listener.items();
	expect(items).toHaveLength(2);
	for (const item of items) {
		expect(check(item) ? [] : check.errors).toEqual([]);
		expect(Object.keys(item)).toEqual(Object.keys(properties));
	}
});
