import { useRecordTestbed } from '../recordTestbed';
import type { RunResult } from '../runner';
import { adviceCases } from './advice';

const testbed = useRecordTestbed();

/** Returns everything that a run tells its user: its error, the warnings of its items and its hints. */
function toldBy({ error, warnings, hintTexts }: RunResult): string {
	const all = [error?.message, error?.description, ...warnings, ...hintTexts];
	return all.filter((text) => text !== undefined).join(' ');
}

it('at least 25 pieces of advice are followed', () => {
	expect(adviceCases.length).toBeGreaterThanOrEqual(25);
	expect(new Set(adviceCases.map(({ fault }) => fault)).size).toBe(adviceCases.length);
});

it.each(adviceCases.map((each) => [each.fault, each] as const))(
	'the advice leads out: %s',
	async (_, { fail, advice, follow, result }) => {
		const texts = toldBy(await fail(testbed));
		expect(texts).toMatch(advice);
		const [, ...copied] = advice.exec(texts) ?? [];
		const after = await follow(testbed, ...copied);
		expect([after.error?.message, toldBy(after)]).toEqual([
			undefined,
			expect.not.stringMatching(advice),
		]);
		if (typeof result === 'function') expect(result(testbed)).toBe(true);
		else expect(after.json[0]).toMatchObject(result);
	},
);
