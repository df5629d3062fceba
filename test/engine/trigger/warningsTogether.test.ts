import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import type { TriggerListener } from '../runner';
import { passMinutes, useTriggerTestbed } from './triggerTestbed';

/** Deliveries with two things to warn of. */
const trigger = useTriggerTestbed(30);
const { city, contract, note, reference, remark, status } = orders.fields;

/** A reason for a warning on the item of a delivery. */
interface Reason {
	words: string;
	/** Conditions of the filters: field, operator and value. */
	conditions?: string[][];
	watchFields?: string[];
	options?: INodeParameters;
	/** Fields of the delivered record. */
	record?: Record<string, string>;
	/** Called between the activation and the delivery. */
	prepare?: (listener: TriggerListener) => void;
	/** Name of a reason that cannot occur together with this one. */
	not?: string;
}

const reasons: Record<string, Reason> = {
	'damaged filters': {
		words: 'could not be read, so they were looked up again',
		conditions: [[status, 'eq', 'Open']],
		prepare: (listener) => {
			const wanted = { ...Object(listener.staticData.wanted), changes: 5 };
			listener.changeStaticData({ ...listener.staticData, wanted });
		},
		// The fields of the filters are looked up again.
		not: 'a deleted field of the filters',
	},
	'a deleted field of the filters': {
		words: "no longer has these fields of 'Filters'",
		conditions: [[city, 'eq', 'Oslo']],
		prepare: () => {
			const { fields } = trigger.service.data.sheet(orders);
			fields.splice(
				fields.findIndex(({ id }) => id === city),
				1,
			);
			passMinutes(2);
		},
	},
	'several processes': {
		words: 'Nothing is skipped as unchanged any more',
		options: { skipUnchanged: true },
		prepare: (listener) =>
			listener.changeStaticData({ ...listener.staticData, storedBy: 'another process' }),
		// Watched fields are then not compared.
		not: 'no watched field',
	},
	'a long text': {
		words: 'has more than 10,000 characters',
		conditions: [[remark, 'regex', '^a+$']],
		record: { [remark]: 'b'.repeat(10_001) },
	},
	'no watched field': {
		words: 'do not have these watched fields',
		watchFields: [note],
	},
	'a field without a name': {
		words: 'so the output has their IDs: 1999999',
		options: { fieldKeys: 'name' },
		record: { 1999999: 'x' },
	},
	'a missing file': {
		words: "'old.pdf' of ",
		options: { downloadFiles: contract },
		record: { [contract]: 'gone@old.pdf' },
	},
};

/** Delivers a record for which all reasons are given. Returns the warning of its item. */
async function warningFor(...given: Reason[]): Promise<unknown> {
	const conditions = given
		.flatMap((reason) => reason.conditions ?? [])
		.map(([field = '', operator = '', value = '']) => ({ field, operator, value }));
	const listener = await trigger.listen({
		filters: { conditions },
		watchFields: given.flatMap(({ watchFields = [] }) => watchFields),
		options: Object.assign({}, ...given.map(({ options }) => options)),
	});
	for (const { prepare } of given) prepare?.(listener);
	const record = { _svcId: 1, [status]: 'Open', [reference]: 'R' };
	const body = trigger.readdressed([Object.assign(record, ...given.map(({ record }) => record))]);
	expect((await listener.post(body)).status).toBe(200);
	const items = await listener.items();
	expect(items).toHaveLength(1);
	return items[0]?._warning;
}

const names = Object.keys(reasons);
const pairs = names.flatMap((first, index) =>
	names.slice(index + 1).map((second) => [first, second] as const),
);

it.each(names)('an item has the warning about %s alone', async (name) => {
	const warning = await warningFor(...Object.values(reasons).filter((r) => r === reasons[name]));
	const found = names.filter((known) => String(warning).includes(reasons[known]?.words ?? ''));
	expect(found).toEqual([name]);
});

it.each(pairs.filter(([first, second]) => reasons[first]?.not !== second))(
	'an item has the warnings about %s and %s',
	async (...pair) => {
		const given = pair.flatMap((name) => reasons[name] ?? []);
		const warning = await warningFor(...given);
		for (const { words } of given) expect(warning).toContain(words);
	},
);
