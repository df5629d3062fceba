import fc from 'fast-check';
import type { ListFault } from './simulatedSheet';

/** A step of a history: a change of the sheet or of a clock, or a poll. */
export type Step = Readonly<
	| { kind: 'create' | 'change' | 'move' | 'resave' | 'delete'; at: number }
	| { kind: 'changeAll' | 'rename' | 'addField' | 'poll' | 'failedPoll' | 'busyPoll' }
	| { kind: 'faultyPoll'; fault: ListFault }
	| { kind: 'pass' | 'setBack' | 'setHostBack'; seconds: number }
>;

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
export const happening: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constantFrom('create', 'change', 'change', 'move', 'resave', 'delete'),
			at: place,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom<Step>(
			{ kind: 'changeAll' },
			{ kind: 'rename' },
			{ kind: 'addField' },
		),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			seconds: fc.constantFrom(0, 1, 1, 30, 59, 61, 200, 299, 400, 900),
		}),
	},
);
export const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: happening },
	{
		weight: 2,
		arbitrary: fc.constantFrom<Step>(
			{ kind: 'poll' },
			{ kind: 'busyPoll' },
			{ kind: 'failedPoll' },
		),
	},
);
/** Empty lists and lists of another sheet. The node must not lose changes because of them. */
export const listFault: fc.Arbitrary<ListFault> = fc.record({
	kind: fc.constantFrom('empty', 'otherSheet'),
	requests: fc.constantFrom(
		...(['all', 'lists', 'firstList', 'secondList', 'laterLists', 'changes', 'ids'] as const),
	),
});
export const trouble: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('faultyPoll' as const), fault: listFault }),
	},
	fc.constant<Step>({ kind: 'faultyPoll', fault: { kind: 'cut', requests: 'all' } }),
	fc.record({
		kind: fc.constant('setBack' as const),
		seconds: fc.constantFrom(30, 600, 3_600, 46_800),
	}),
	fc.record({
		kind: fc.constant('setHostBack' as const),
		seconds: fc.constantFrom(30, 3_600, 46_800),
	}),
	// An outage of several hours.
	fc.constant<Step>({ kind: 'pass', seconds: 20_000 }),
);
export const keeping = fc.record({
	lag: fc.constantFrom(0, 1, 20, 120, 300),
	finest: fc.constantFrom(1, 1, 60),
	isFiner: fc.boolean(),
});
