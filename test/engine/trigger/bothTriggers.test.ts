import type { IDataObject } from 'n8n-workflow';
import { orders } from '../../service';
import { PollingTestbed } from '../polling/pollingTestbed';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed(30);
const { status, remark } = orders.fields;

/** Changes by users, and restarts of n8n. Letters stand for records. */
const history = [
	'create A Open r1',
	'edit A Open r2',
	'edit A Shipped r2',
	'save A',
	'restart',
	'edit A Open r2',
	'create B Open r1',
	'edit B Closed r1',
	'edit B Open r1',
	'restart',
	'edit B Open r3',
	'create C Closed r1',
	'edit A Shipped r3',
	'edit A Open r4',
	'delete A',
	'delete C',
];

/** Returns an item in short, such as `UPDATE A Status+Remark < Open+r1`, equal for both formats of items. */
function inShort(item: IDataObject, letters: ReadonlyMap<unknown, string>): string {
	const { _event: event = item.event, _recordId: recordId = item.recordId } = item;
	const { _changedFields: changed = item.changedFields, _previous: previous = item.previous } =
		item;
	const changedFields = Array.isArray(changed)
		? ` ${changed.join('+')} < ${Object.values(Object(previous)).join('+')}`
		: '';
	return `${String(event)} ${letters.get(recordId)}${changedFields}`;
}

/**
 * Returns an item without data that only one of the triggers can provide: record information, which adds `_starred` to every
 * record, and the content of deleted records.
 */
function comparable(item: IDataObject): IDataObject {
	const isGone = [item.event, item._event].includes('DELETE');
	const isOfBoth = (key: string) =>
		(isGone ? /^(_event|event|_?recordId)$/ : /^(?!_(create|update)_|_starred$)/).test(key);
	const entries = Object.entries(item).filter(([key]) => isOfBoth(key));
	return Object.fromEntries(
		entries.map(([key, value]) => [key, key === 'record' ? comparable(Object(value)) : value]),
	);
}

const allEvents = ['CREATE', 'UPDATE', 'DELETE'];
const isOpen = { conditions: [{ field: 'Status', operator: 'eq', value: 'Open' }] };
/** Expected items for the history, by selected events, watched fields and filters. Commas separate items. */
const table: Array<
	[events: string[] | string, watched: string[], filters: object, output: string, items: string]
> = [
	[
		allEvents,
		[],
		{},
		'event',
		'CREATE A, UPDATE A, UPDATE A, UPDATE A, UPDATE A, CREATE B, UPDATE B, UPDATE B, UPDATE B, CREATE C, UPDATE A, UPDATE A, DELETE A, DELETE C',
	],
	[
		allEvents,
		['Status', remark],
		{},
		'record',
		'CREATE A, UPDATE A Remark < r1, UPDATE A Status < Open, UPDATE A Status < Shipped, CREATE B, UPDATE B Status < Open, UPDATE B Status < Closed, UPDATE B Remark < r1, CREATE C, UPDATE A Status+Remark < Open+r2, UPDATE A Status+Remark < Shipped+r3, DELETE A, DELETE C',
	],
	[
		allEvents,
		[],
		isOpen,
		'record',
		'CREATE A, UPDATE A, UPDATE A, CREATE B, UPDATE B, UPDATE B, UPDATE A, DELETE A',
	],
	[
		['CREATE', 'UPDATE'],
		['Status', 'Remark'],
		isOpen,
		'event',
		'CREATE A, UPDATE A Remark < r1, CREATE B, UPDATE B Remark < r1, UPDATE A Remark < r2',
	],
	['={{ "CREATE, DELETE" }}', [], {}, 'event', 'CREATE A, CREATE B, CREATE C, DELETE A, DELETE C'],
];

it.each(table)(
	'both triggers emit the same items: %j, watched %j, filters %j, as %s',
	async (events, watchFields, filters, output, expected) => {
		const polling = new PollingTestbed(trigger.testbed);
		polling.begin();
		const parameters = { events, watchFields, filters: { ...filters } };
		const options = { output, fieldKeys: 'name' };
		const listener = await trigger.listenAsItIs({ ...parameters, options });
		trigger.service.webhooks.register(orders, listener.url);
		const poller = await polling.begun({
			...parameters,
			options: { ...options, deletionCheckEvery: 1 },
		});
		const ids = new Map<string, number>();
		const polled: IDataObject[] = [];
		for (const step of history) {
			polling.passMinutes(1);
			const [what, letter = '', state, text] = step.split(' ');
			const id = ids.get(letter) ?? 0;
			const values: Record<string, string> =
				state === undefined ? {} : { [status]: state, [remark]: text ?? '' };
			if (what === 'create') ids.set(letter, polling.people.create(orders, values).id);
			if (what === 'edit' || what === 'save') polling.people.edit(orders, id, values);
			if (what === 'delete') polling.people.delete(orders, id);
			if (what === 'restart') {
				// n8n activates the workflow in the new process, where both nodes have no memory.
				poller.startProcess();
				await listener.restart();
			}
			await trigger.service.webhooks.settled();
			await listener.settled();
			polled.push(...(await poller.poll()));
		}
		const letters = new Map([...ids].map(([letter, id]) => [id, letter]));
		const delivered = await listener.items();
		expect(delivered.map((item) => inShort(item, letters)).join(', ')).toBe(expected);
		expect(polled.map(comparable)).toEqual(delivered.map(comparable));
		expect(polled.filter(({ _warning }) => _warning)).toEqual([]);
		polling.end();
	},
);
