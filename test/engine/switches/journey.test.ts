import { amount } from '../../amount';
import { defaultSwitches } from '../../service/switches';
import { useSkippingClock } from '../clock';
import { alike, travel, type Outcome } from './journey';
import { leftOut, others, tried, untried, usually, type Positions } from './positions';

useSkippingClock();

it('every switch is tried, or there is a reason why it is not', () => {
	const named = [...Object.keys(others), ...Object.keys(leftOut)];
	expect(named.sort()).toEqual(Object.keys(defaultSwitches()).sort());
});

it('every position is tried', () => {
	expect(untried()).toEqual([]);
	expect(tried.length).toBeLessThan(amount(7, 60));
});

describe('a journey through all operations', () => {
	let usual: Outcome;
	beforeAll(async () => {
		usual = await travel(usually);
	});

	it('comes to what it should when everything is as usual', () => {
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

	it.each(cases)('comes to the same under positions of all switches: %d', async (_, positions) => {
		const difference = await differenceUnder(positions);
		if (difference === undefined) return;
		const cause = JSON.stringify(await essentialsOf(positions));
		throw new Error(`Not so under ${cause}: ${String(difference)}`);
	});

	/** Only the list of sheets may be otherwise, where the service tells of none. */
	async function differenceUnder(positions: Positions): Promise<unknown> {
		const { menu = 'on', picker = 'on' } = positions.switches;
		const tellsSheets = menu === 'on' || picker === 'on';
		const noSheets = { 'list sheets': expect.stringMatching(/does not list its sheets/) };
		const outcome = await travel(positions);
		try {
			const expected = alike(usual, positions.switches);
			expect(alike(outcome, positions.switches)).toEqual(
				tellsSheets ? expected : Object.assign({}, expected, noSheets),
			);
			return undefined;
		} catch (error) {
			return error;
		}
	}

	/** The switches without any of which the difference would not be there. */
	async function essentialsOf(positions: Positions): Promise<Positions> {
		let left = positions;
		for (const name of Object.keys(positions.switches)) {
			const others = Object.entries(left.switches).filter(([other]) => other !== name);
			const without = { ...left, switches: Object.fromEntries(others) };
			if ((await differenceUnder(without)) !== undefined) left = without;
		}
		return left;
	}
});
