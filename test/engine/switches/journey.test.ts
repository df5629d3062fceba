import { defaultSwitches } from '../../service/switches';
import { useSkippingClock } from '../clock';
import { normalized, travel, type Outcome } from './journey';
import { leftOut, rest, tried, untried, usually } from './positions';

useSkippingClock();

it('every switch is tested, or there is a reason why it is not', () => {
	const named = [...Object.keys(rest), ...Object.keys(leftOut)];
	expect(named.sort()).toEqual(Object.keys(defaultSwitches()).sort());
});

it('every position is tested', () => {
	expect(untried()).toEqual([]);
	expect(tried.length).toBeLessThan(7);
});

describe('a journey through all operations', () => {
	let usual: Outcome;
	beforeAll(async () => {
		usual = await travel(usually);
	});

	it('has the expected results with the default switches', () => {
		const failures = Object.entries(usual).filter(([, outcome]) => typeof outcome === 'string');
		expect(Object.fromEntries(failures)).toEqual({
			'get what is not there': expect.stringMatching(/There is no record 999/),
			'update what is locked': expect.stringMatching(/locked/),
			'a field that is unique': expect.stringMatching(/already exists/),
		});
		expect(usual.delivery).toEqual([[expect.objectContaining({ recordId: 5, verified: true })]]);
		const edited = expect.objectContaining({ recordId: 6, event: 'UPDATE' });
		expect(usual.poll).toEqual([[], [edited], []]);
		expect(usual["download a row's file"]).toMatchObject([{ file: expect.any(String) }]);
	});

	const cases = tried.map((positions, index) => [index, positions] as const);

	it.each(cases)(
		'has the same results with other positions of the switches, %d: %j',
		async (_, positions) => {
			const { menu = 'on', picker = 'on' } = positions.switches;
			const tellsSheets = menu === 'on' || picker === 'on';
			// Only the list of sheets may differ, if the service lists none.
			const noSheets = { 'list sheets': expect.stringMatching(/does not list sheets/) };
			const outcome = await travel(positions);
			const expected = Object.assign(
				{},
				normalized(usual, positions.switches),
				!tellsSheets && noSheets,
			);
			expect(normalized(outcome, positions.switches)).toEqual(expected);
		},
	);
});
