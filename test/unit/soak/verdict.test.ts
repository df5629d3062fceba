import type { Open, Sample } from '../../soak/sample';
import { leftOpen, notFlat } from '../../soak/verdict';

/** A run of forty rounds. */
function run(
	heapOf: (round: number) => number,
	openOf: (round: number) => Open = () => ({}),
): Sample[] {
	return Array.from({ length: 40 }, (_, round) => ({
		...{ executions: round, struck: 0, deliveries: round, forged: 0, polls: 0, resident: 0 },
		...{ heap: heapOf(round), open: openOf(round) },
	}));
}

const flat = () => 100;

it('a flat run is well, also one that takes its time to become warm or is uneven', () => {
	expect(notFlat(run(flat))).toEqual([]);
	expect(notFlat(run((round) => Math.min(round, 10)))).toEqual([]);
	expect(
		notFlat(
			run(
				(round) => 100 + 30 * (round % 2),
				(round) => ({ Timeout: round % 3 }),
			),
		),
	).toEqual([]);
});

it('memory that grows is told', () => {
	expect(notFlat(run((round) => 100 + round / 5))).toEqual([]);
	expect(notFlat(run((round) => 100 + round / 3))).toEqual([
		expect.stringMatching(/heap .* 6\.\d %/),
	]);
});

it('what is open more and more is told', () => {
	const open = (round: number) => ({ TCPSocketWrap: 3, Timeout: Math.floor(round / 8) });
	expect(notFlat(run(flat, open))).toEqual([expect.stringContaining('Timeout (2, then 4)')]);
});

it('a run that is too short tells nothing', () => {
	expect(notFlat(run(flat).slice(0, 7))).toEqual([expect.stringContaining('more minutes')]);
});

it('what is left open at the end is told, after some patience', async () => {
	let seconds = 0;
	const wait = async () => {
		seconds += 1;
	};
	const closing = () => ({ TCPSocketWrap: seconds < 3 ? 2 : 0, PipeWrap: 1 });
	expect(await leftOpen({ PipeWrap: 1 }, closing, wait)).toEqual([]);
	expect(seconds).toBe(3);
	const open = () => ({ Timeout: 1 });
	expect(await leftOpen({}, open, wait)).toEqual(['Left open: Timeout (0, then 1)']);
});
