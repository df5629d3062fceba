import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { asJson, autoMapped } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { activatePolling } from '../runner';
import { useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** All lists of names accept the same formats: one name per line, an array, or names separated by commas. */
const trigger = useFreshTriggerTestbed();
const { fields } = orders;
const inOrder = { sheet: sheet(orders), recordId: recordId(12) };
const size = 'Size, cm';
const status = 'Status ';

beforeEach(() => {
	const names = new Map<string, string>([
		[fields.remark, size],
		[fields.status, status],
	]);
	for (const field of trigger.service.data.sheet(orders).fields) {
		field.name = names.get(field.id) ?? field.name;
	}
});

async function run(parameters: INodeParameters, item = {}) {
	const result = await trigger.testbed.run(
		{ resource: 'record', ...inOrder, ...parameters },
		[item],
		{ credentials: trigger.credentials('admin') },
	);
	expect(result.error).toBeUndefined();
	return result.json[0] ?? {};
}

const lists: Array<[string | string[], string[]]> = [
	[`${size}\n${status}\n City\n`, [size, status, 'City']],
	[
		[size, status, 'City'],
		[size, status, 'City'],
	],
	[size, [size]],
	[` ${size} `, [size]],
	[status, [status]],
	['City , Reference', ['City', 'Reference']],
	[`${fields.remark},City`, [size, 'City']],
];

describe.each(lists)('the names in %j', (list, names) => {
	const item = { _recordId: 12, [size]: 'x', [status]: 'Lost', City: 'Ulm', Reference: 'R-1' };

	it('the names of fields to ignore are accepted', async () => {
		const options = { ignoreFields: list, doWorkflow: false };
		await run({ operation: 'update', ...autoMapped(), options }, { ...item, Note2: 'n' });
		const written = Object.keys(Object(trigger.testbed.writes[0]?.body));
		const kept = [size, status, 'City', 'Reference', 'Note2'].filter((key) => !names.includes(key));
		expect(written).toHaveLength(kept.length);
	});

	it('the names of fields to return are accepted', async () => {
		const json = await run({ operation: 'get', options: { onlyFields: list } });
		const fieldKeys = Object.keys(json).filter((key) => !key.startsWith('_'));
		expect(fieldKeys.sort()).toEqual([...names].sort());
	});

	it('the names of fields to match on are accepted', async () => {
		const record = trigger.service.data.record(orders, 12);
		for (const [fieldId, value] of [
			...[
				[fields.remark, 'x'],
				[fields.status, 'Lost'],
			],
			...[
				[fields.city, 'Ulm'],
				[fields.reference, 'R-1'],
			],
		]) {
			if (fieldId !== undefined && value !== undefined) record.set(fieldId, value);
		}
		const { _recordId, ...values } = item;
		const json = await run({ operation: 'upsert', ...asJson(values), matchFields: list });
		expect(json).toMatchObject({ _recordId, _action: 'updated' });
	});

	it('the names of fields to watch are accepted', async () => {
		const parameters = { sheet: sheet(orders), events: ['UPDATE'], watchFields: list };
		const poller = await activatePolling({ parameters, credentials: trigger.credentials('admin') });
		await poller.poll();
		const isWatched = names.includes('City');
		// A record that was not seen before counts as changed.
		trigger.service.people.edit(orders, 12, { [fields.city]: 'Ulm' });
		await poller.poll();
		trigger.service.people.edit(orders, 12, { [fields.city]: 'Linz' });
		expect(await poller.poll()).toHaveLength(isWatched ? 1 : 0);
		poller.close();
	});
});
