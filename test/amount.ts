/** How much a test that could go on for ever does: little every time, much where time is given (`npm run test:long`). */
export function amount(usual: number, long: number): number {
	return process.env.LONG_TESTS === 'yes' ? long : usual;
}
