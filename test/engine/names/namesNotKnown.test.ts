import { orders, type SeenRequest } from '../../service';
import { operations } from '../faults/matrix';
import { onOrders, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { reference } = orders.fields;

/** Returns whether a request asks for the fields of a sheet or for their names. */
const isOfFields = ({ rawUrl }: SeenRequest) =>
	/\/metadata\/schema|[?&]def\b/.test(rawUrl) ||
	(rawUrl.includes('naming=FNAME') && /limit=20\b/.test(rawUrl));

const byMatch = [true, false].map((simplify) => ({
	...{ operation: 'record.get', variant: `by match, Simplify ${simplify}`, identity: undefined },
	parameters: { ...onOrders('get'), getBy: 'match', matchFields: [reference], simplify },
	prepare: undefined,
	items: () => [{ json: { [reference]: 'REF-12' } }],
}));
// If Exists returns the input item.
const withRecords = [...operations, ...byMatch].filter(
	({ operation, parameters, ...others }) =>
		!('run' in others) &&
		!('fieldKeys' in Object(Object(parameters).options)) &&
		/^(record|subtableRow|file)\.(?!ifExists)/.test(operation),
);

it.each(
	withRecords.map((tested) => [`${tested.operation} ${tested.variant ?? ''}`, tested] as const),
)(
	'an item with field IDs in place of names says so in _warning: %s',
	async (_, { prepare, parameters, items, identity }) => {
		const { service } = testbed;
		prepare?.(service);
		service.switches.writeWarning = 'Stock is low';
		testbed.inject({ kind: 'status', status: 403, when: isOfFields, times: Infinity });
		const given = (await items?.(service)) ?? [{ json: {} }];
		const result = await testbed.runAll(parameters, given, testbed.as(identity));
		for (const { json } of result.items) {
			const keys = Object.keys({ ...json, ...Object(json._changes) });
			if (!keys.some((key) => /^\d{3,}$/.test(key))) continue;
			expect(json._warning).toContain('could not be looked up');
			if (testbed.writes.length > 0) expect(json._warning).toContain('Stock is low. ');
		}
	},
);
