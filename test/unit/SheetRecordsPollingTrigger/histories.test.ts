import fc from 'fast-check';
import { runs } from '../../amount';
import { History } from './history';
import { happening, keeping, listFault, step, trouble, type Step } from './steps';

const steps = fc.array(
	fc.oneof({ weight: 6, arbitrary: step }, { weight: 2, arbitrary: trouble }),
	{ minLength: 5, maxLength: 40 },
);
/** Few histories start with a wrong answer of the service. */
const firstFault = fc.option(listFault, { freq: 4, nil: undefined });

it('each state that a record has at a poll is emitted once, with any changes to the sheet and any faults', async () => {
	await fc.assert(
		fc.asyncProperty(
			keeping,
			fc.constantFrom(1, 2, 3, 5, 1_000),
			fc.constantFrom(0, -40_000, 3_000_000),
			fc.constantFrom(3, 500),
			fc.constantFrom(0, 0, 8),
			fc.array(happening, { maxLength: 8 }),
			firstFault,
			steps,
			fc.array(happening, { minLength: 1, maxLength: 3 }),
			async (kept, maxChanges, skew, compared, records, before, fault, all, busy) => {
				const history = new History(kept, { maxChanges, compared }, skew);
				history.prepare([...Array<Step>(records).fill({ kind: 'create', at: 0 }), ...before]);
				await history.begin(fault);
				for (const each of all) {
					// A clock that is set back, or an incomplete list, loses changes if more records change than are
					// compared.
					const isCut = each.kind === 'faultyPoll' && each.fault.kind === 'cut';
					if (compared < 500 && (each.kind === 'setBack' || isCut)) continue;
					await history.take(each, busy);
				}
				await history.end();
			},
		),
		{ numRuns: runs(300, 1_500, 6_000), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});

it('a change dated by a clock that was set back is emitted although the index hides it at first', async () => {
	const create: Step = { kind: 'create', at: 0 };
	const history = new History({ lag: 1, finest: 1 }, { maxChanges: 1_000, compared: 500 }, 0);
	history.prepare([create]);
	await history.begin();
	const ahead: Step[] = [{ kind: 'pass', seconds: 20_000 }, create, { kind: 'pass', seconds: 1 }];
	const setBack: Step = { kind: 'setBack', seconds: 46_800 };
	for (const each of [...ahead, setBack, create]) history.happen(each);
	await history.poll();
	await history.end();
});

it('a page of another sheet within a list is not emitted', async () => {
	const history = new History({ lag: 300, finest: 1 }, { maxChanges: 1, compared: 3 }, 0);
	const create: Step = { kind: 'create', at: 0 };
	history.prepare(Array<Step>(8).fill(create));
	await history.begin();
	const steps: Step[] = [
		create,
		create,
		{ kind: 'busyPoll' },
		{ kind: 'poll' },
		{ kind: 'pass', seconds: 20_000 },
		{ kind: 'faultyPoll', fault: { kind: 'otherSheet', requests: 'secondList' } },
		{ kind: 'faultyPoll', fault: { kind: 'empty', requests: 'all' } },
	];
	for (const each of steps) await history.take(each, [{ kind: 'changeAll' }]);
	await history.end();
});
