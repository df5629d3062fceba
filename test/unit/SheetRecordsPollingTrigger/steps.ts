import fc from 'fast-check';

/** What happens around the polls of a node, and the polls. */
export type Step = Readonly<
	| { kind: 'create' | 'change' | 'resave' | 'delete'; at: number }
	| { kind: 'changeAll' | 'poll' | 'failedPoll' | 'busyPoll' | 'emptyPoll' | 'cutPoll' }
	| { kind: 'pass' | 'setBack' | 'setHostBack'; seconds: number }
>;

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
export const happening = fc.oneof(
	fc.record({ kind: fc.constantFrom('create', 'change', 'change', 'resave', 'delete'), at: place }),
	fc.constant({ kind: 'changeAll' }),
	fc.record({
		kind: fc.constant('pass'),
		seconds: fc.constantFrom(0, 1, 1, 30, 59, 61, 200, 299, 400, 900),
	}),
) as fc.Arbitrary<Step>;
export const step = fc.oneof(
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
export const trouble = fc.oneof(
	fc.constantFrom<Step>({ kind: 'emptyPoll' }, { kind: 'cutPoll' }),
	fc.record({ kind: fc.constant('setBack'), seconds: fc.constantFrom(30, 600, 3_600, 46_800) }),
	fc.record({ kind: fc.constant('setHostBack'), seconds: fc.constantFrom(30, 3_600, 46_800) }),
	// An outage of hours.
	fc.constant({ kind: 'pass', seconds: 20_000 }),
) as fc.Arbitrary<Step>;
export const keeping = fc.record({
	lag: fc.constantFrom(0, 1, 20, 120, 300),
	finest: fc.constantFrom(1, 1, 60),
	isFiner: fc.boolean(),
});
