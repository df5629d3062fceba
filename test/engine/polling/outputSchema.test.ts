import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { jsonParse } from 'n8n-workflow';

import { orders } from '../../service';
import { usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();

const folder = join(__dirname, '../../../nodes/SheetRecordsPollingTrigger');
const { type, properties } = jsonParse<{ type: string; properties: Record<string, object> }>(
	readFileSync(join(folder, '__schema__/v1.0.0.json'), 'utf8'),
);

it('an item of the polling trigger is what its schema says', async () => {
	const poller = await polling.begun();
	polling.passMinutes(1);
	polling.people.edit(orders, 5, { [orders.fields.remark]: 'changed' });
	polling.people.create(orders, {});
	const check = new Ajv({ strict: false }).compile({ type, properties });
	const items = await poller.poll();
	expect(items).toHaveLength(2);
	for (const item of items) {
		expect(check(item) ? [] : check.errors).toEqual([]);
		expect(Object.keys(item)).toEqual(Object.keys(properties));
	}
});
